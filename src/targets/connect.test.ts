import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { MACHINE } from '../../test/fakes/machine.ts';
import { FakeTransport, failure, json, type Reply } from '../../test/fakes/transport.ts';
import { VirtualClock } from '../../test/fakes/virtual-clock.ts';
import { TiphysError } from '../errors.ts';
import { type ConnectOptions, connect, connectOver } from './connect.ts';
import type { TransportRequest } from './transport.ts';

const folder = mkdtempSync(join(tmpdir(), 'tiphys-connect-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TOKEN = 'aaa.bbb.ccc';
const status = (code: number, message: string) => json({ kind: 'Status', code, message }, code);
const HTTPS = '/api/v1/namespaces/argocd/services/https:argocd-server:443/proxy';
const HTTP = '/api/v1/namespaces/argocd/services/http:argocd-server:80/proxy';
const both = [
  { name: 'http', port: 80 },
  { name: 'https', port: 443 },
];

/** A cluster whose argocd-server answers below the prefix. */
function cluster(
  prefix: string,
  more: (request: TransportRequest) => Reply | undefined = () => undefined,
) {
  return new FakeTransport((request) => {
    const { path } = request;
    const special = more(request);
    if (special) return special;
    if (path.includes('/services?')) {
      const items = [{ metadata: { name: 'argocd-server' }, spec: { ports: both } }];
      return json({ metadata: { resourceVersion: '1' }, items });
    }
    if (path.endsWith('/secrets/tiphys-argocd-token')) {
      return json({ data: { token: Buffer.from(`${TOKEN}\n`).toString('base64') } });
    }
    if (path === `${prefix}/api/version`) return json({ Version: 'v3.2.11' });
    if (path === `${prefix}/api/v1/session/userinfo`)
      return json({ loggedIn: true, username: 'tiphys' });
    if (path.startsWith(prefix)) return json({ value: 'yes' });
    return status(503, 'error trying to reach service: tls: first record does not look like TLS');
  });
}

function over(kubernetes: FakeTransport) {
  const clock = new VirtualClock();
  const options = { namespace: 'argocd', clock, random: () => 0.5 };
  return clock.until(connectOver({ kubernetes, argocd: undefined }, options));
}

test.each([
  ['TLS', HTTPS],
  ['no TLS', HTTP],
])('finds the port of an argocd-server that speaks %s', async (_, prefix) => {
  const kubernetes = cluster(prefix);
  const target = await over(kubernetes);
  expect(await target.rights.inArgocd('applications', 'sync', 'p/a')).toBe(true);
  expect(kubernetes.requests.at(-1)).toMatchObject({
    path: `${prefix}/api/v1/account/can-i/applications/sync/p/a`,
    headers: { cookie: `argocd.token=${TOKEN}` },
  });
});

test('an argocd-server below a root path is found there, and asked there', async () => {
  const kubernetes = cluster(`${HTTPS}/argocd`);
  const clock = new VirtualClock();
  const options = { namespace: 'argocd', rootPath: '/argocd', clock, random: () => 0.5 };
  const target = await clock.until(connectOver({ kubernetes, argocd: undefined }, options));
  await target.rights.inArgocd('applications', 'sync', 'p/a');
  const path = `${HTTPS}/argocd/api/v1/account/can-i/applications/sync/p/a`;
  expect(kubernetes.requests.at(-1)).toMatchObject({ path });
});

test('one that has a root path which nobody named is told of', async () => {
  const missing = ({ path }: TransportRequest) =>
    path.includes('/proxy/') ? { status: 404, text: '404 page not found' } : undefined;
  await expect(over(cluster(HTTP, missing))).rejects.toMatchObject({
    diagnostics: [
      { code: 'argocd-answer-invalid', hint: expect.stringContaining('argocdRootPath') },
    ],
  });
});

test.each([
  ['a StatefulSet', '/statefulsets?'],
  ['a Deployment', '/deployments?'],
])('core mode, with the controller as %s, is refused by name', async (_, place) => {
  const core = ({ path }: TransportRequest) => {
    if (path.includes('/services?')) return json({ metadata: { resourceVersion: '1' }, items: [] });
    if (!path.includes('/apis/apps/v1/')) return undefined;
    const items = path.includes(place) ? [{ metadata: { name: 'controller' } }] : [];
    return json({ metadata: { resourceVersion: '1' }, items });
  };
  await expect(over(cluster(HTTP, core))).rejects.toMatchObject({
    diagnostics: [
      { code: 'argocd-core-mode', hint: expect.stringContaining('Install argocd-server') },
    ],
  });
});

test.each([
  ['nothing of it is there', () => json({ metadata: { resourceVersion: '1' }, items: [] })],
  ['nobody may look', () => status(403, 'statefulsets is forbidden')],
])('no argocd-server, and %s: it is not found', async (_, answer) => {
  const none = ({ path }: TransportRequest) => {
    if (path.includes('/services?')) return json({ metadata: { resourceVersion: '1' }, items: [] });
    return path.includes('/apis/apps/v1/') ? answer() : undefined;
  };
  await expect(over(cluster(HTTP, none))).rejects.toMatchObject({
    diagnostics: [{ code: 'argocd-not-found' }],
  });
});

test('nothing but GET is sent', async () => {
  const kubernetes = cluster(HTTP);
  await over(kubernetes);
  expect(new Set(kubernetes.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
});

test.each<[string, (request: TransportRequest) => Reply | undefined, string]>([
  [
    'the Secret is not there',
    ({ path }) => (path.includes('/secrets/') ? status(404, 'x') : undefined),
    'argocd-token-missing',
  ],
  [
    'the Secret is empty',
    ({ path }) => (path.includes('/secrets/') ? json({ data: {} }) : undefined),
    'argocd-token-missing',
  ],
  [
    'the token is not accepted',
    ({ path }) => (path.includes('userinfo') ? json({ loggedIn: false }) : undefined),
    'argocd-token-rejected',
  ],
  [
    'the proxy is forbidden',
    ({ path }) => (path.includes('/proxy/') ? status(403, 'cannot get services/proxy') : undefined),
    'cluster-forbidden',
  ],
  [
    'its pods are not there',
    ({ path }) => (path.includes('/proxy/') ? status(503, 'no endpoints available') : undefined),
    'argocd-unreachable',
  ],
  [
    'something else answers',
    ({ path }) => (path.includes('/proxy/') ? { text: '<html>' } : undefined),
    'argocd-answer-invalid',
  ],
  ['Kubernetes is not there', () => failure(), 'cluster-unreachable'],
  ['the certificate is not accepted', () => failure('tls'), 'cluster-tls'],
])('%s: one clear error', async (_, more, code) => {
  const connecting = over(cluster(HTTP, more));
  await expect(connecting).rejects.toMatchObject({
    diagnostics: [{ code, hint: expect.any(String) }],
  });
  await connecting.catch((error) => expect(JSON.stringify(error.diagnostics)).not.toContain(TOKEN));
});

test.each([
  ['is not there', undefined],
  ['is empty', '\n'],
  ['holds something else', 'password: hunter2\n'],
])('a token file that %s', async (_, text) => {
  const argocdTokenFile = join(folder, `token-${text?.length}`);
  if (text !== undefined) writeFileSync(argocdTokenFile, text);
  // Files are read in real time.
  const world = { clock: new VirtualClock(), random: () => 0.5 };
  const connecting = connectOver(
    { kubernetes: cluster(HTTP), argocd: undefined },
    { namespace: 'argocd', argocdTokenFile, ...world },
  );
  await expect(connecting).rejects.toMatchObject({
    diagnostics: [{ code: 'argocd-token-missing' }],
  });
  await connecting.catch((error) => expect(error.message).not.toContain('hunter2'));
});

function kubeconfigFor(cluster: object): string {
  const kubeconfig = join(folder, 'kubeconfig');
  const named = (kind: string, value: object) => [{ name: 'x', [kind]: value }];
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      'current-context': 'x',
      contexts: named('context', { cluster: 'x', user: 'x' }),
      clusters: named('cluster', cluster),
      users: named('user', {}),
    }),
  );
  return kubeconfig;
}

/** Ends before anything is sent, for want of a token at the latest. */
async function connecting(
  argocdServer: string,
  cluster: object,
  more: Partial<ConnectOptions> = {},
) {
  const warnings: string[] = [];
  const world = { clock: new VirtualClock(), random: () => 0.5 };
  const error = await connect({
    ...{ kubeconfig: kubeconfigFor(cluster), namespace: 'argocd', argocdServer, ...world },
    ...MACHINE,
    argocdTokenFile: join(folder, 'none'),
    ...{ warn: (message: string) => warnings.push(message), ...more },
  }).catch((one: unknown) => one);
  const code = error instanceof TiphysError ? error.diagnostics[0]?.code : undefined;
  return { code, warnings };
}

test.each(['https://', 'ftp://x', 'https://user@x', 'a b'])(
  'the address %s is none',
  async (argocdServer) => {
    const { code } = await connecting(argocdServer, { server: 'https://x' });
    expect(code).toBe('usage-invalid');
  },
);

test.each(['http://127.0.0.1:1', 'HTTP://127.0.0.1:1/cd'])(
  'no token goes to %s in clear text, unless that is wanted',
  async (argocdServer) => {
    const cluster = { server: 'https://127.0.0.1:1' };
    expect((await connecting(argocdServer, cluster)).code).toBe('usage-invalid');
    const { code } = await connecting(argocdServer, cluster, { insecure: true });
    expect(code).toBe('argocd-token-missing');
  },
);

test.each<[object, readonly unknown[]]>([
  [{ server: 'https://x' }, []],
  [
    { server: 'https://x', 'insecure-skip-tls-verify': true },
    [expect.stringContaining('insecure-skip-tls-verify')],
  ],
  [{ server: 'http://x' }, [expect.stringContaining('clear text')]],
  [{ server: 'http://127.0.0.1:8001' }, []],
])('a kubeconfig with %j is warned of: %j', async (cluster, told) => {
  // It ends there, with a wrong address of Argo CD.
  expect((await connecting('ftp://x', cluster)).warnings).toEqual(told);
});
