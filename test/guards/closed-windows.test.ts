// A sync window that somebody closes: its time counts for the run, and not for the nodes that it keeps waiting.
import { expect, test } from 'vitest';
import { causeOf, outcomes } from '../fakes/run-world.ts';
import { Rehearsed } from './rehearsed.ts';

const timeouts = { sync: '1m', health: '1m', run: '2h' };
const one = (more: object = {}) => ({
  ...{ timeouts, gate: { dwell: '2s', degradedGrace: '5s' } },
  stacks: [{ name: 's', applications: [{ name: 'a', expectedDuration: '20s', ...more }] }],
});

test('before its sync: it is asked for when the window opens', async () => {
  const world = new Rehearsed({ spec: one(), faults: ['project closed at 0s for 10m'] });
  const report = await world.deploy();
  expect(outcomes(report)).toEqual({ a: 'healthy' });
  expect(world.syncs).toEqual(['a']);
  expect(world.waits('app:a')[0]).toMatch(/^a sync window forbids it /);
});

test('during its operation: it goes on when the window opens, and has the time that was left', async () => {
  const faults = ['app:a hangs for 20s', 'project closed at 10s for 10m'];
  const world = new Rehearsed({ spec: one(), faults });
  const report = await world.deploy();
  expect(outcomes(report)).toEqual({ a: 'healthy' });
  expect(world.syncs).toEqual(['a']);
  expect(world.waits('app:a').join()).toContain('blocked by sync window');
});

test('during its operation, for a short time: that does not count either', async () => {
  const faults = ['app:a hangs for 20s', 'project closed at 10s for 45s'];
  const world = new Rehearsed({ spec: one(), faults });
  expect(outcomes(await world.deploy())).toEqual({ a: 'healthy' });
  expect(world.syncs).toEqual(['a']);
});

test('what took its time without the window still ends with its timeout', async () => {
  const faults = ['app:a hangs', 'project closed at 30s for 10m'];
  const world = new Rehearsed({ spec: one(), faults });
  const report = await world.deploy();
  expect(outcomes(report)).toEqual({ a: 'failed' });
  const end = world.rehearsal.time.now / 1000;
  expect(end).toBeGreaterThan(600 + 60);
  expect(end).toBeLessThan(600 + 240);
});

test('before another attempt: the time for its health does not run out meanwhile', async () => {
  const faults = ['app:a degraded after 2s for 30s', 'project closed at 8s for 10m'];
  const world = new Rehearsed({ spec: one({ retries: { maxAttempts: 2 } }), faults });
  const report = await world.deploy();
  expect(world.syncs).toEqual(['a', 'a']);
  expect(outcomes(report)).toEqual({ a: 'healthy' });
});

test("the run's own time goes on", async () => {
  const spec = { ...one(), timeouts: { ...timeouts, run: '10m' } };
  const world = new Rehearsed({ spec, faults: ['project closed at 0s for 1h'] });
  const report = await world.deploy();
  expect([report.exitStatus, report.reason]).toEqual([4, 'the run timed out']);
  expect(world.waits('app:a').join()).toContain('a sync window forbids it');
});

const automated = (world: Rehearsed, prune: boolean, options: readonly string[] = []) =>
  world.change('Application', 'a', ({ spec, ...object }) => ({
    ...object,
    spec: { ...spec, syncPolicy: { automated: { prune }, syncOptions: options } },
  }));

test('what is changed in the Application meanwhile counts: nothing is pruned that must stay', async () => {
  const world = new Rehearsed({ spec: one(), faults: ['project closed at 0s for 10m'] });
  automated(world, true);
  world.rehearsal.time.after(300_000, () => automated(world, false, ['ServerSideApply=true']));
  expect(outcomes(await world.deploy())).toEqual({ a: 'healthy' });
  expect(world.asked).toMatchObject([
    { prune: false, syncOptions: { items: ['ServerSideApply=true'] } },
  ]);
});

test('one that is made anew meanwhile is not synced with what the old one said', async () => {
  const faults = ['project closed at 0s for 10m', 'app:a recreated at 5m'];
  const world = new Rehearsed({ spec: one(), faults });
  const report = await world.deploy();
  expect([world.syncs, causeOf(report, 'app:a')?.message]).toEqual([
    [],
    'it was deleted while its sync was pending',
  ]);
});
