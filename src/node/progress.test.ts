// What is reported of a node: how long each part took, and what came of it.
import { expect, test } from 'vitest';
import { application, evidence } from '../../test/fakes/application.ts';
import { NodeWorld, unreachable } from '../../test/fakes/node-world.ts';
import { Progress } from './progress.ts';

const SEEN = application({ repositories: ['git/shop'] });
const FAILURE = { message: 'no', resource: 'Pod web/api', final: false };
const FIRST = { number: 1, superseded: 0 };

function begun() {
  const world = new NodeWorld();
  world.clock.pause(1_000_000);
  return { world, progress: new Progress(world.context) };
}

test('each part of the time is counted once, over all attempts', () => {
  const { world, progress } = begun();
  const { clock } = world;
  // Looking at it is neither.
  clock.pause(500);
  progress.syncing('op-1', FIRST);
  clock.pause(1_000);
  progress.synced(['rev-1']);
  clock.pause(20_000);
  progress.superseded();
  progress.syncing('op-2', { number: 1, superseded: 1 });
  clock.pause(2_000);
  progress.synced(['rev-2']);
  clock.pause(300_000);
  progress.attemptFailed(1, FAILURE);
  // The backoff is neither, too.
  clock.pause(10_000);
  progress.syncing('op-3', { number: 2, superseded: 0 });
  clock.pause(3_000.4);
  progress.synced(['rev-2']);
  clock.pause(4_010_000);
  const result = progress.healthy(SEEN, { evidence: evidence(), dwellMs: 10_000 });
  expect(result).toEqual({
    outcome: 'healthy',
    cause: undefined,
    evidence: evidence(),
    attempts: 2,
    operations: ['op-1', 'op-2', 'op-3'],
    revisions: ['rev-1'],
    repositories: ['git/shop'],
    durations: { sync: 6, health: 4_320, dwell: 10 },
  });
  const { message, resource } = FAILURE;
  expect(world.events).toEqual([
    { type: 'node.attempt-failed', node: 'app:a', attempt: 1, message, resource },
  ]);
});

test('what failed has the revisions of its last operation', () => {
  const { world, progress } = begun();
  progress.syncing('op-1', FIRST);
  world.clock.pause(1_000);
  progress.synced(['rev-7']);
  world.clock.pause(2_500);
  progress.attemptFailed(1, FAILURE);
  expect(progress.fail(FAILURE)).toEqual({
    outcome: 'failed',
    cause: { node: 'app:a', message: 'no', resource: 'Pod web/api' },
    evidence: null,
    attempts: 1,
    operations: ['op-1'],
    revisions: ['rev-7'],
    repositories: [],
    durations: { sync: 1, health: 2.5, dwell: 0 },
  });
});

test('what nothing was done to has no operation', () => {
  const nothing = { attempts: 0, operations: [], durations: { sync: 0, health: 0, dwell: 0 } };
  expect(begun().progress.unchanged(SEEN, evidence())).toMatchObject({
    ...nothing,
    outcome: 'unchanged',
    evidence: evidence(),
    revisions: ['rev-1'],
  });
  expect(begun().progress.opened(SEEN)).toMatchObject({
    ...nothing,
    outcome: 'unchanged',
    evidence: null,
    revisions: [],
  });
});

test('a parent that was synced is not unchanged', () => {
  const { progress } = begun();
  progress.syncing('op-1', FIRST);
  expect(progress.opened(SEEN)).toMatchObject({ outcome: 'healthy', operations: ['op-1'] });
});

test('what is missing by the failure of another is skipped, otherwise it has failed', () => {
  const cause = { node: 'open:stack:s', message: 'no' };
  expect(begun().progress.missing({ message: 'none', cause })).toMatchObject({
    outcome: 'skipped',
    cause,
  });
  expect(begun().progress.missing({ message: 'none' })).toMatchObject({
    outcome: 'failed',
    cause: { node: 'app:a', message: 'none' },
  });
});

test('an error of the cluster is a failure of the node, any other is not', async () => {
  const { progress } = begun();
  const result = await progress.endOf(async () => {
    throw unreachable();
  });
  expect(result).toMatchObject({ outcome: 'failed', cause: { message: 'no route' } });
  const bug = progress.endOf(async () => {
    throw new Error('a bug');
  });
  await expect(bug).rejects.toThrow('a bug');
});
