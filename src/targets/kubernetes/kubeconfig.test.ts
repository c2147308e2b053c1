import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { MACHINE } from '../../../test/fakes/machine.ts';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { TiphysError } from '../../errors.ts';
import { kubernetesCredentials } from './credentials.ts';

const folder = mkdtempSync(join(tmpdir(), 'tiphys-kubeconfig-'));
afterAll(() => rmSync(folder, { recursive: true }));
const SECRET = 'c2VjcmV0LXRva2Vu';
let files = 0;

function file(text: string): string {
  const path = join(folder, `file-${files++}`);
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

function kubeconfig(
  user: object,
  cluster: object = { server: 'https://one:6443/' },
  more: object = {},
) {
  return file(
    JSON.stringify({
      'current-context': 'one',
      contexts: [
        { name: 'one', context: { cluster: 'one', user: 'one' } },
        { name: 'lost', context: { cluster: 'nowhere', user: 'one' } },
        { name: 'anonymous', context: { cluster: 'one', user: 'nobody' } },
      ],
      clusters: [{ name: 'one', cluster }],
      users: [{ name: 'one', user }],
      ...more,
    }),
  );
}

async function load(path: string, context?: string) {
  const clock = new VirtualClock();
  const choice = { ...MACHINE, kubeconfig: path, context };
  return { clock, ...(await kubernetesCredentials(choice, clock)) };
}

async function problem(action: Promise<unknown>) {
  const error = await action.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(TiphysError);
  const [diagnostic] = (error as TiphysError).diagnostics;
  expect(diagnostic?.code).toBe('kubeconfig-invalid');
  expect(JSON.stringify(diagnostic)).not.toContain(SECRET);
  return diagnostic?.message;
}

describe('access', () => {
  test('with a token, a CA and a name to expect', async () => {
    const ca = Buffer.from('CA').toString('base64');
    const cluster = {
      server: 'https://one:6443/',
      'certificate-authority-data': ca,
      'tls-server-name': 'x',
    };
    const { access } = await load(kubeconfig({ token: 'abc' }, cluster));
    expect(await access()).toEqual({
      server: 'https://one:6443',
      headers: { Authorization: 'Bearer abc' },
      tls: { ca: 'CA', serverName: 'x', insecure: false },
      proxy: undefined,
    });
  });

  test('with a client certificate in files beside it', async () => {
    const [cert, key] = [file('CERT'), file('KEY')];
    const { access } = await load(kubeconfig({ 'client-certificate': cert, 'client-key': key }));
    expect((await access()).tls).toMatchObject({ cert: 'CERT', key: 'KEY' });
  });

  test('without TLS, and through a proxy that the file names', async () => {
    const cluster = { server: 'http://one:8080', 'proxy-url': 'http://proxy:3128' };
    const { access } = await load(kubeconfig({ username: 'u', password: 'p' }, cluster));
    expect(await access()).toMatchObject({
      server: 'http://one:8080',
      headers: { Authorization: 'Basic dTpw' },
      proxy: 'http://proxy:3128',
    });
  });

  test.each(['tokenFile', 'token-file'])('with %s, which is read again', async (key) => {
    const path = file('first\n');
    const { clock, access, renew } = await load(kubeconfig({ [key]: path }));
    expect((await access()).headers).toEqual({ Authorization: 'Bearer first' });
    writeFileSync(path, 'second\n');
    expect((await access()).headers).toEqual({ Authorization: 'Bearer first' });
    renew();
    expect((await access()).headers).toEqual({ Authorization: 'Bearer second' });
    await clock.advance(0);
  });

  test('with a plugin, which is run once for all that wait, and again when it is not accepted', async () => {
    const runs = file('');
    const credential = (token: string) =>
      JSON.stringify({ status: { token, expirationTimestamp: '2999-01-01T00:00:00Z' } });
    const plugin = file(`#!/bin/sh\necho x >> ${runs}\nprintf '%s' '${credential('t')}'\n`);
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: plugin };
    const { access, renew } = await load(kubeconfig({ exec }));
    const all = await Promise.all([access(), access(), access()]);
    expect(all.map(({ headers }) => headers.Authorization)).toEqual(Array(3).fill('Bearer t'));
    renew();
    await access();
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(runs, 'utf8')).toBe('x\nx\n');
  });
});

