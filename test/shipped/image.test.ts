// The Dockerfile says what the contract of the image wants. Building it needs a registry; the stack builds the same layout.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NODE_VERSION } from '../stack/node.ts';

const lines = readFileSync('Dockerfile', 'utf8').split('\n');
const words = (instruction: string) =>
  lines.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.split(/\s+/));

test('what it copies is here, and is let in', () => {
  const copied = words('COPY').filter((line) => !line[1]?.startsWith('--from'));
  const sources = copied.flatMap((line) => line.slice(1, -1));
  expect(sources.length).toBeGreaterThan(5);
  expect(sources.filter((path) => !existsSync(path))).toEqual([]);
  const allowed = readFileSync('.dockerignore', 'utf8').split('\n');
  const isIn = (path: string) =>
    allowed.some((line) => line.startsWith('!') && `${path}/`.startsWith(`${line.slice(1)}/`));
  expect(sources.filter((path) => !isIn(path))).toEqual([]);
});

const bases = () => words('FROM').map((line) => line.filter((word) => !word.startsWith('--')));

/** The lines of one stage. */
const stage = (name: string) => {
  const from = lines.findIndex((line) => line.startsWith('FROM ') && line.endsWith(` AS ${name}`));
  const rest = lines.slice(from + 1);
  const next = rest.findIndex((line) => line.startsWith('FROM '));
  return rest.slice(0, next < 0 ? undefined : next);
};

test('every base can be given by its digest', () => {
  const made = new Set(bases().map((line) => line.at(-1)));
  const outside = bases().map(([, base = '']) => base);
  const given = outside.filter((base) => base !== 'scratch' && !made.has(base));
  expect(given).toHaveLength(4);
  expect(given.filter((base) => !defaults.get(base.slice(1))?.includes(':'))).toEqual([]);
});

test('the executor is the last stage, made from scratch: no shell', () => {
  expect(bases().at(-1)).toEqual(['FROM', 'scratch', 'AS', 'executor']);
  expect(stage('executor').filter((line) => line.startsWith('RUN '))).toEqual([]);
});

test.each(['executor', 'bootstrap'])(
  'the image %s is not root, and needs no shell to start',
  (name) => {
    const said = stage(name);
    expect(said).toContain('USER 65532:65532');
    expect(said).toContain('ENTRYPOINT ["node", "/app/bin/executor"]');
  },
);

test('what is copied from another stage was made there', () => {
  const names = bases().map((line) => line.at(-1));
  const from = words('COPY').flatMap((line) => /^--from=(.*)/.exec(line[1] ?? '')?.[1] ?? []);
  expect(from.length).toBeGreaterThan(5);
  expect(from.filter((name) => !names.includes(name))).toEqual([]);
});

test('the image that bootstraps has every tool that phase 0 asks for', () => {
  const text = stage('tools').join('\n') + stage('bootstrap').join('\n');
  const tools = ['kubectl', 'helm', 'kubeseal', 'jq', 'yq'];
  expect(tools.filter((tool) => !new RegExp(`[\\s/]${tool}\\b`).test(text))).toEqual([]);
  expect(stage('ansible').join('\n')).toContain(
    'bootstrap/requirements.txt bootstrap/requirements.yml',
  );
});

test('what pip installs has a hash, collections of Ansible included', () => {
  const run = stage('ansible').join('\n');
  expect(run.match(/pip install\b.*/g)).toEqual([
    'pip install --no-cache-dir --require-hashes -r /bootstrap/requirements.txt; \\',
  ]);
  expect(lines.filter((line) => line.includes('ansible-galaxy'))).toEqual([]);
});

const defaults = new Map(words('ARG').map(([, word = '']) => word.split('=') as [string, string]));

test('what runs together was made for the same system', () => {
  const shared = bases().filter(([, , , name = '']) =>
    ['build', 'ansible', 'bootstrap'].includes(name),
  );
  expect(shared.map(([, base]) => base)).toEqual([
    ...['$NODE_IMAGE', '$ALPINE_IMAGE', '$ALPINE_IMAGE'],
  ]);
  const version = defaults.get('ALPINE_IMAGE')?.replace('alpine:', '');
  expect(defaults.get('NODE_IMAGE')).toMatch(new RegExp(`-alpine${version}$`));
});

test('its Node.js is maintained, and one that the program is made for', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
  const major = (text: string | undefined) => Number(/\d+/.exec(text ?? '')?.[0]);
  const used = major(defaults.get('NODE_IMAGE')?.replace('node:', ''));
  expect(used).toBeGreaterThanOrEqual(24);
  expect(used).toBeGreaterThanOrEqual(major(engines.node));
  // The suites run the image with it.
  expect(major(NODE_VERSION)).toBe(used);
});
