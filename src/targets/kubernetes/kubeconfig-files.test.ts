// Which files are read, how several become one, and what a user is: as kubectl has it, and as the official client where the two agree.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { afterAll, expect, test } from 'vitest';
import { MACHINE } from '../../../test/fakes/machine.ts';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { kubernetesCredentials } from './credentials.ts';
import { kubernetesTransport } from './transport.ts';

const folder = mkdtempSync(join(tmpdir(), 'tiphys-kubeconfigs-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

function write(content: object | string, path = join(folder, `file-${files++}`)): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const config = (name: string, user: object = {}, cluster: object = {}) => ({
  'current-context': name,
  contexts: [{ name, context: { cluster: name, user: name } }],
  clusters: [{ name, cluster: { server: `https://${name}`, ...cluster } }],
  users: [{ name, user }],
});

function open(variables: Record<string, string>, more: { context?: string; text?: string } = {}) {
  const { context, text } = more;
  const environment = (name: string) => variables[name];
  const choice = { ...MACHINE, kubeconfig: undefined, context, text, environment };
  return kubernetesCredentials(choice, new VirtualClock());
}

const accessOf = async (user: object, cluster: object = {}) =>
  (await open({}, { text: JSON.stringify(config('a', user, cluster)) })).access();
const message = (action: Promise<unknown>) =>
  action.then(
    () => 'nothing is wrong',
    (error: Error) => error.message,
  );

test('of several files the first one that has something counts; empty names and files that are not there do not', async () => {
  const first = write(config('a', { token: 'of-first' }));
  const { 'current-context': _, ...second } = config('a', { token: 'of-second' });
  const other = write({ ...config('b', { token: 'of-b' }), 'current-context': 'b' });
  const KUBECONFIG = ['', join(folder, 'none'), write(second), first, other].join(delimiter);
  expect(await (await open({ KUBECONFIG })).access()).toMatchObject({
    ...{ server: 'https://a', headers: { Authorization: 'Bearer of-second' } },
  });
  expect(await (await open({ KUBECONFIG }, { context: 'b' })).access()).toMatchObject({
    ...{ server: 'https://b', headers: { Authorization: 'Bearer of-b' } },
  });
});

test.each(['HOME', 'USERPROFILE'])(
  'else the file in the folder that %s names',
  async (variable) => {
    const home = join(folder, variable);
    write(config('home'), join(home, '.kube', 'config'));
    expect(await (await open({ [variable]: home })).access()).toMatchObject({
      server: 'https://home',
    });
    const KUBECONFIG = write(config('variable'));
    const both = await open({ [variable]: home, KUBECONFIG });
    expect(await both.access()).toMatchObject({ server: 'https://variable' });
  },
);

test('a file that is there and cannot be read is not skipped', async () => {
  const good = write(config('a'));
  const loop = join(folder, 'loop');
  symlinkSync(loop, loop);
  const opened = open({ KUBECONFIG: [loop, good].join(delimiter) });
  expect(await message(opened)).toMatch(/ELOOP/);
  const below = await open({ KUBECONFIG: [join(good, 'x'), good].join(delimiter) });
  expect(await below.access()).toMatchObject({ server: 'https://a' });
});

test('where there is none, it says where it has looked', async () => {
  expect(await message(open({ HOME: folder }))).toMatch(
    /There is no kubeconfig, and this process does not run/,
  );
  expect(await message(open({ KUBECONFIG: '/nowhere' }))).toMatch(/KUBECONFIG is \/nowhere/);
  await expect(open({ HOME: folder })).rejects.toMatchObject({
    diagnostics: [{ hint: expect.stringContaining('run `tiphys rehearse serve`') }],
  });
});

test('a context or a file that was asked for is never replaced by the pod that this may run in', async () => {
  const variables = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
  const environment = (name: string) => variables[name as keyof typeof variables];
  const place = { ...MACHINE, environment };
  const asked = (more: object) =>
    message(kubernetesTransport({ ...place, ...more }, new VirtualClock()));
  expect(await asked({ context: 'x' })).toMatch(/There is no kubeconfig/);
  expect(await asked({ kubeconfig: '/nowhere' })).toMatch(/ENOENT/);
  expect(await asked({ kubeconfigText: '' })).toMatch(/empty/);
});

test('paths are meant from the folder of their file', async () => {
  const home = join(folder, 'relative');
  for (const name of ['ca', 'cert', 'key', 'token']) write(name, join(home, 'pki', name));
  const user = {
    ...{ 'client-certificate': 'pki/cert', 'client-key': 'pki/key', tokenFile: 'pki/token' },
  };
  const path = write(
    config('a', user, { 'certificate-authority': 'pki/ca' }),
    join(home, 'config'),
  );
  expect(await (await open({ KUBECONFIG: path })).access()).toMatchObject({
    ...{ headers: { Authorization: 'Bearer token' }, tls: { ca: 'ca', cert: 'cert', key: 'key' } },
  });
});

test('what is written down counts before a file, but not before a file with a token', async () => {
  const data = (text: string) => Buffer.from(text).toString('base64');
  const user = {
    ...{ 'client-certificate': '/nowhere', 'client-certificate-data': data('CERT') },
    ...{ 'client-key': '/nowhere', 'client-key-data': data('KEY') },
    ...{ token: 'written', tokenFile: write('of-the-file\n') },
  };
  expect(await accessOf(user)).toMatchObject({
    ...{ headers: { Authorization: 'Bearer of-the-file' }, tls: { cert: 'CERT', key: 'KEY' } },
  });
  expect(await accessOf({ token: 'written', tokenFile: '/nowhere' })).toMatchObject({
    ...{ headers: { Authorization: 'Bearer written' } },
  });
  expect(await message(accessOf({ 'client-key': '/nowhere' }))).toMatch(/cannot be read: ENOENT/);
});

test('whom the user acts as is sent, groups included, or refused', async () => {
  const groups = ['one', 'two'];
  const extra = { 'example.com/scope': ['a', 'b'] };
  const user = { as: 'somebody', 'as-uid': '7', 'as-groups': groups, 'as-user-extra': extra };
  expect((await accessOf(user)).headers).toEqual({
    'Impersonate-User': 'somebody',
    'Impersonate-Uid': '7',
    'Impersonate-Group': groups,
    'Impersonate-Extra-example.com%2Fscope': ['a', 'b'],
  });
  expect((await accessOf({ as: 'somebody' })).headers).toEqual({ 'Impersonate-User': 'somebody' });
  for (const one of [{ 'as-uid': '7' }, { 'as-groups': ['a'] }, { 'as-user-extra': {} }]) {
    expect(await message(accessOf(one))).toMatch(/without `as`/);
  }
});

const idToken = (claims: object) =>
  `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
const oidc = (token: unknown) => ({
  'auth-provider': { name: 'oidc', config: { 'id-token': token, 'refresh-token': 'r' } },
});

test('a token of OIDC is used until it expires', async () => {
  const now = new VirtualClock().now() / 1000;
  const good = idToken({ exp: now + 1 });
  expect((await accessOf(oidc(good))).headers).toEqual({ Authorization: `Bearer ${good}` });
  for (const token of [idToken({ exp: now }), idToken({}), 'x', undefined, 7]) {
    expect(await message(accessOf(oidc(token)))).toMatch(/has expired/);
  }
});

test('providers that kubectl has no more are refused by name', async () => {
  const user = { 'auth-provider': { name: 'gcp', config: { 'access-token': 'a' } } };
  expect(await message(accessOf(user))).toMatch(/"gcp" is not supported/);
});

test.each([
  ['no map', '[]', 'its root'],
  ['a token that is a number', 'users: [{name: a, user: {token: 12345}}]', 'users.0.user.token'],
  ['a list of contexts that is none', 'contexts: x', 'contexts'],
])('%s is told by its place, and not quoted', async (_, text, where) => {
  const said = await message(open({}, { text }));
  expect(said).toContain(`wrong type at ${where}`);
  expect(said).not.toContain('12345');
});

test.each(['ftp://x', 'x', 'file:///etc'])('the server %s is none', async (server) => {
  expect(await message(accessOf({}, { server }))).toMatch(/not an http or https/);
});

const pem = (text: string) => Buffer.from(text).toString('base64');
test.each<[string, object, object]>([
  ['nothing', {}, {}],
  ['null', { token: null, exec: null }, { 'proxy-url': null }],
  ['a token', { token: 'abc' }, {}],
  ['a certificate', { 'client-certificate-data': pem('C'), 'client-key-data': pem('K') }, {}],
  ['a password', { username: 'u', password: 'p:q' }, {}],
  ['a CA and a name', {}, { 'certificate-authority-data': pem('CA'), 'tls-server-name': 'x' }],
  ['no verification', {}, { 'insecure-skip-tls-verify': true }],
  ['somebody else', { as: 'x', token: 'abc' }, {}],
])('%s: the same as the official client reads', async (_, user, cluster) => {
  const official = new KubeConfig();
  official.loadFromString(JSON.stringify(config('a', user, cluster)));
  const options: Record<string, unknown> = { headers: {} };
  await official.applyToHTTPSOptions(options);
  const { headers, tls } = await accessOf(user, cluster);
  const basic = options.auth !== undefined && {
    Authorization: `Basic ${Buffer.from(String(options.auth)).toString('base64')}`,
  };
  expect(headers).toEqual({ ...(options.headers as object), ...basic });
  expect(tls).toEqual({
    ca: options.ca && String(options.ca),
    cert: options.cert && String(options.cert),
    key: options.key && String(options.key),
    serverName: options.servername,
    insecure: options.rejectUnauthorized === false,
  });
});
