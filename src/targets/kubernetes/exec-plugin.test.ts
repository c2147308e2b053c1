import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { TiphysError } from '../../errors.ts';
import type { ProgramEnd } from '../../preflight/preflight-context.ts';
import { pluginOf, type RunProgram } from './exec-plugin.ts';
import { parseKubeconfig } from './kubeconfig-file.ts';

const SECRET = 'k8s-aws-v1.aHR0cHM6Ly9zdHMuZXUtd2VzdC0x';
const ended = (stdout: string, status = 0, stderr = ''): ProgramEnd => ({
  ...{ kind: 'ended', status, stdout, stderr },
});
const credential = (status: object) => ended(JSON.stringify({ kind: 'ExecCredential', status }));

function plugin(end: ProgramEnd | (() => ProgramEnd), exec: object = {}, cluster: object = {}) {
  const given = {
    clusters: [{ name: 'one', cluster: { server: 'https://one', ...cluster } }],
    users: [{ name: 'one', user: { exec: { ...EXEC, ...exec } } }],
  };
  const { clusters, users } = parseKubeconfig(JSON.stringify(given), '/home/me/.kube');
  const entry = users[0]?.user.exec;
  if (!entry || !clusters[0]) throw new Error('no plugin');
  const run = vi.fn<RunProgram>(async () => (typeof end === 'function' ? end() : end));
  const clock = new VirtualClock();
  const place = { ...clusters[0].cluster, name: 'one', server: 'https://one' };
  const history = { hasWorked: false };
  const again = () => pluginOf(entry, place, run, clock, history);
  return { run, clock, ask: again(), again };
}

const EXEC = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: 'aws',
  args: ['eks', 'get-token'],
  env: [{ name: 'AWS_PROFILE', value: 'me' }],
};

async function problem(action: Promise<unknown>, code = 'kubeconfig-invalid') {
  const error = await action.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(TiphysError);
  const [diagnostic] = (error as TiphysError).diagnostics;
  expect(diagnostic?.code).toBe(code);
  expect(JSON.stringify(diagnostic)).not.toContain(SECRET.slice(11, 30));
  return `${diagnostic?.message} ${diagnostic?.hint}`;
}

test('it is given its arguments, its variables and what is asked of it, and a minute', async () => {
  const { run, ask } = plugin(credential({ token: 't' }));
  expect(await ask()).toEqual({ token: 't' });
  const [call] = run.mock.calls[0] ?? [];
  expect(call).toMatchObject({ program: 'aws', args: EXEC.args, timeoutMs: 60_000 });
  expect(call?.environment.AWS_PROFILE).toBe('me');
  expect(JSON.parse(call?.environment.KUBERNETES_EXEC_INFO ?? '')).toEqual({
    ...{ kind: 'ExecCredential', apiVersion: EXEC.apiVersion, spec: { interactive: false } },
  });
});

test('where it asks for it, it is told of the cluster', async () => {
  const extension = { name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } };
  const cluster = { 'certificate-authority-data': 'Q0E=', extensions: [extension] };
  const { run, ask } = plugin(credential({ token: 't' }), { provideClusterInfo: true }, cluster);
  await ask();
  const info = JSON.parse(run.mock.calls[0]?.[0].environment.KUBERNETES_EXEC_INFO ?? '');
  expect(info.spec.cluster).toEqual({
    ...{ server: 'https://one', 'certificate-authority-data': 'Q0E=', config: { audience: 'a' } },
  });
});

test.each([
  ['bin/login', '/home/me/.kube/bin/login'],
  ['/bin/login', '/bin/login'],
  ['login', 'login'],
])('%s is the program %s', async (command, program) => {
  const { run, ask } = plugin(credential({ token: 't' }), { command });
  await ask();
  expect(run.mock.calls[0]?.[0].program).toBe(program);
});

test('what it gave is used until half a minute before it expires, or for good', async () => {
  let count = 0;
  const { ask, clock } = plugin(() => {
    const expirationTimestamp = new Date(clock.now() + 100_000).toISOString();
    return credential({ token: `t${++count}`, expirationTimestamp });
  });
  expect(await ask()).toMatchObject({ token: 't1' });
  await clock.advance(69_000);
  expect(await ask()).toMatchObject({ token: 't1' });
  await clock.advance(1_000);
  expect(await ask()).toMatchObject({ token: 't2' });
  const forever = plugin(credential({ token: 't' }));
  await forever.ask();
  await forever.clock.advance(10 ** 9);
  await forever.ask();
  expect(forever.run).toHaveBeenCalledTimes(1);
});

