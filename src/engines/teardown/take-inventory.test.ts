import { expect, test } from 'vitest';
import { managedObject, operationState } from '../../../test/fakes/application.ts';
import { planFrom, planOf, World } from '../../../test/fakes/run-world.ts';
import { TiphysError } from '../../errors.ts';
import { CAUTIOUS } from '../../inventory/inventory.ts';
import type { ApplicationView, ManagedObject } from '../../ports/application-view.ts';
import { takeInventory } from './take-inventory.ts';

/** The fake cluster knows no action: what counts here is which Applications are looked at, and when. */
const PLAN = planOf('a:', 'b: a');
const MADE = { group: '', kind: 'ConfigMap', namespace: 'data', name: 'made' };
const SYNCED = [{ resource: MADE, status: 'Synced', hook: false, message: '' }];

function worldWith(part: Partial<ApplicationView>): World {
  const world = new World({ a: {}, b: {} });
  for (const name of ['a', 'b']) world.settle(name);
  world.argocd.change('a', part);
  return world;
}

/** Counts the looks at `a`. */
function showing(world: World, objects: (look: number) => readonly ManagedObject[]) {
  const looks = { count: 0 };
  world.applications.managedObjects = async ({ name }) =>
    name === 'a' ? objects(looks.count++) : [];
  return looks;
}

function taken({ target, clock, stop }: World) {
  const request = { plan: PLAN, whole: PLAN, policy: CAUTIOUS, target, clock } as const;
  return clock.until(takeInventory({ ...request, concurrency: 2, signal: stop.signal }));
}

const secondOf = ({ clock }: World) => Math.floor(clock.now() / 1000);
/** `a` was compared so many seconds after its last operation. */
function syncedBefore(seconds: number): World {
  const world = worldWith({});
  const now = secondOf(world);
  const state = operationState({ finishedAt: now - seconds, results: SYNCED });
  world.argocd.change('a', { operationState: state, reconciledAt: now });
  return world;
}

const nodeA = async (world: World) => {
  const { applications, refusals } = await taken(world);
  return { ...applications.find(({ name }) => name === 'a'), refusals };
};

test('what Argo CD compared long after its last operation is taken as it is, at one look', async () => {
  const world = worldWith({});
  const looks = showing(world, () => [managedObject('ConfigMap', 'made')]);
  const before = world.argocd.view('a').resourceVersion;
  expect((await nodeA(world)).deletes).toMatchObject([MADE]);
  expect([looks.count, world.argocd.view('a').resourceVersion]).toEqual([1, before]);
});

test.each([
  [61, 1],
  [60, 3],
])(
  'an operation that ended %i s before: what it made and is not there is looked for %i times',
  async (ago, times) => {
    const world = syncedBefore(ago);
    const looks = showing(world, () => []);
    expect((await nodeA(world)).deletes).toEqual([]);
    expect(looks.count).toBe(times);
  },
);

test('just after an operation it is not looked at before Argo CD has compared some seconds later', async () => {
  const world = worldWith({});
  const ended = secondOf(world);
  const state = operationState({ finishedAt: ended });
  world.argocd.change('a', { operationState: state, reconciledAt: ended });
  const seen: number[] = [];
  showing(world, () => {
    seen.push(world.argocd.view('a').reconciledAt ?? 0);
    return [];
  });
  await nodeA(world);
  expect(seen.map((at) => at - ended)).toEqual([5]);
});

test('what the last operation made and is not seen yet is looked for again', async () => {
  const world = syncedBefore(10);
  const looks = showing(world, (look) => (look < 3 ? [] : [managedObject('ConfigMap', 'made')]));
  expect((await nodeA(world)).deletes).toMatchObject([MADE]);
  expect(looks.count).toBe(4);
});

test.each([
  ['a hook', { hook: true }],
  ['something that was not synced', { status: 'SyncFailed' }],
])('%s of the last operation is not looked for', async (_, part) => {
  const world = syncedBefore(10);
  const results = SYNCED.map((one) => ({ ...one, ...part }));
  const state = world.argocd.view('a').operationState;
  world.argocd.change('a', { operationState: state && { ...state, results } });
  const looks = showing(world, () => []);
  await nodeA(world);
  expect(looks.count).toBe(1);
});

test.each([
  ['kind', { kind: 'Secret' }],
  ['group', { group: 'example.com' }],
  ['name', { name: 'other' }],
  ['namespace', { namespace: 'elsewhere' }],
])('an object of another %s is not what the last operation made', async (_, part) => {
  const world = syncedBefore(10);
  const looks = showing(world, () => [managedObject('ConfigMap', 'made', part)]);
  await nodeA(world);
  expect(looks.count).toBe(5);
});

test.each([{ deleting: true }, { skipped: true }])(
  '%j, it is not compared any more',
  async (part) => {
    for (const world of [syncedBefore(0), syncedBefore(10)]) {
      world.argocd.change('a', part);
      const looks = showing(world, () => []);
      await nodeA(world);
      expect([looks.count, world.clock.monotonic()]).toEqual([1, 0]);
    }
  },
);

test('an object of the cluster counts as made though the result names a namespace', async () => {
  const world = syncedBefore(10);
  const looks = showing(world, () => [managedObject('ConfigMap', 'made', { namespace: '' })]);
  await nodeA(world);
  expect(looks.count).toBe(1);
});

