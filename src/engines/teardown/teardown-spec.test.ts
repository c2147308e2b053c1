import { expect, test } from 'vitest';
import { deletedObject, foundApplication, inventoryOf } from '../../../test/fakes/inventory.ts';
import { app, planFrom, World } from '../../../test/fakes/run-world.ts';
import { sessionIn } from '../../../test/fakes/session.ts';
import type { Inventory, InventoryApplication, Maker } from '../../inventory/inventory.ts';
import { namespacesOf } from '../../plan/node-address.ts';
import type { PresentObject } from '../../ports/cluster-objects.ts';
import { ClaimSnapshots } from './claim-snapshots.ts';
import { heldNames, heldPlan, parentsThatMake, removeNode } from './teardown-spec.ts';

/** `b` depends on `a`, and `web` on both of them, behind the join of their stack. */
const SPEC = {
  root: 'root',
  stacks: [
    { name: 'data', application: 'data-stack', applications: [app('a'), app('b', ['a'])] },
    { name: 'front', dependsOn: ['stack:data'], applications: [app('web')] },
  ],
};
const DEPLOYMENT = planFrom(SPEC);
const WHOLE = planFrom(SPEC, { action: 'teardown' });
const scoped = (name: string) => planFrom(SPEC, { action: 'teardown', scope: [`app:${name}`] });

const specOf = (part: Partial<Inventory> = {}, unsafe: readonly string[] = []) => ({
  ...{ deployment: DEPLOYMENT, approved: inventoryOf(part), stuckAfter: 30 },
  unsafe: new Set(unsafe),
});
const maker = (name: string, kind: Maker['kind'] = 'Application'): Maker => ({
  ...{ kind, name, namespace: 'argocd', uid: `uid-${name}`, makes: ['a'] },
});
const MAKERS = { makers: [maker('data-stack'), maker('root', 'ApplicationSet')] };

test('held are the scope and the parents that make, and no others', () => {
  expect([...parentsThatMake(specOf(MAKERS))]).toEqual(['data-stack']);
  const names = heldPlan(scoped('b'), specOf(MAKERS)).nodes.map(({ application }) => application);
  expect(new Set(names)).toEqual(new Set(['b', 'data-stack']));
});

test('before a write those must be held, of them, that are there', () => {
  const views = new World({ b: {}, 'data-stack': {}, web: {} });
  const last = ({ name }: { readonly name: string }) =>
    name === 'a' ? undefined : views.argocd.view(name);
  expect([...heldNames(specOf(MAKERS), { last }, new Set(['a', 'b']))]).toEqual([
    'b',
    'data-stack',
  ]);
  expect([...heldNames(specOf(MAKERS), { last })]).toEqual(['data-stack']);
  expect([...heldNames(specOf(), { last }, new Set(['elsewhere']))]).toEqual([]);
});

const APPLICATIONS = ['root', 'data-stack', 'a', 'b', 'web'];

interface Removed {
  /** What is there; what is deleted goes. */
  readonly applications?: readonly string[];
  readonly found?: Partial<InventoryApplication>;
  readonly objects?: Readonly<Record<string, PresentObject>>;
  readonly unsafe?: readonly string[];
}

/** Removes one node of a plan of that node alone: the outcome, what was deleted, what was taken off. */
async function removed(name: string, { applications = [name], ...part }: Removed = {}) {
  const world = new World({ a: {}, b: {}, web: {} });
  const done: string[] = [];
  const there = new Set(applications);
  const objects = new Map(Object.entries(part.objects ?? {}));
  world.last = (honest) => (address) => (there.has(address.name) ? honest(address) : undefined);
  world.applications.get = async (address) => {
    if (!APPLICATIONS.includes(address.name)) throw new Error(`"${address.name}" is none`);
    return there.has(address.name) ? await world.honest.get(address) : undefined;
  };
  world.applications.remove = async (address) => {
    done.push(`delete ${address.name}`);
    there.delete(address.name);
    return { kind: 'done' };
  };
  world.part.objects = {
    ...world.argocd.target.objects,
    get: async (resource) => objects.get(resource.name),
    prepareFinalizerRemoval: async (resource) => async () => {
      done.push(`strip ${resource.name}`);
      objects.delete(resource.name);
      return { kind: 'done' };
    },
  };
  const plan = scoped(name);
  const session = await sessionIn(world, plan);
  const watch = await session.watch(namespacesOf(plan));
  const node = plan.nodes.find(({ application }) => application === name);
  if (!node) throw new Error(`no ${name}`);
  const spec = specOf(
    { applications: [foundApplication('other'), foundApplication(name, part.found)] },
    part.unsafe,
  );
  const signal = new AbortController().signal;
  const parts = { session, node, watch, emit: session.emit, signal, held: async () => {} };
  const snapshots = new ClaimSnapshots(world.target, { snapshots: [] });
  const { outcome, cause } = await world.clock.until(removeNode(parts, WHOLE, spec, snapshots));
  return { outcome, done, why: cause?.message };
}

test('an Application goes when nothing that depends on it is there', async () => {
  expect(await removed('a')).toEqual({ outcome: 'removed', done: ['delete a'], why: undefined });
  expect(await removed('web', { applications: ['a', 'b', 'web'] })).toMatchObject({
    outcome: 'removed',
  });
});

test.each([
  ['a', ['a', 'b'], 'b depends on it and still exists'],
  ['a', ['a', 'web'], 'web depends on it and still exists'],
  ['b', ['b', 'web'], 'web depends on it and still exists'],
])('%s stays while %j are there, in the scope or not', async (name, applications, why) => {
  expect(await removed(name, { applications })).toEqual({ outcome: 'failed', done: [], why });
});

test('only the one that was approved goes', async () => {
  const { outcome, done } = await removed('a', { found: { uid: 'another' } });
  expect([outcome, done]).toEqual(['failed', []]);
});

const HANGS: PresentObject = { uid: 'u', finalizers: ['x/y'], deletingSince: 0 };
const hanging = (who: string) =>
  `ConfigMap n/hangs has been terminating since 1970-01-01T00:00:00.000Z and waits for its finalizer x/y, ${who}`;
const deletes = [deletedObject('hangs')];
const resource = { group: '', kind: 'ConfigMap', namespace: 'n', name: 'hangs' };
const finalizers = [{ resource, finalizer: 'x/y', servedBy: ['operator'] }];

test.each<[string, Partial<InventoryApplication>, string | undefined]>([
  ['nobody is known to serve', { deletes }, hanging('whose controller is unknown')],
  ['an operator serves', { deletes, finalizers }, hanging('which operator should remove')],
  ['is in another cluster', { deletes, destination: 'https://elsewhere' }, undefined],
  ['is not in the inventory', { deletes: [] }, undefined],
  ['is not named', { deletes: [{ ...deletedObject('hangs'), name: 'hangs-*' }] }, undefined],
])('an object hangs that %s', async (_, found, why) => {
  const objects = { hangs: HANGS, 'hangs-*': HANGS };
  const end = await removed('a', { found, objects });
  expect(end).toEqual({
    ...{ outcome: why === undefined ? 'removed' : 'failed', why },
    done: ['delete a'],
  });
});

test('finalizers are taken off only for the Applications that were named', async () => {
  const hangs = { found: { deletes }, objects: { hangs: HANGS } };
  expect((await removed('a', { ...hangs, unsafe: ['b', ''] })).done).toEqual(['delete a']);
  expect(await removed('a', { ...hangs, unsafe: ['a'] })).toMatchObject({
    ...{ outcome: 'removed', done: ['delete a', 'strip hangs'] },
  });
});