test('while it fails, what it gave before is used until it has expired; after that the failure is passing', async () => {
  let end: ProgramEnd | undefined;
  const { ask, clock } = plugin(() => end ?? credential({ token: 't', expirationTimestamp }));
  const expirationTimestamp = new Date(clock.now() + 100_000).toISOString();
  await ask();
  end = ended('', 1, 'no network');
  await clock.advance(99_999);
  expect(await ask()).toMatchObject({ token: 't' });
  await clock.advance(1);
  expect(await problem(ask(), 'cluster-unreachable')).toMatch(/exit status 1: no network/);
  end = credential({ token: 'next' });
  expect(await ask()).toEqual({ token: 'next' });
});

test('one of a kubeconfig that is loaded again may fail for a time, too', async () => {
  let isGood = true;
  const { ask, again } = plugin(() => (isGood ? credential({ token: 't' }) : ended('', 1)));
  await ask();
  isGood = false;
  expect(await problem(again()(), 'cluster-unreachable')).toMatch(/exit status 1/);
});

test('a path in a kubeconfig of the current folder is no name for the PATH', () => {
  const users = [{ name: 'one', user: { exec: { ...EXEC, command: './login' } } }];
  const parsed = parseKubeconfig(JSON.stringify({ users }), '.');
  expect(parsed.users[0]?.user.exec?.command).toBe(resolve('login'));
});

test('null is as absent', async () => {
  const nothing = { clientCertificateData: null, clientKeyData: null, expirationTimestamp: null };
  const { ask, run, clock } = plugin(credential({ token: 't', ...nothing }));
  expect(await ask()).toEqual({ token: 't' });
  await clock.advance(10 ** 9);
  await ask();
  expect(run).toHaveBeenCalledTimes(1);
  const pair = { clientCertificateData: 'CERT', clientKeyData: 'KEY' };
  expect(await plugin(credential({ token: null, ...pair })).ask()).toEqual(pair);
});

test('a failure is not kept', async () => {
  let isGood = false;
  const { ask } = plugin(() => (isGood ? credential({ token: 't' }) : ended('', 1)));
  await problem(ask());
  isGood = true;
  expect(await ask()).toEqual({ token: 't' });
});

test.each<[string, ProgramEnd, RegExp]>([
  ['hangs', { kind: 'late' }, /aws did not finish within 60 s/],
  ['is not there', { kind: 'missing' }, /aws cannot be run/],
  ['fails', ended(SECRET, 1, 'log in first\n'), /exit status 1: log in first\. /],
  ['fails and says nothing', ended(SECRET, 7), /exit status 7\. /],
  ['fails with a secret', ended('', 1, `refused: ${SECRET}`), /exit status 1: refused: /],
  ['fails with a long secret', ended('', 1, `token=x${SECRET}`), /exit status 1: token=\*\*\*/],
  ['does not answer with JSON', ended(SECRET), /did not print JSON/],
  ['answers with null', ended('null'), /neither a token nor a certificate/],
  ['answers without a status', ended('{}'), /neither a token nor a certificate/],
  ['answers with nothing', credential({}), /neither a token nor a certificate/],
  ['has no key', credential({ clientCertificateData: 'C' }), /neither a token nor a certificate/],
  ['has no certificate', credential({ clientKeyData: SECRET }), /neither a token/],
  ['gives a number', credential({ token: 7 }), /neither a token nor a certificate/],
])('one that %s is told as that', async (_, end, message) => {
  expect(await problem(plugin(end).ask())).toMatch(message);
});

test.each<[string, object, RegExp]>([
  ['no command', { command: '' }, /has no command/],
  ['an old contract', { apiVersion: 'client.authentication.k8s.io/v1alpha1' }, /not supported/],
  ['a need to ask', { interactiveMode: 'Always' }, /needs a terminal/],
])('one with %s is not run', async (_, exec, message) => {
  const { run, ask } = plugin(credential({ token: 't' }), exec);
  expect(await problem(ask())).toMatch(message);
  expect(run).not.toHaveBeenCalled();
});

test('where it is not there, the kubeconfig may say how it is installed', async () => {
  const { ask } = plugin({ kind: 'missing' }, { installHint: 'apt install awscli' });
  expect(await problem(ask())).toContain('apt install awscli');
});

test('a certificate with its key is enough', async () => {
  const pair = { clientCertificateData: 'CERT', clientKeyData: 'KEY' };
  expect(await plugin(credential(pair)).ask()).toEqual(pair);
});
