// Copies the documents to website/staging/, where the site is built from: the pages, their images, and README.md as the home page.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PAGES, staged } from './staged.ts';

const STAGING = 'website/staging';

rmSync(STAGING, { recursive: true, force: true });
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' });
for (const path of files.split('\n').filter((one) => PAGES.test(one))) {
  const to = join(STAGING, path === 'README.md' ? 'index.md' : path);
  mkdirSync(dirname(to), { recursive: true });
  if (path.endsWith('.md')) writeFileSync(to, staged(path, readFileSync(path, 'utf8')));
  else cpSync(path, to);
}
