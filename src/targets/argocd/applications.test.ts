import { expect, test } from 'vitest';
import { FakeTransport, failure, json, type Reply } from '../../../test/fakes/transport.ts';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { argocdApi } from './api.ts';
import { argocdApplications } from './applications.ts';
import { directRoute } from './route.ts';
import { tokenSource } from './token.ts';

const SHOP = { name: 'shop', namespace: 'argocd', project: 'platform' };
const OBJECT = {
  metadata: { name: 'shop', namespace: 'argocd', uid: 'u', resourceVersion: '7' },
  spec: { project: 'platform' },
};

function setUp(...replies: Reply[]) {
  const clock = new VirtualClock();
  const transport = new FakeTransport(replies);
  const tokens = tokenSource(async () => 'token');
  const api = argocdApi(directRoute(transport), tokens, { clock, random: () => 0.5 });
  return { clock, transport, applications: argocdApplications(api, 'argocd') };
}

test('an Application is read with its project and namespace', async () => {
  const { transport, applications } = setUp(json(OBJECT));
  expect(await applications.get(SHOP)).toMatchObject({ uid: 'u', project: 'platform' });
  expect(transport.requests[0]?.path).toBe(
    '/api/v1/applications/shop?project=platform&appNamespace=argocd',
  );
});

test('one that is malformed is an error that names it and the field', async () => {
  const { applications } = setUp(json({ ...OBJECT, status: { conditions: 'x' } }));
  await expect(applications.get(SHOP)).rejects.toThrow(
    /Application "shop" is malformed at status\.conditions/,
  );
});

test('a refresh that is not taken up in time has been asked for', async () => {
  const { clock, transport, applications } = setUp(failure('deadline'));
  await clock.until(applications.refresh(SHOP));
  expect(transport.requests[0]?.path).toContain('refresh=normal');
});

test('one that was not taken up is asked for in the same way, since a harder one is more work for a slow Argo CD', async () => {
  const { applications, clock, transport } = setUp(failure('deadline'));
  for (let asked = 0; asked < 3; asked++) await clock.until(applications.refresh(SHOP));
  const kinds = transport.requests.map(({ path }) => /refresh=(\w+)/.exec(path)?.[1]);
  expect(new Set(kinds)).toEqual(new Set(['normal']));
});

test('a refresh that does not get through is an error', async () => {
  const { clock, applications } = setUp(failure());
  await expect(clock.until(applications.refresh(SHOP))).rejects.toThrow(/does not answer/);
});

test('resources of an Application that is gone are not simply none', async () => {
  const { applications } = setUp(json({ code: 5, message: 'not found' }, 404));
  await expect(applications.liveResources(SHOP)).rejects.toThrow(/no longer exists/);
});

test('a sync request says everything that Argo CD would otherwise choose', async () => {
  const { transport, applications } = setUp(json({}));
  const infos = new Map([['tiphys/op', 'r/n/1']]);
  await applications.requestSync(SHOP, { infos, prune: true, syncOptions: ['A=true'] });
  expect(transport.requests).toEqual([
    expect.objectContaining({
      method: 'POST',
      path: '/api/v1/applications/shop/sync',
      body: {
        name: 'shop',
        appNamespace: 'argocd',
        project: 'platform',
        prune: true,
        infos: [{ name: 'tiphys/op', value: 'r/n/1' }],
        syncOptions: { items: ['A=true'] },
        retryStrategy: { limit: 0 },
      },
    }),
  ]);
});

test('windows, and which of them are active', async () => {
  const deny = { kind: 'deny', schedule: '* * * * *', duration: '1h', manualSync: true };
  const allow = { kind: 'allow', schedule: '0 3 * * *', duration: '2h' };
  const answer = { assignedWindows: [deny, allow], activeWindows: [deny], canSync: true };
  const { applications } = setUp(json(answer), json({}));
  expect(await applications.syncWindows(SHOP)).toEqual([
    { ...deny, active: true },
    { ...allow, manualSync: false, active: false },
  ]);
  expect(await applications.syncWindows(SHOP)).toEqual([]);
});

test.each([
  ['of Argo CD', json({ code: 9, message: 'cannot resolve https://me:secret@git.example/x' }, 400)],
  ['of a proxy', { status: 502, text: `${'x'.repeat(180)} https://me:secret@git.example/x` }],
])('a refusal %s is told without the password in it', async (_, reply) => {
  const { clock, applications } = setUp(reply);
  const asked = { infos: new Map(), prune: false, syncOptions: [] };
  const result = await clock.until(applications.requestSync(SHOP, asked));
  expect(JSON.stringify(result)).toContain('https://***@');
  expect(JSON.stringify(result)).not.toContain('secr');
});
