// Which repository the folder is.
import { expect, test } from 'vitest';
import type { RawSource } from '../application-object.ts';
import { repositoryKey, thisRepository } from './this-repository.ts';

const FILES = { paths: ['a/x.yaml', 'b/x.yaml'], problems: [], read: () => undefined };
const source = (repoURL: string, path: string, chart = '') =>
  ({ repoURL, path, chart }) as unknown as RawSource;

test('the one whose paths are there, however often others are named', () => {
  const other = ['x', 'y', 'z'].map((path) => source('https://git/other', path));
  const charts = ['a', 'b'].map((path) => source('https://charts', path, 'c'));
  const sources = [...other, ...charts, source('https://git/this.git', 'a')];
  expect(thisRepository(sources, FILES)).toBe('git/this');
  expect(thisRepository(other, FILES)).toBeUndefined();
});

test.each(['.', './', '/'])('%s is a folder of every repository', (path) => {
  expect(thisRepository([source('https://git/other', path)], FILES)).toBeUndefined();
});

test('of two the one that more of them mean', () => {
  const sources = [source('https://git/a', 'a'), source('https://git/b', 'a')];
  expect(thisRepository([...sources, source('git@git:b.git', 'b')], FILES)).toBe('git/b');
  expect(thisRepository(sources.toReversed(), FILES)).toBe('git/a');
});

test.each(['https://Git.Example/a/b.git', 'git@git.example:a/b', 'ssh://git@git.example/a/b/'])(
  '%s is the same repository',
  (url) => expect(repositoryKey(url)).toBe('git.example/a/b'),
);
