// The table of retry.ts, row by row, against Argo CD.
import { describe, expect, test } from 'vitest';
import { FakeTransport, failure, json, type Reply } from '../../../test/fakes/transport.ts';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { TiphysError } from '../../errors.ts';
import type { TransportRequest } from '../transport.ts';
import { argocdApi } from './api.ts';
import { directRoute, proxiedRoute } from './route.ts';
import { tokenSource } from './token.ts';

const RIGHT = { resource: 'applications', verb: 'sync', object: 'p/a' };
const READ = { path: '/applications/a', what: 'the Application "a"', right: RIGHT };
const WRITE = { ...READ, method: 'POST', body: { prune: true } } as const;

const argo = (status: number, code: number, message: string) =>
  json({ error: message, code, message }, status);
const STATUS_401 = json({ kind: 'Status', code: 401, message: 'Unauthorized' }, 401);

function setUp(
  answer: readonly Reply[] | ((request: TransportRequest) => Reply),
  {
    tokens = ['one', 'two'],
    via = directRoute,
  }: { tokens?: string[]; via?: typeof directRoute } = {},
) {
  const clock = new VirtualClock();
  const transport = new FakeTransport(answer);
  const left = [...tokens];
  const source = tokenSource(async () => (left.length > 1 ? left.shift() : left[0]) ?? '');
  const api = argocdApi(via(transport), source, { clock, random: () => 0.5 });
  return { clock, transport, api };
}

const proxied = (transport: FakeTransport) => proxiedRoute(transport, '/proxy');
const codeOf = (error: unknown) => (error as TiphysError).diagnostics[0]?.code;
const refused = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(TiphysError);
  return codeOf(error);
};

describe('a read', () => {
  test.each([
    ['no connection', failure()],
    ['a deadline', failure('deadline')],
    ['429', { status: 429 }],
    ['500', argo(500, 13, 'oops')],
    ['502', { status: 502, text: '<html>' }],
    ['503 of the proxy', json({ kind: 'Status', message: 'no endpoints available' }, 503)],
    ['504', { status: 504 }],
  ])('is sent again after %s', async (_, trouble) => {
    const { clock, transport, api } = setUp([trouble, trouble, json({ ok: true })]);
    expect(await clock.until(api.read(READ))).toEqual({ ok: true });
    expect(transport.requests).toHaveLength(3);
  });

  test('waits longer each time, and as long as the server wants', async () => {
    const { clock, api } = setUp([
      failure(),
      failure(),
      { status: 429, retryAfter: '7' },
      json({}),
    ]);
    await clock.until(api.read(READ));
    expect(clock.monotonic()).toBe(100 + 200 + 7000);
  });

  test.each([
    ['of failures', [failure()], 'argocd-unreachable'],
    ['of 503', [argo(503, 14, 'down')], 'argocd-unreachable'],
  ])('gives up after a minute %s', async (_, replies, code) => {
    const { clock, api } = setUp(replies);
    expect(await clock.until(refused(api.read(READ)))).toBe(code);
    expect(clock.monotonic()).toBeGreaterThan(45_000);
    expect(clock.monotonic()).toBeLessThanOrEqual(60_000);
  });

  test('ends when its caller wants', async () => {
    const { clock, api } = setUp([failure()]);
    const stop = new AbortController();
    const reading = api.read({ ...READ, patience: { signal: stop.signal } });
    const seen = expect(reading).rejects.toThrow();
    await clock.advance(1000);
    stop.abort();
    await seen;
  });

  test.each([
    ['a certificate that is not accepted', failure('tls'), 'argocd-tls'],
    ['400', argo(400, 3, 'wrong'), 'argocd-answer-invalid'],
    [
      '403 with its reason',
      argo(403, 7, 'permission denied: applications, get, p/a'),
      'argocd-forbidden',
    ],
    ['a page instead of an answer', { text: '<html>' }, 'argocd-answer-invalid'],
    ['a redirection', { status: 307 }, 'argocd-answer-invalid'],
    ['404 of somebody else', { status: 404, text: 'nginx' }, 'argocd-answer-invalid'],
  ])('is not sent again after %s', async (_, reply, code) => {
    const { clock, transport, api } = setUp([reply]);
    expect(await clock.until(refused(api.read(READ)))).toBe(code);
    expect(transport.requests).toHaveLength(1);
  });

  test('says that there is none only when Argo CD says so', async () => {
    const { api } = setUp([argo(404, 5, 'not found')]);
    expect(await api.read(READ)).toBeUndefined();
  });

  test.each([
    [
      '404',
      json({ kind: 'Status', code: 404, message: 'services "x" not found' }, 404),
      'argocd-unreachable',
    ],
    [
      '403',
      json({ kind: 'Status', code: 403, message: 'cannot get services/proxy' }, 403),
      'cluster-forbidden',
    ],
    ['401', STATUS_401, 'cluster-unauthorized'],
  ])(
    'through the proxy does not take %s of Kubernetes for one of Argo CD',
    async (_, reply, code) => {
      const { clock, api } = setUp([reply], { via: proxied as typeof directRoute });
      expect(await clock.until(refused(api.read(READ)))).toBe(code);
    },
  );
});