describe('a kubeconfig that cannot be used', () => {
  test.each([
    ['is not there', join(folder, 'none'), undefined, /ENOENT/],
    ['is not YAML', file(`users: [\ntoken: ${SECRET}`), undefined, /not YAML/],
    ['is empty', file(''), undefined, /empty/],
    ['has no such context', kubeconfig({}), 'two', /no context "two"/],
    ['has no such cluster', kubeconfig({}), 'lost', /cluster that does not exist/],
    ['has no such user', kubeconfig({}), 'anonymous', /user that does not exist/],
    [
      'chooses nothing',
      kubeconfig({}, undefined, { 'current-context': '' }),
      undefined,
      /no current context/,
    ],
    [
      'wants SOCKS',
      kubeconfig({}, { server: 'https://x', 'proxy-url': 'socks5://x' }),
      undefined,
      /SOCKS/,
    ],
    ['has a cluster without a server', kubeconfig({}, { x: 1 }), undefined, /has no server/],
  ])('%s', async (_, path, context, message) => {
    expect(await problem(load(path, context))).toMatch(message);
  });

  test.each([
    ['fails', `#!/bin/sh\necho 'log in first' >&2\nexit 1\n`, /log in first/],
    ['does not answer with JSON', `#!/bin/sh\necho ${SECRET}\n`, /did not print JSON/],
  ])('has a plugin that %s', async (_, script, message) => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: file(script) };
    const { access } = await load(kubeconfig({ exec }));
    expect(await problem(access())).toMatch(message);
  });

  test('names a token file that is not there', async () => {
    const { access } = await load(kubeconfig({ tokenFile: 'nowhere' }));
    expect(await problem(access())).toMatch(/ENOENT/);
  });
});

describe('a kubeconfig that is loaded again', () => {
  const cluster = { server: 'https://one:6443/' };
  const user = (token: string) => [{ name: 'one', user: { token } }];
  const rewrite = (path: string, more: object, now: object = cluster) =>
    renameSync(kubeconfig({}, now, more), path);
  const PROD = {
    contexts: [
      { name: 'one', context: { cluster: 'one', user: 'one' } },
      { name: 'prod', context: { cluster: 'prod', user: 'one' } },
    ],
    clusters: [
      { name: 'one', cluster },
      { name: 'prod', cluster: { server: 'https://prod' } },
    ],
  };

  test('stays with its context, whatever the current one is', async () => {
    const path = kubeconfig({ token: 'old' });
    const { access, renew } = await load(path);
    await access();
    rewrite(path, { ...PROD, 'current-context': 'prod', users: user('new') });
    renew();
    expect(await access()).toMatchObject({
      ...{ server: 'https://one:6443', headers: { Authorization: 'Bearer new' } },
    });
  });

  test.each([
    ['server', { server: 'https://two' }],
    ['certificate-authority', { ...cluster, 'certificate-authority': '/ca' }],
    ['certificate-authority-data', { ...cluster, 'certificate-authority-data': 'Q0E=' }],
    ['tls-server-name', { ...cluster, 'tls-server-name': 'two' }],
    ['insecure-skip-tls-verify', { ...cluster, 'insecure-skip-tls-verify': true }],
  ])('is refused with another %s, until it is put back', async (key, other) => {
    const path = kubeconfig({ token: 'old' });
    const { access, renew } = await load(path);
    rewrite(path, { users: user('new') }, other);
    renew();
    expect(await problem(access())).toMatch(`the context "one" has another ${key}.`);
    expect(await access()).toMatchObject({ headers: { Authorization: 'Bearer old' } });
    rewrite(path, { users: user('new') });
    renew();
    expect(await access()).toMatchObject({ headers: { Authorization: 'Bearer new' } });
  });

  test('has a plugin whose failure is passing, since it has worked before', async () => {
    const plugin = file(`#!/bin/sh\nprintf '%s' '{"status":{"token":"t"}}'\n`);
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: plugin };
    const { access, renew } = await load(kubeconfig({ exec }));
    await access();
    writeFileSync(plugin, '#!/bin/sh\nexit 1\n');
    renew();
    await expect(access()).rejects.toMatchObject({ isPassing: true });
  });

  test('is the former one while it is being written', async () => {
    const path = kubeconfig({ token: 'old' });
    const { access, renew } = await load(path);
    rewrite(path, { users: user('new') });
    renew();
    await access();
    writeFileSync(path, '');
    for (const _ of [1, 2]) {
      renew();
      expect(await access()).toMatchObject({ headers: { Authorization: 'Bearer new' } });
    }
    rewrite(path, { users: user('newer') });
    renew();
    expect(await access()).toMatchObject({ headers: { Authorization: 'Bearer newer' } });
  });
});
