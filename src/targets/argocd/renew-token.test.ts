// Another token, on what Argo CD and Kubernetes answer.
import { expect, test } from 'vitest';
import { FakeTransport, json, type Reply } from '../../../test/fakes/transport.ts';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { TiphysError } from '../../errors.ts';
import { kubernetesApi } from '../kubernetes/api.ts';
import type { TransportRequest } from '../transport.ts';
import { argocdApi } from './api.ts';
import { tokenRenewal } from './renew-token.ts';
import { directRoute } from './route.ts';
import { tokenSource } from './token.ts';

const jwt = (claims: object) =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
const packed = (text: string) => Buffer.from(text).toString('base64');
/** Any of them: the account is the one that the token names. */
const NAME = 'tiphys-argocd-token-teardown';
const OLD = jwt({ sub: 'tiphys-teardown:apiKey', jti: 'old' });
const NEW = jwt({ sub: 'tiphys-teardown:apiKey', jti: 'new', exp: 1_794_700_800 });
const SECRET = {
  ...{ apiVersion: 'v1', kind: 'Secret', type: 'Opaque' },
  metadata: {
    ...{ name: NAME, resourceVersion: '7', annotations: { a: 'b' } },
    labels: { 'tiphys.dev/token': 'argocd' },
  },
  data: { token: packed(OLD), other: 'eA==' },
};
const PATH = `/api/v1/namespaces/argocd/secrets/${NAME}`;
const TOKENS = '/api/v1/account/tiphys-teardown/token';

function setUp(answers: Readonly<Record<string, Reply>> = {}) {
  const all: Readonly<Record<string, Reply>> = {
    [`GET ${PATH}`]: json(SECRET),
    [`POST ${TOKENS}`]: json({ token: NEW }),
    [`PUT ${PATH}`]: json({}),
    [`DELETE ${TOKENS}/old`]: json({}),
    ...answers,
  };
  const transport = new FakeTransport(
    ({ method, path }: TransportRequest) => all[`${method} ${path}`] ?? json({}, 404),
  );
  const world = { clock: new VirtualClock(), random: () => 0.5 };
  const argocd = argocdApi(
    directRoute(transport),
    tokenSource(async () => OLD),
    world,
  );
  const secret = { namespace: 'argocd', secret: () => NAME, expires: async () => undefined };
  return { transport, renewal: tokenRenewal(argocd, kubernetesApi(transport, world), secret) };
}

test('the account makes one for itself, and the Secret has it by the version that was read', async () => {
  const { transport, renewal } = setUp();
  const made = await renewal.make('new');
  expect(made).toMatchObject({ account: 'tiphys-teardown', id: 'new', before: 'old' });
  expect(await renewal.keep(made)).toEqual({ kind: 'done' });
  expect(await renewal.strike('tiphys-teardown', 'old')).toEqual({ kind: 'done' });
  const [, post, put, strike] = transport.requests;
  expect(post).toMatchObject({
    body: { name: 'tiphys-teardown', id: 'new', expiresIn: 7_776_000 },
  });
  expect(put?.body).toEqual({
    ...SECRET,
    metadata: {
      ...SECRET.metadata,
      annotations: { a: 'b', 'tiphys.dev/expires': '2026-11-15T00:00:00.000Z' },
    },
    data: { ...SECRET.data, token: packed(NEW) },
  });
  expect(strike).toMatchObject({ method: 'DELETE', path: `${TOKENS}/old` });
});

test.each<[string, Readonly<Record<string, Reply>>, string]>([
  ['of a person', secretWith(jwt({ sub: 'jane', jti: 'x' })), 'does not contain a token of an'],
  ['that is no JWT', secretWith('abc'), 'does not contain a token of an'],
  [
    'that Argo CD does not make',
    { [`POST ${TOKENS}`]: json({ message: 'permission denied' }, 403) },
    'permission denied',
  ],
  ['that is none', { [`POST ${TOKENS}`]: json({ token: 'a b' }) }, 'a token of our own'],
])('one %s is not renewed', async (_, answers, message) => {
  const { transport, renewal } = setUp(answers);
  await expect(renewal.make('new')).rejects.toThrow(message);
  expect(transport.requests.some(({ method }) => method === 'PUT')).toBe(false);
});

const OWNER = { apiVersion: 'external-secrets.io/v1', kind: 'ExternalSecret', name: 'x', uid: 'u' };

test.each<[string, object]>([
  ['no labels', { labels: undefined }],
  ['no label of bootstrap', { labels: { a: 'b' } }],
  ['another value of it', { labels: { 'tiphys.dev/token': 'other' } }],
  ['an owner', { ownerReferences: [OWNER] }],
])('a Secret with %s is left alone: it would be put back', async (_, more) => {
  const metadata = { ...SECRET.metadata, ...more };
  const { transport, renewal } = setUp({ [`GET ${PATH}`]: json({ ...SECRET, metadata }) });
  await expect(renewal.make('new')).rejects.toThrow(`"${NAME}" is not managed by tiphys bootstrap`);
  expect(transport.requests.map(({ method }) => method)).toEqual(['GET']);
});

test('one that does not say when it expires is told as an answer that is malformed', async () => {
  const token = jwt({ sub: 'tiphys-teardown:apiKey', jti: 'new' });
  const { renewal } = setUp({ [`POST ${TOKENS}`]: json({ token }) });
  const error = await renewal.make('new').catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(TiphysError);
  expect((error as TiphysError).message).toMatch(/a token of our own is malformed at exp/);
});

function secretWith(token: string) {
  return { [`GET ${PATH}`]: json({ ...SECRET, data: { token: packed(token) } }) };
}
