// Applications that make Applications that make others: three levels, in one run.
import { expect, test } from 'vitest';
import { app, causeOf, outcomes, planFrom, World } from '../../../test/fakes/run-world.ts';

interface Spec {
  readonly inOuter?: readonly object[];
  readonly inInner?: readonly object[];
}

const QUICK = { timeouts: { sync: '2m', health: '2m', run: '2h' }, retries: { backoff: '1s' } };

/** The root makes `outer`, which makes `inner`, which makes `leaf`. */
function nested({ inOuter = [], inInner = [app('leaf')] }: Spec = {}) {
  return planFrom({
    ...QUICK,
    root: 'root',
    stacks: [
      { name: 'o', application: 'outer', applications: inOuter },
      { name: 'i', parent: 'o', application: 'inner', applications: inInner },
    ],
  });
}

/** Each is there when another one, its maker, has come so far. */
function madeBy(world: World, makers: Readonly<Record<string, () => boolean>>): void {
  const isHidden = (name: string) => makers[name]?.() === false;
  world.applications.get = async (address) =>
    isHidden(address.name) ? undefined : await world.honest.get(address);
  world.last = (honest) => (address) => (isHidden(address.name) ? undefined : honest(address));
  world.applications.list = async (namespaces) =>
    (await world.honest.list(namespaces)).filter(({ name }) => !isHidden(name));
}

const succeeded = (world: World, name: string) => () =>
  world.argocd.view(name).operationState?.phase === 'Succeeded';
const healthy = (world: World, name: string) => () =>
  world.argocd.view(name).health.status === 'Healthy';

test('each level is made by the one above, and closed after the one below', async () => {
  const world = new World({ root: { sync: 2 }, outer: { sync: 2 }, inner: { sync: 2 }, leaf: {} });
  madeBy(world, {
    outer: succeeded(world, 'root'),
    inner: succeeded(world, 'outer'),
    leaf: succeeded(world, 'inner'),
  });
  const report = await world.run(nested(), { concurrency: 1 });
  expect(report.exitStatus).toBe(0);
  expect(world.order()).toBe('root outer inner leaf');
  const closed = world.events.flatMap((event) =>
    event.type === 'gate.opened' && event.node.startsWith('close:') ? [event.node] : [],
  );
  expect(closed).toEqual(['close:stack:i', 'close:stack:o', 'close:platform']);
});

test('a run that finds all of it Healthy writes nothing', async () => {
  const world = new World({ root: {}, outer: {}, inner: {}, leaf: {} });
  await world.run(nested());
  const before = world.argocd.syncs.length;
  const report = await world.run(nested());
  expect(report.exitStatus).toBe(0);
  expect(world.argocd.syncs.length).toBe(before);
});

test('a parent that is never made has the failure of the one above as its cause', async () => {
  const world = new World({
    root: {},
    outer: { sync: 1, phases: ['Failed'] },
    inner: {},
    leaf: {},
  });
  madeBy(world, { inner: succeeded(world, 'outer'), leaf: succeeded(world, 'inner') });
  const report = await world.run(nested());
  expect(outcomes(report)).toMatchObject({
    ...{ 'open:stack:o': 'failed', 'open:stack:i': 'skipped', leaf: 'skipped' },
    'close:stack:o': 'skipped',
  });
  for (const id of ['open:stack:i', 'app:leaf', 'close:stack:i', 'close:stack:o']) {
    expect(causeOf(report, id)?.node).toBe('open:stack:o');
  }
  expect(world.clock.monotonic()).toBeLessThan(300_000);
});

test('a parent that fails after the one below was opened leaves that to itself', async () => {
  const world = new World({
    ...{ root: {}, outer: { sync: 30, phases: ['Failed'] }, inner: {} },
    leaf: {},
  });
  const report = await world.run(nested());
  expect(outcomes(report)).toMatchObject({
    ...{ leaf: 'healthy', 'close:stack:i': 'healthy' },
    ...{ 'close:stack:o': 'failed', 'close:platform': 'skipped' },
  });
  expect(world.clock.monotonic()).toBeLessThan(600_000);
});

test('members of all levels come while the operations above them go on, with one slot', async () => {
  const world = new World({
    ...{ root: { sync: 300 }, outer: { sync: 200 }, inner: { sync: 100 } },
    ...{ leaf: {}, beside: {} },
  });
  const report = await world.run(nested({ inOuter: [app('beside')] }), { concurrency: 1 });
  expect(report.exitStatus).toBe(0);
  expect(world.argocd.syncs.find(({ name }) => name === 'leaf')?.at).toBeLessThan(60_000);
});

/** `late` is in a wave of `outer` after `inner`, and something in `inner` waits for it. */
const CROSSED = nested({ inOuter: [app('late')], inInner: [app('leaf', ['late'])] });

test('what comes only after a parent whose member waits for it is told as what it is', async () => {
  const world = new World({
    root: {},
    outer: { sync: 7_000 },
    inner: { sync: 7_000 },
    leaf: {},
    late: {},
  });
  madeBy(world, { late: healthy(world, 'inner') });
  const report = await world.run(CROSSED);
  expect(outcomes(report)).toMatchObject({ late: 'failed', leaf: 'skipped' });
  expect(causeOf(report, 'app:late')?.message).toContain(
    'in a later sync wave than "inner", which depends on it: the sync waves contradict the graph',
  );
  expect(world.clock.monotonic()).toBeLessThan(600_000);
});

test('and is waited for where Argo CD takes that parent for Healthy', async () => {
  const world = new World({ root: {}, outer: { sync: 400 }, inner: {}, leaf: {}, late: {} });
  world.settle('inner');
  madeBy(world, { late: () => world.clock.monotonic() > 330_000 });
  void world.clock.sleep(331_000).then(() => world.argocd.change('late', {}));
  expect((await world.run(CROSSED)).exitStatus).toBe(0);
});

test('told to stop, a run waits for no operation of any level', async () => {
  const world = new World({
    ...{ root: { sync: 7_000 }, outer: { sync: 7_000 }, inner: { sync: 7_000 } },
    ...{ leaf: {}, next: {} },
  });
  const running = world.start(nested({ inInner: [app('leaf'), app('next', ['leaf'])] }));
  await world.clock.advance(8_000);
  world.stop.abort();
  const report = await world.clock.until(running);
  expect(outcomes(report)).toMatchObject({ leaf: 'healthy', next: 'skipped' });
  expect(world.clock.monotonic()).toBeLessThan(200_000);
});

test('a member that fails keeps every level above it from closing, and none from ending', async () => {
  const slow = { automated: true, sync: 7_000 };
  const world = new World({
    root: slow,
    outer: slow,
    inner: slow,
    leaf: { automated: true, phases: ['Failed'] },
  });
  const report = await world.run(nested());
  expect(outcomes(report)).toMatchObject({
    ...{ leaf: 'failed', 'close:stack:i': 'skipped', 'close:stack:o': 'skipped' },
    'close:platform': 'skipped',
  });
  expect(causeOf(report, 'close:platform')?.node).toBe('app:leaf');
  expect(world.held()).toEqual(expect.arrayContaining(['inner', 'leaf', 'outer', 'root']));
  expect(world.clock.monotonic()).toBeLessThan(300_000);
});
