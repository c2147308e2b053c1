// The words of docs/style.md, checked.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  BANNED,
  commentsOf,
  linesOf,
  literalsOf,
  messagesOf,
  type Text,
  wordViolations,
} from './words.ts';

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '');
const read = (paths: readonly string[]) =>
  paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }));

const SOURCES = /^src\/.*\.ts$/;
const DOCUMENTS =
  /^(?:README|CONTRIBUTING|ARCHITECTURE|SECURITY|CHANGELOG|docs\/(?!style).*|examples\/.*|test\/stack\/README)\.md$/;
const GOLDENS = /^test\/goldens\/(?:expected|inventory|diff|terminal)\/.*\.txt$/;
/** What Ansible, Kubernetes and Argo CD show of ours. */
const MANIFESTS = /^(?:bootstrap|workflows)\/.*\.ya?ml$/;

const sources = read(tracked.filter((path) => SOURCES.test(path) && !path.endsWith('.test.ts')));
const documents = read(tracked.filter((path) => DOCUMENTS.test(path)));
const manifests = read(tracked.filter((path) => MANIFESTS.test(path)));
const goldens = read(tracked.filter((path) => GOLDENS.test(path)));

test('the check looks at programs, documents and goldens', () => {
  expect(sources.length).toBeGreaterThan(400);
  expect(documents.length).toBeGreaterThan(50);
  expect(goldens.length).toBeGreaterThan(120);
  expect(manifests.length).toBeGreaterThan(60);
});

/** A user of the simulated Argo CD, whom a fault lets sync. */
const withoutRehearsedUser = ({ where, text }: Text): Text => ({
  where,
  text: text.replaceAll('"somebody"', ''),
});

describe('plain technical English', () => {
  test('in what the program prints', async () => {
    const literals = await Promise.all(sources.map(literalsOf));
    expect(wordViolations(literals.flat())).toEqual([]);
  });

  test('in comments of the program', () => {
    expect(wordViolations(sources.flatMap(commentsOf))).toEqual([]);
  });

  test('in documents', () => expect(wordViolations(documents.flatMap(linesOf))).toEqual([]));

  test('in what commands print', () => {
    const lines = goldens.flatMap(linesOf).map(withoutRehearsedUser);
    expect(wordViolations(lines)).toEqual([]);
  });

  test('in messages of roles and policies', () => {
    expect(wordViolations(manifests.flatMap(messagesOf))).toEqual([]);
  });
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

  test('on a planted comment, and not in a string', () => {
    const text = `/** Whoever reads this. */
export const a = 'Mend it here.'; // nobody
/*
 * It goes on.
 */
`;
    expect(wordViolations(commentsOf({ path: 'src/cli/a.ts', text }))).toEqual([
      'src/cli/a.ts:1: "Whoever"; write: any, every',
      'src/cli/a.ts:2: "nobody"; write: no one is named: say what is missing',
      'src/cli/a.ts:4: "goes on"; write: continue, resume',
    ]);
  });

  test('on a planted message of a role, and not on its comments', () => {
    const text = '# Whoever reads this.\nfail_msg: >-\n  Mend it.\n';
    expect(wordViolations(messagesOf({ path: 'bootstrap/a.yml', text }))).toEqual([
      'bootstrap/a.yml:3: "Mend"; write: fix',
    ]);
  });

  test('on a line of a document, and not on the title of a test that it names', () => {
    const line = '| it holds | `test/a.test.ts`: is refused by anybody else | somebody |\n';
    expect(wordViolations(linesOf({ path: 'SECURITY.md', text: line }))).toEqual([
      'SECURITY.md:1: "somebody"; write: name the person or client',
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
