// Whoever sleeps past its lease, at whatever point, writes nothing when it wakes: the platform is another run's by then.
import { expect, test } from 'vitest';
import { beginRun } from '../../src/engines/argo-workflows/begin.ts';
import { runNode } from '../../src/engines/argo-workflows/node-pod.ts';
import type { RunEvent } from '../../src/run/events.ts';
import { app, oneStack, planOf, World } from '../fakes/run-world.ts';
import { shopWithSet } from './teardown/application-set.ts';
import { DATABASE, DeployedShop } from './teardown/deployed-shop.ts';
import { inFlight } from './teardown/in-flight.ts';

const SLEEP_MS = 30_000;
type Asked = { readonly method: string; readonly path: string };

/** The writes that it sends after its sleep, which begins with the answer to the first request that is meant. */
function sleeper(shop: DeployedShop, isMeant: (request: Asked) => boolean) {
  const { objects, time } = shop.rehearsal;
  const writes: string[] = [];
  let wokeAt = Number.POSITIVE_INFINITY;
  shop.rehearsal.onRequest(({ at, who, request: { method, path } }) => {
    if (who === 'sleeper' && at >= wokeAt && method !== 'GET') writes.push(`${method} ${path}`);
  });
  const lease = () => objects.get('coordination.k8s.io/v1', 'Lease', 'argocd', 'tiphys-shop');
  const takeOver = () => {
    const found = lease();
    if (!found) throw new Error('no Lease');
    objects.update(found, (now) => ({
      ...now,
      spec: { ...(now.spec as object), holderIdentity: 'another' },
    }));
  };
  const process = shop.connect('sleeper', (transport, participant) => ({
    ...transport,
    send: async (request) => {
      const answer = await transport.send(request);
      if (wokeAt !== Number.POSITIVE_INFINITY || !isMeant(request)) return answer;
      wokeAt = time.now + SLEEP_MS;
      participant.pause(SLEEP_MS);
      takeOver();
      await participant.clock.sleep(0);
      return answer;
    },
  }));
  return { process, writes, hasSlept: () => time.now >= wokeAt };
}

/** Calls it once, when the run has begun. */
const atStart = (act: () => void) => (event: RunEvent) => {
  if (event.type === 'run.started') act();
};

test('a teardown does not delete an ApplicationSet', async () => {
  const shop = await shopWithSet();
  const approved = await shop.until(shop.look());
  let begun = false;
  const { process, writes, hasSlept } = sleeper(
    shop,
    ({ path }) => begun && path.includes('/applicationsets'),
  );
  const listen = atStart(() => {
    begun = true;
  });
  const ended = shop.until(shop.takeDown(approved, process, { listen }));
  await expect(ended).rejects.toThrow('no longer owns platform "shop"');
  expect([hasSlept(), writes, shop.exists('ApplicationSet', 'sites')]).toEqual([true, [], true]);
});

test('a teardown does not terminate an operation', async () => {
  const shop = await DeployedShop.synced({});
  const approved = await shop.until(shop.look());
  const platform = { name: 'tiphys/platform', value: 'shop' };
  let begun = false;
  const listen = atStart(() => {
    begun = true;
    inFlight(shop, 'site', { username: 'tiphys' }, [platform]);
  });
  const { process, writes, hasSlept } = sleeper(
    shop,
    ({ path }) => begun && path.includes('/applications/site?'),
  );
  const report = await shop.until(shop.takeDown(approved, process, { listen }));
  expect([hasSlept(), writes, report.exitStatus]).toEqual([true, [], 2]);
});

test.each([
  ['that hangs', (path: string) => path.includes('/configmaps?fieldSelector=metadata.name%3Dmain')],
  ['that it gives back without them', (path: string) => path.endsWith('/configmaps/main')],
])(
  'a teardown does not take finalizers off when it has slept on the object %s',
  async (_, isRead) => {
    const shop = await DeployedShop.synced({
      db: [{ ...DATABASE, kind: 'ConfigMap', apiVersion: 'v1' }],
    });
    const approved = await shop.until(shop.look());
    const { time, objects } = shop.rehearsal;
    const isHanging = () => {
      const since = objects.get('v1', 'ConfigMap', 'platform', 'main')?.metadata.deletionTimestamp;
      return since !== undefined && time.calendar - Date.parse(since) > 120_000;
    };
    const { process, writes, hasSlept } = sleeper(shop, ({ path }) => isHanging() && isRead(path));
    const unsafe = new Set(['db']);
    const report = await shop.until(shop.takeDown(approved, process, { unsafe }));
    expect([hasSlept(), writes, report.exitStatus]).toEqual([true, [], 2]);
  },
);

/** The process stands still, and another run takes the Lease meanwhile. */
function sleepNow({ clock, argocd: { leases } }: World): void {
  const lease = leases.peek('tiphys-shop');
  if (!lease) throw new Error('no Lease');
  leases.put({ ...lease, holder: 'another' });
  clock.pause(SLEEP_MS);
}

test('a deployment does not terminate its operation that takes too long', async () => {
  const world = new World({ a: { sync: 1_000 } });
  let hasSlept = false;
  const terminated: number[] = [];
  world.applications.get = async (address) => {
    const isLate = world.clock.monotonic() > 100_000;
    if (isLate && !hasSlept && world.argocd.view('a').operation) {
      hasSlept = true;
      sleepNow(world);
    }
    return await world.honest.get(address);
  };
  world.applications.terminate = async (address) => {
    terminated.push(world.clock.monotonic());
    return await world.honest.terminate(address);
  };
  await world.run(oneStack(app('a', [], { timeouts: { sync: '2m', health: '2m' } })));
  expect([hasSlept, terminated]).toEqual([true, []]);
});

test('of two processes of a node in a Workflow, the one that slept does not ask for a sync', async () => {
  const world = new World({ a: {} });
  const { clock, target } = world;
  const plan = planOf('a:');
  const { signal } = new AbortController();
  const base = { plan, whole: plan, basis: plan.hash, clock, workflow: 'argo/wf/uid', signal };
  const request = { ...base, listen: () => {}, target };
  const run = await clock.until(beginRun({ ...request, runId: 'r1' }));
  let isAsked = false;
  let hasSlept = false;
  const applications = {
    ...target.applications,
    syncWindows: async () => {
      isAsked = true;
      return [];
    },
    // The last look before the request.
    get: async (address: Parameters<typeof target.applications.get>[0]) => {
      const view = await target.applications.get(address);
      if (isAsked && !hasSlept) {
        hasSlept = true;
        sleepNow(world);
      }
      return view;
    },
  };
  const node = { ...request, id: 'app:a', run, runStartedAt: clock.now(), layered: false };
  const ended = await clock.until(runNode({ ...node, target: { ...target, applications } }));
  expect([hasSlept, ended.message]).toEqual([true, expect.stringContaining('no longer owns')]);
  expect(world.argocd.syncs).toEqual([]);
});
