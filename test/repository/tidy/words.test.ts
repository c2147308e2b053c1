// The words of docs/style.md, checked. Not yet covered: src/import, SECURITY.md, ARCHITECTURE.md and CHANGELOG.md.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BANNED, linesOf, literalsOf, wordViolations } from './words.ts';

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '');
const read = (paths: readonly string[]) =>
  paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }));

const SOURCES = /^src\/(?!import\/).*\.ts$/;
const DOCUMENTS =
  /^(?:README|CONTRIBUTING|docs\/(?!style).*|examples\/.*|test\/stack\/README)\.md$/;
const GOLDENS = /^test\/goldens\/(?:expected|inventory)\/.*\.txt$/;

const sources = read(tracked.filter((path) => SOURCES.test(path) && !path.endsWith('.test.ts')));
const documents = read(tracked.filter((path) => DOCUMENTS.test(path)));
const goldens = read(tracked.filter((path) => GOLDENS.test(path)));

test('the check looks at programs, documents and goldens', () => {
  expect(sources.length).toBeGreaterThan(400);
  expect(documents.length).toBeGreaterThan(50);
  expect(goldens.length).toBeGreaterThan(120);
});

describe('plain technical English', () => {
  test('in what the program prints', async () => {
    const literals = await Promise.all(sources.map(literalsOf));
    expect(wordViolations(literals.flat())).toEqual([]);
  });

  test('in documents', () => expect(wordViolations(documents.flatMap(linesOf))).toEqual([]));
});

describe('the check bites', () => {
  test('on a planted sentence, in a string and in a template, and not in a comment or an import', async () => {
    const text = `// Whoever reads this.
import { x } from './somebody.ts';
export const a = 'Mend it here.';
export const b = (n: number) => \`\${n} are in work\`;
`;
    expect(wordViolations(await literalsOf({ path: 'src/cli/a.ts', text }))).toEqual([
      'src/cli/a.ts: "Mend"; write: fix',
      'src/cli/a.ts: "in work"; write: in progress',
    ]);
  });

  test('on a line of a document', () => {
    const text = 'Fine.\nRun again, it goes on where it stopped.\n';
    expect(wordViolations(linesOf({ path: 'docs/a.md', text }))).toEqual([
      'docs/a.md:2: "goes on"; write: continue, resume',
      'docs/a.md:2: "Run again, it"; write: rerun the command to resume',
    ]);
  });

  test('docs/style.md has every banned word', () => {
    const style = readFileSync('docs/style.md', 'utf8');
    expect(BANNED.filter(([pattern]) => !pattern.test(style)).map(String)).toEqual([]);
  });
});
