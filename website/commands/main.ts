// `npm run docs:commands` writes docs/commands/ and man/ anew, and names the man pages in package.json.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { commandFiles, MAN, PAGES } from './files.ts';

const files = commandFiles();
for (const folder of [PAGES, MAN]) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}
for (const [path, text] of files) writeFileSync(path, text);
const own = JSON.parse(readFileSync('package.json', 'utf8'));
own.man = [...files.keys()].filter((path) => path.startsWith(`${MAN}/`)).map((path) => `./${path}`);
writeFileSync('package.json', `${JSON.stringify(own, null, 2)}\n`);
