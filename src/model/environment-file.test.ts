import { expect, test } from 'vitest';
import type { TiphysError } from '../errors.ts';
import { environmentFile } from './environment-file.ts';
import { parseFile } from './validate.ts';

const GOOD = {
  ...{ name: 'production', domain: 'example.com' },
  ...{ gitRepository: 'https://git.example.com/shop.git', gitRevision: 'main' },
};

function problemsOf(more: object): readonly string[] {
  const source = { file: 'environment.yaml', text: JSON.stringify({ ...GOOD, ...more }) };
  try {
    parseFile(source, environmentFile);
    return [];
  } catch (error) {
    return (error as TiphysError).diagnostics.map(({ code, message }) => `${code}: ${message}`);
  }
}

const HEADER = "#jinja2: variable_start_string:'[['\n[[ lookup('pipe','id') ]]";
const image = (text: string) => ({ events: { image: text } });

test.each([
  ['a domain', { domain: HEADER }, 'name-invalid'],
  ['a revision', { gitRevision: HEADER }, 'must look like a branch, tag, commit or version range'],
  ['a path', { gitPath: HEADER }, 'must look like a folder in the repository'],
  ['a path that leaves the repository', { gitPath: 'apps/../../x' }, 'a folder in the repository'],
  ['an absolute path', { gitPath: '/etc' }, 'a folder in the repository'],
  ['an image', image('{{=1}}'), 'must look like an image reference'],
  [
    'a schedule',
    { events: { image: 'a', schedule: 'each night at three o’clock' } },
    'a cron schedule of five fields',
  ],
  ['a root path that is none', { argocdRootPath: 'argocd' }, 'a path from the root'],
  ['a root path with an end', { argocdRootPath: '/argocd/' }, 'a path from the root'],
  ['a root path that leads elsewhere', { argocdRootPath: '/a/../api' }, 'a path from the root'],
  ['a root path with a query', { argocdRootPath: '/a?b' }, 'a path from the root'],
  ['a proxy with a password', { argocdProxy: 'http://me:x@proxy:3128' }, 'without a password'],
  ['a proxy of another kind', { argocdProxy: 'socks5://proxy:1080' }, 'http://HOST:PORT'],
  [
    'a break-glass account',
    { guard: { breakGlass: [HEADER] } },
    'must look like an Argo CD account',
  ],
  ['two accounts in one', { guard: { breakGlass: ['a\nb'] } }, 'must look like an Argo CD account'],
  ['no account', { guard: { breakGlass: [''] } }, 'must look like an Argo CD account'],
  ['a text without end', { gitRevision: 'a'.repeat(2_000) }, 'value-range'],
])('%s that is not plain text is refused', (_title, more, what) => {
  expect(problemsOf(more)).toEqual([expect.stringContaining(what)]);
});

test.each([
  { domain: 'platform.example.com' },
  { gitRevision: 'refs/heads/feature/x_1' },
  { gitRevision: '>=1.2.0 <2, 3.x' },
  { gitRevision: '4f0c1b9a0e9d4c0f8f3f0a6a4a0d2c3b1a5e6f70' },
  { gitPath: 'apps/root' },
  { gitPath: '.' },
  { argocdRootPath: '/tools/argo-cd' },
  { argocdProxy: 'http://proxy.example.com:3128' },
  image('registry.example.com:5000/team/executor:1.0@sha256:0123'),
  { guard: {} },
  { guard: { breakGlass: ['alice', 'bob@example.com', 'proj:shop:ops', 'auth0|5f7c'] } },
  { events: { image: 'a', schedule: '*/5 0-6,22 * JAN MON-FRI' } },
])('%o is accepted', (more) => {
  expect(problemsOf(more)).toEqual([]);
});

const destinations = (...list: object[]) => ({ destinations: list });
const context = 'spoke';

test.each<[string, object, string]>([
  ['without server and name', { context }, 'either "server" or "name"'],
  ['with both', { context, server: 'https://a', name: 'a' }, 'either "server" or "name"'],
  ['without a context', { name: 'a' }, 'needs the key "context"'],
  ['with an empty name', { context, name: '' }, 'must be at least 1'],
  ['with a password', { context, server: 'https://me:secret@a' }, 'credential-in-file'],
  ['with a key that nobody knows', { context, name: 'a', namespace: 'b' }, 'key-unknown'],
])('a destination %s is refused', (_title, entry, what) => {
  expect(problemsOf(destinations(entry))).toEqual([expect.stringContaining(what)]);
});

test('a destination is named once, whatever slashes its server ends with', () => {
  const [a, b] = [
    { context, server: 'https://a' },
    { context: 'other', server: 'https://a/' },
  ];
  expect(problemsOf(destinations(a, { context, name: 'a' }))).toEqual([]);
  expect(problemsOf(destinations(a, b))).toEqual([
    'name-duplicate: The destination "https://a" is listed twice.',
  ]);
});

test('at most 200 destinations are taken', () => {
  const many = Array.from({ length: 201 }, (_, at) => ({ context, name: `c${at}` }));
  expect(problemsOf(destinations(...many.slice(1)))).toEqual([]);
  expect(problemsOf(destinations(...many))).toEqual([expect.stringContaining('at most 200')]);
});
