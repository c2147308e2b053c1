import { beforeEach, expect, test } from 'vitest';
import { planOf, World } from '../../../test/fakes/run-world.ts';
import { sessionIn } from '../../../test/fakes/session.ts';
import { contextFor } from '../../node/context-for.ts';
import { namespacesOf } from '../../plan/node-address.ts';
import type { Snapshots } from '../../ports/cluster-objects.ts';
import type { WriteResult } from '../../ports/write-result.ts';
import { Abandoned } from '../../session/abandoned.ts';
import { ClaimSnapshots } from './claim-snapshots.ts';

const PLAN = planOf('a:', 'b: a');
const claim = (name: string, node = 'app:a') => ({
  ...{ group: '', kind: 'PersistentVolumeClaim', namespace: 'n', name, node },
});
type View = NonNullable<Awaited<ReturnType<Snapshots['get']>>>;
const READY: View = { ready: true, error: undefined };

let world: World;
let there: Map<string, View>;
let created: string[];
/** What the next requests are answered with. They do nothing then. */
let answers: WriteResult[];
/** How long a snapshot takes. */
let takesMs: number;
let stop: AbortController;

beforeEach(() => {
  world = new World({ a: {}, b: {} });
  there = new Map();
  created = [];
  answers = [];
  takesMs = 5_000;
  stop = new AbortController();
  world.part.snapshots = {
    served: async () => true,
    get: async ({ namespace, name }) => there.get(`${namespace}/${name}`),
    create: async ({ namespace, name }, of) => {
      created.push(`${namespace}/${name} of ${of}`);
      const answer = answers.shift();
      if (answer) return answer;
      there.set(`${namespace}/${name}`, { ready: false, error: 'no space' });
      void world.clock.sleep(takesMs).then(() => there.set(`${namespace}/${name}`, READY));
      return { kind: 'done' };
    },
  };
});

/** Saves what `a` has of these: what is wrong, and what is told. */
async function saved(...claims: ReturnType<typeof claim>[]) {
  const session = await sessionIn(world, PLAN);
  const node = PLAN.nodes.find(({ id }) => id === 'app:a');
  if (!node) throw new Error('no a');
  const watch = await session.watch(namespacesOf(PLAN));
  const done = async () => {};
  const guards = { held: done, dependenciesReady: done, signal: stop.signal };
  const context = contextFor({ session, node, watch, emit: session.emit, ...guards });
  const snapshots = new ClaimSnapshots(world.target, { snapshots: claims });
  const problem = await world.clock.until(
    snapshots.ensure(context).catch((error: unknown) => error),
  );
  return { problem, taken: snapshots.taken, events: world.events.map(({ type }) => type) };
}

const snapshotOf = (name: string) => ({
  resource: {
    ...{ group: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', namespace: 'n' },
    name: `${name}-r1`,
  },
  why: `the snapshot of PersistentVolumeClaim n/${name}`,
  announced: true,
});

test('a snapshot of each claim of the node is taken once, and is ready before the claim goes', async () => {
  const { problem, taken, events } = await saved(claim('x'), claim('y'), claim('z', 'app:b'));
  expect([problem, created]).toEqual([undefined, ['n/x-r1 of x', 'n/y-r1 of y']]);
  expect(taken).toMatchObject([snapshotOf('x'), snapshotOf('y')]);
  expect(world.clock.monotonic()).toBe(6_000);
  expect(events.filter((type) => type === 'node.snapshot-requested')).toHaveLength(2);
  expect(events.filter((type) => type === 'node.waiting')).toHaveLength(2);
});

test('one that this run has taken before is not taken again', async () => {
  there.set('n/x-r1', READY);
  const { problem, taken, events } = await saved(claim('x'));
  expect([problem, created, events]).toEqual([undefined, [], []]);
  expect(taken).toMatchObject([snapshotOf('x')]);
});

test('where one is not ready in time, the claim stays; with the reason, if one is known', async () => {
  takesMs = 1e9;
  expect(await saved(claim('x'))).toMatchObject({
    problem: 'the snapshot x-r1 of PersistentVolumeClaim n/x is not ready: no space',
    taken: [],
  });
  expect(created).toHaveLength(1);
  there.set('n/x-r1', { ready: false, error: undefined });
  expect((await saved(claim('x'))).problem).toBe(
    'the snapshot x-r1 of PersistentVolumeClaim n/x is not ready',
  );
});

test('where one of several cannot be taken, that is what is wrong', async () => {
  there.set('n/x-r1', READY);
  answers.push({ kind: 'refused', reason: 'forbidden', message: 'no class' });
  const { problem, taken } = await saved(claim('x'), claim('y'));
  expect(problem).toBe('cannot take a snapshot of PersistentVolumeClaim n/y: no class');
  expect(taken).toMatchObject([snapshotOf('x')]);
});

test.each<WriteResult>([
  { kind: 'refused', reason: 'conflict', message: 'it exists' },
  { kind: 'unknown', message: 'no answer' },
])('one that may be there already is looked for again: %j', async (answer) => {
  answers.push(answer);
  expect(await saved(claim('x'))).toMatchObject({ problem: undefined, taken: [snapshotOf('x')] });
  expect(created).toHaveLength(2);
});

test('told to leave, it waits for no snapshot', async () => {
  takesMs = 1e9;
  void world.clock.sleep(3_000).then(() => stop.abort());
  expect((await saved(claim('x'))).problem).toBeInstanceOf(Abandoned);
  expect(world.clock.monotonic()).toBe(3_000);
});

test('another process finds those of its run that are ready', async () => {
  there.set('n/x-r1', READY);
  there.set('n/y-r1', { ready: false, error: undefined });
  const claims = ['x', 'y', 'z'].map((name) => claim(name));
  const snapshots = new ClaimSnapshots(world.target, { snapshots: claims });
  expect(await snapshots.find('r1')).toMatchObject([snapshotOf('x')]);
  expect(await snapshots.find('r2')).toEqual([]);
});

test('the name of a snapshot is no longer than a name may be', async () => {
  const name = 'x'.repeat(253);
  await saved(claim(name));
  expect(created).toEqual([`n/${'x'.repeat(220)}-r1 of ${name}`]);
});
