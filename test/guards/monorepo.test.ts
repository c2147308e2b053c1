// A repository that many commit to: what changes nothing of an application is no reason to sync it again.
import { expect, test } from 'vitest';
import { outcomes } from '../fakes/run-world.ts';
import { REPOSITORY, Rehearsed } from './rehearsed.ts';

const SPEC = {
  timeouts: { sync: '30m', health: '30m' },
  stacks: [{ name: 's', applications: [{ name: 'ceph', expectedDuration: '18m' }] }],
};

test.each(['4m', '10m'])(
  'commits elsewhere every %s lead to no second operation, and to no failure',
  async (every) => {
    const world = new Rehearsed({ spec: SPEC, faults: [`git busy every ${every}`] });
    const report = await world.deploy();
    expect(outcomes(report)).toEqual({ ceph: 'healthy' });
    expect(world.syncs).toEqual(['ceph']);
  },
);

test('a run that finds it synced at an older commit waits for its health only', async () => {
  const world = new Rehearsed({ spec: SPEC, isDeployed: true });
  const { time, git } = world.rehearsal;
  await time.advance(60_000);
  git.move(REPOSITORY);
  const report = await world.deploy();
  expect(outcomes(report)).toEqual({ ceph: 'healthy' });
  expect(world.syncs).toEqual([]);
});

test('a commit that changes it after its operation is synced', async () => {
  const world = new Rehearsed({ spec: SPEC, faults: ['app:ceph changed at 5m'] });
  const report = await world.deploy();
  expect(outcomes(report)).toEqual({ ceph: 'healthy' });
  expect(world.syncs).toEqual(['ceph', 'ceph']);
  const [node] = report.nodes;
  expect(node?.revisions).toEqual([world.rehearsal.git.head(REPOSITORY)]);
});

test('a resource that Argo CD shows as it was before the operation is no change of Git', async () => {
  const faults = ['git busy every 2s', 'argocd stale by 6s'];
  const world = new Rehearsed({ spec: SPEC, faults });
  const report = await world.deploy();
  expect(outcomes(report)).toEqual({ ceph: 'healthy' });
  expect(world.syncs).toEqual(['ceph']);
});