describe('a write', () => {
  const KIND = [
    ['no connection', failure(), 'unknown'],
    ['a deadline', failure('deadline'), 'unknown'],
    ['a certificate that is not accepted', failure('tls'), 'unknown'],
    ['429', { status: 429 }, 'unknown'],
    ['500', argo(500, 13, 'oops'), 'unknown'],
    ['503', { status: 503 }, 'unknown'],
    ['its repo server gone', argo(400, 9, 'rpc error: code = Unavailable desc = x'), 'unknown'],
    ['200', json({}), 'done'],
  ] as const;
  test.each(KIND)('is sent once: %s', async (_, reply, kind) => {
    const { clock, transport, api } = setUp([reply]);
    expect(await clock.until(api.write(WRITE))).toMatchObject({ kind });
    expect(transport.requests).toHaveLength(1);
    expect(transport.requests[0]).toMatchObject({
      method: 'POST',
      body: { prune: true },
      deadline: 5000,
    });
  });

  test.each([
    [400, 9, 'another operation is already in progress', 'operation-in-progress'],
    [400, 9, 'application is deleting', 'deleting'],
    [400, 9, 'error resolving repo revision: x', 'invalid'],
    [400, 3, 'Unable to terminate operation. No operation is in progress', 'nothing-in-progress'],
    [400, 3, 'source position is out of range', 'invalid'],
    [403, 7, 'cannot sync: blocked by sync window', 'blocked-by-window'],
    [403, 7, 'cannot sync: invalid sync window: x', 'invalid'],
    [403, 7, 'permission denied: applications, sync, p/a', 'forbidden'],
    [401, 16, 'token is expired', 'unauthenticated'],
    [404, 5, 'not found', 'not-found'],
    [409, 10, 'the object has been modified', 'conflict'],
    [415, undefined, '', 'invalid'],
  ])('refused with %i, code %s, "%s"', async (status, code, message, reason) => {
    const reply = code === undefined ? { status } : argo(status, code, message);
    const { clock, api } = setUp([reply]);
    expect(await clock.until(api.write(WRITE))).toMatchObject({ kind: 'refused', reason });
  });
});

describe('a token that is not accepted', () => {
  const EXPIRED = argo(401, 16, 'token is expired');
  const header = ({ headers }: TransportRequest) => headers?.authorization;

  test('is read again, and the request sent again', async () => {
    const { transport, api } = setUp((request) =>
      header(request) === 'Bearer two' ? json({ ok: 1 }) : EXPIRED,
    );
    expect(await api.read(READ)).toEqual({ ok: 1 });
    expect(await api.write(WRITE)).toEqual({ kind: 'done' });
    expect(transport.requests.map(header)).toEqual(['Bearer one', 'Bearer two', 'Bearer two']);
  });

  test('is read once by all who need it', async () => {
    let reads = 0;
    const source = tokenSource(async () => `token${reads++}`);
    const first = await source.current();
    const all = await Promise.all([1, 2, 3].map(() => source.renew(first)));
    expect(new Set(all)).toEqual(new Set(['token1']));
    expect(reads).toBe(2);
  });

  test('that takes too long to read is not used for a write any more', async () => {
    const clock = new VirtualClock();
    const transport = new FakeTransport([EXPIRED]);
    let reads = 0;
    const source = tokenSource(async () => {
      if (reads++ > 0) await clock.sleep(6000);
      return 'x';
    });
    const api = argocdApi(directRoute(transport), source, { clock, random: () => 0.5 });
    expect(await clock.until(api.write(WRITE))).toMatchObject({ kind: 'unknown' });
    expect(transport.requests).toHaveLength(1);
  });

  test('is an error when the next one is not accepted either', async () => {
    const { clock, transport, api } = setUp([EXPIRED]);
    expect(await clock.until(refused(api.read(READ)))).toBe('argocd-token-rejected');
    expect(transport.requests).toHaveLength(2);
  });

  test('that is Kubernetes’ is not ours to renew', async () => {
    const { transport, api } = setUp([STATUS_401], { via: proxied as typeof directRoute });
    await refused(api.read(READ));
    expect(transport.requests.map(({ headers }) => headers?.cookie)).toEqual(['argocd.token=one']);
  });
});

describe('a denial without a reason', () => {
  const DENIED = argo(403, 7, 'permission denied');
  const answers = (value: 'yes' | 'no', then: Reply) => {
    let asked = 0;
    return ({ path }: TransportRequest) => {
      if (path === '/api/v1/account/can-i/applications/sync/p/a') return json({ value });
      return asked++ === 0 ? DENIED : then;
    };
  };

  test('in spite of the right is trouble of Argo CD with Kubernetes', async () => {
    const { clock, api } = setUp(answers('yes', json({ ok: 1 })));
    expect(await clock.until(api.read(READ))).toEqual({ ok: 1 });
  });

  test('of a write in spite of the right: only reading tells', async () => {
    const { clock, api } = setUp(answers('yes', json({})));
    expect(await clock.until(api.write(WRITE))).toMatchObject({ kind: 'unknown' });
  });

  test('without the right is a denial', async () => {
    const { clock, api } = setUp(answers('no', json({})));
    expect(await clock.until(refused(api.read(READ)))).toBe('argocd-forbidden');
    const other = setUp(answers('no', json({})));
    const result = await other.clock.until(other.api.write(WRITE));
    expect(result).toMatchObject({ kind: 'refused', reason: 'forbidden' });
  });
});
