// Every relative link of a document leads to a file that is there, and to a heading in it, as GitHub shows them.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorsOf } from '../../../website/slug.ts';

const DOCUMENTS = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '');
const read = (path: string) => readFileSync(path, 'utf8');

/** What is code shows links, and has none. */
const prose = (text: string) =>
  text
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/^ {4}.*$/gm, '')
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()#]/g, ' '));

const headingsOf = (text: string) =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.*)$/gm)].map(
    ([, heading = '']) => heading,
  );

function brokenLinks(path: string, text: string): string[] {
  const links = [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return links
    .filter((target) => !/^[a-z]+:/.test(target))
    .flatMap((target) => {
      const [file = '', anchor] = target.split('#');
      const to = file === '' ? path : join(dirname(path), file);
      if (file !== '' && !existsSync(to)) return [`${path}: ${target}: no such file`];
      if (anchor === undefined) return [];
      const headings = anchorsOf(headingsOf(file === '' ? text : read(to)));
      return headings.includes(anchor) ? [] : [`${path}: ${target}: no such heading`];
    });
}

test('in all documents', () => {
  expect(DOCUMENTS.length).toBeGreaterThan(40);
  expect(DOCUMENTS.flatMap((path) => brokenLinks(path, read(path)))).toEqual([]);
});

test('from docs/index.md, every page is reached', () => {
  const linked = [...read('docs/index.md').matchAll(/\]\(([^)#]+)/g)].map(([, to = '']) => to);
  const pages = DOCUMENTS.filter((path) => /^docs\/(?:guides\/)?[a-z0-9-]+\.md$/.test(path));
  const own = pages.map((path) => path.slice('docs/'.length)).filter((page) => page !== 'index.md');
  expect(own.filter((page) => !linked.includes(page))).toEqual([]);
  expect(own.length).toBeGreaterThan(18);
});

describe('planted:', () => {
  test.each([
    ['a file that is not there', 'See [it](docs/none.md).', 'no such file'],
    ['a heading that is not there', 'See [it](README.md#never-written).', 'no such heading'],
    ['a heading of the page itself', '# One\n[two](#two)', 'no such heading'],
  ])('%s is found', (_, text, problem) => {
    expect(brokenLinks('PLANTED.md', text).join()).toContain(problem);
  });

  test.each([
    ['a link in code', '`[x](none.md)` and\n\n    [x](none.md)\n'],
    ['an address', '[x](https://example.com/a#b)'],
    ['a heading with code and a full stop', '# 4. Use `a-b`, then\n[x](#4-use-a-b-then)'],
    ['the second of two equal headings', '# A\n# A\n[x](#a-1)'],
  ])('%s is none', (_, text) => expect(brokenLinks('PLANTED.md', text)).toEqual([]));
});