test('what stays away was deleted by somebody', async () => {
  const world = syncedBefore(10);
  const looks = showing(world, () => []);
  expect(await nodeA(world)).toMatchObject({ deletes: [], refusals: [] });
  expect(looks.count).toBe(5);
});

test('where Argo CD does not compare any more, nothing is said of what there is', async () => {
  const world = worldWith({ operationState: operationState({ finishedAt: 3e9 }) });
  showing(world, () => [managedObject('ConfigMap', 'made')]);
  let refreshes = 0;
  world.applications.refresh = async () => void refreshes++;
  const { deletes, refusals } = await nodeA(world);
  expect(deletes).toEqual([]);
  // At once, and then each second.
  expect([refreshes, world.clock.monotonic()]).toEqual([15, 14_000]);
  expect(refusals).toMatchObject([{ code: 'resources-unknown', node: 'app:a' }]);
});

test('what cannot be read is refused, and the rest is told all the same', async () => {
  const world = worldWith({});
  world.applications.managedObjects = async ({ name }) => {
    if (name === 'b') return [managedObject('ConfigMap', 'b')];
    throw new TiphysError([{ code: 'argocd-answer-invalid', message: 'no cache' }]);
  };
  const { applications, refusals } = await taken(world);
  expect(refusals).toMatchObject([
    { code: 'resources-unknown', node: 'app:a', message: expect.stringContaining('no cache') },
  ]);
  expect(applications.find(({ name }) => name === 'b')?.deletes).toMatchObject([{ name: 'b' }]);
});

test('a bug is no finding', async () => {
  const world = worldWith({});
  world.applications.managedObjects = () => Promise.reject(new Error('a bug'));
  await expect(taken(world)).rejects.toThrow('a bug');
});

test('who would make them again: an ApplicationSet, a parent that syncs by itself', async () => {
  const world = worldWith({ applicationSet: 'all' });
  const set = { name: 'all', namespace: 'argocd', uid: 'uid-all' };
  world.argocd.applicationSets = [
    { ...set, deleting: false, rollingSync: false, upToDate: true, trackedBy: undefined },
  ];
  const parent = (automated: ApplicationView['automated']) => {
    world.argocd.change('a', { automated });
    world.argocd.change('b', { trackedBy: 'a' });
  };
  parent({ prune: false, selfHeal: true });
  expect((await taken(world)).makers).toEqual([
    { kind: 'Application', name: 'a', namespace: 'argocd', uid: 'uid-a', makes: ['b'] },
    { kind: 'ApplicationSet', ...set, makes: ['a'] },
  ]);
  expect((await taken(world)).refusals).toEqual([]);
  world.argocd.add('outsider', { automated: true });
  world.argocd.change('b', { trackedBy: 'outsider' });
  const refused = { code: 'maker-outside', message: expect.stringContaining('"outsider"') };
  expect((await taken(world)).refusals).toMatchObject([refused]);
  parent(undefined);
  expect((await taken(world)).makers).toMatchObject([{ kind: 'ApplicationSet' }]);
});

test('an Application of another project is an error', async () => {
  const world = worldWith({ project: 'other' });
  await expect(taken(world)).rejects.toMatchObject({
    diagnostics: [{ code: 'application-wrong-project' }],
  });
});

test('whoever interrupts it gets no inventory', async () => {
  const world = worldWith({ operationState: operationState({ finishedAt: 3e9 }) });
  let refreshes = 0;
  world.applications.refresh = async () => {
    refreshes++;
    world.stop.abort();
    return undefined;
  };
  await expect(taken(world)).rejects.toMatchObject({ diagnostics: [{ code: 'interrupted' }] });
  expect(refreshes).toBe(1);
});

test('an Application outside of the scope keeps the registration of its cluster', async () => {
  const world = worldWith({});
  const secret = { namespace: world.target.namespace, registersCluster: true };
  showing(world, () => [managedObject('Secret', 'spoke', secret)]);
  world.argocd.change('b', { remoteCluster: 'https://spoke:6443' });
  const { target, clock, stop } = world;
  const request = { whole: PLAN, policy: CAUTIOUS, target, clock, concurrency: 2 } as const;
  const refusals = async (plan: typeof PLAN) => {
    const { signal } = stop;
    const inventory = await clock.until(takeInventory({ ...request, plan, signal }));
    return inventory.refusals.filter(({ code }) => code === 'registration-early');
  };
  expect(await refusals(planOf('a:'))).toMatchObject([
    { node: 'app:a', hint: expect.stringMatching(/^Tear down "b" first/) },
  ]);
  world.argocd.change('b', { remoteCluster: undefined });
  expect(await refusals(planOf('a:'))).toEqual([]);
});

test('a platform with generated members is refused by name, whatever the scope', async () => {
  const applications = [{ name: 'shop', applicationSet: 'set', argocd: { project: 'own' } }];
  const whole = planFrom({ stacks: [{ name: 's', applications }] });
  const { target, clock, stop } = worldWith({});
  const request = { plan: PLAN, whole, policy: CAUTIOUS, target, clock, concurrency: 2 } as const;
  await expect(takeInventory({ ...request, signal: stop.signal })).rejects.toThrow(
    'A platform with generated members cannot be torn down: "shop".',
  );
});
