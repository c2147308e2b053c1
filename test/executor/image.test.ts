// The Dockerfile says what the contract of the image wants. Building it needs a registry; the stack builds the same layout.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const lines = readFileSync('Dockerfile', 'utf8').split('\n');
const words = (instruction: string) =>
  lines.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.split(/\s+/));

test('what it copies is here, and is let in', () => {
  const copied = words('COPY').filter((line) => !line[1]?.startsWith('--from'));
  const sources = copied.flatMap((line) => line.slice(1, -1));
  expect(sources.length).toBeGreaterThan(5);
  expect(sources.filter((path) => !existsSync(path))).toEqual([]);
  const allowed = readFileSync('.dockerignore', 'utf8').split('\n');
  expect(sources.filter((path) => !allowed.includes(`!${path}`))).toEqual([]);
});

test('the image is made from scratch, is not root, and needs no shell', () => {
  expect(words('FROM').map((line) => line[1])).toEqual(['node:$NODE-alpine', 'scratch']);
  expect(words('USER')).toEqual([['USER', '65532:65532']]);
  const [entrypoint = ''] = lines.filter((line) => line.startsWith('ENTRYPOINT '));
  expect(JSON.parse(entrypoint.slice('ENTRYPOINT '.length))).toEqual(['node', '/app/bin/executor']);
});

test('its Node.js is the oldest that the program is made for', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(lines).toContain(`ARG NODE=${/\d+/.exec(engines.node)?.[0]}`);
});
