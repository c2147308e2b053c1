// `tiphys release`: lets go of what a run left held, under the Lease of the platform.
import { beforeEach, expect, test } from 'vitest';
import { codeOf, failure } from '../../../test/fakes/failure.ts';
import { planOf, World } from '../../../test/fakes/run-world.ts';
import { addressOf } from '../../plan/node-address.ts';
import { HOLD_ANNOTATION, holdWindow } from '../../run/hold.ts';
import { leaseFor, leaseName, runOf } from '../lease/lease-data.ts';
import { release } from './release-hold.ts';

const PLAN = planOf('a:', 'b: a');
const LEASE = leaseName('shop');
const [A, B] = PLAN.nodes.filter(({ application }) => application !== null).map(addressOf);
if (!A || !B) throw new Error('no applications');

let world: World;

beforeEach(() => {
  world = new World({ a: {}, b: {} });
  world.edit({
    windows: [holdWindow(['a', 'b'])],
    annotations: new Map([[HOLD_ANNOTATION, 'shop/r0']]),
  });
});

const released = (...applications: (typeof A)[]) =>
  failure(
    release({
      plan: PLAN,
      applications,
      target: world.target,
      clock: world.clock,
      runId: 'release-1',
      holder: 'laptop',
      signal: new AbortController().signal,
      warn: () => {},
    }),
  );

const leased = () => {
  const lease = world.argocd.leases.peek(LEASE);
  return [lease?.holder, lease && runOf(lease)];
};

test('Argo CD looks at it once it is free, and the Lease is given back as that of a finished run', async () => {
  const refreshed: (readonly [string, readonly string[]])[] = [];
  world.applications.refresh = async ({ name }) => {
    refreshed.push([name, world.held()]);
    return undefined;
  };
  expect(await world.clock.until(released(A))).toBeUndefined();
  expect(refreshed).toEqual([['a', ['b']]]);
  expect(leased()).toEqual(['', { run: 'release-1', plan: PLAN.hash, finished: true }]);
  expect(world.clock.sleepers).toBe(0);
});

test('a run that did not finish stays so: the next one with its plan goes on with it', async () => {
  const before = { run: 'r0', plan: 'sha256:other', finished: false };
  world.argocd.leases.put(leaseFor(LEASE, undefined, '', { ...before, holds: [] }, 0));
  expect(await world.clock.until(released(A, B))).toBeUndefined();
  expect([world.held(), leased()]).toEqual([[], ['', before]]);
});

test('an Application that cannot be looked at is free all the same', async () => {
  world.applications.refresh = () => Promise.reject(new Error('gone'));
  expect(await world.clock.until(released(A, B))).toBeUndefined();
  expect(world.held()).toEqual([]);
});

test('a release that loses the Lease says to whom, and writes nothing more', async () => {
  const { projects } = world.argocd.target;
  let reads = 0;
  const get: typeof projects.get = async (name) => {
    if (++reads > 1) await world.clock.sleep(8_000);
    return await projects.get(name);
  };
  world.part.projects = { ...projects, get };
  const error = released(A, B);
  await world.clock.advance(1_000);
  const lease = world.argocd.leases.peek(LEASE);
  if (lease) world.argocd.leases.put({ ...lease, holder: 'ci/2' });
  expect(codeOf(await world.clock.until(error))).toBe('lease-lost');
  expect(String(await error)).toContain('"ci/2" took it over');
  expect([world.held(), world.argocd.leases.peek(LEASE)?.holder]).toEqual([['a', 'b'], 'ci/2']);
});

test('a project with windows in Git is no obstacle: nothing new is held there', async () => {
  const applied = JSON.stringify({ spec: { syncWindows: [] } });
  const annotations = new Map([
    [HOLD_ANNOTATION, 'shop/r0'],
    ['kubectl.kubernetes.io/last-applied-configuration', applied],
  ]);
  world.edit({ trackedBy: 'root', annotations });
  expect(await world.clock.until(released(A, B))).toBeUndefined();
  expect(world.held()).toEqual([]);
});
