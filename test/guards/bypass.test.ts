// A sync that somebody else asks of Argo CD passes every hold. One that began before its dependencies were Healthy is named.
import { describe, expect, test } from 'vitest';
import { Rehearsed } from './rehearsed.ts';

const CEPH = { name: 'ceph', expectedDuration: '20m', timeouts: { health: '40m' } };
const STORAGE = { name: 'storage', dependsOn: ['ceph'] };
const VAULT = { name: 'vault', dependsOn: ['storage'] };
const SPEC = {
  argocd: { project: 'platform' },
  stacks: [{ name: 's', applications: [CEPH, STORAGE, VAULT] }],
};
const BEFORE = ['app:ceph', 'app:storage'];
const SYNCED = 'app:vault synced-by-others at 5m';

describe('a sync by somebody else, 5 minutes into the deployment', () => {
  test('before its dependency is Healthy: who and when are in the warning, the event and the report', async () => {
    const world = new Rehearsed({ spec: SPEC, faults: [SYNCED] });
    const report = await world.deploy();
    expect(report.nodes.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['app:ceph', 'healthy'],
      ['app:storage', 'healthy'],
      ['app:vault', 'unchanged'],
    ]);
    const bypass = {
      ...{ node: 'app:vault', application: 'vault', by: 'somebody', before: BEFORE },
      at: '2026-01-01T00:05:00.000Z',
    };
    expect(report.bypasses).toEqual([bypass]);
    expect(report.warnings).toEqual([
      expect.stringMatching(/^Application "vault" was synced by "somebody" at 2026-01-01T00:05:0/),
    ]);
    expect(world.events).toContainEqual(expect.objectContaining({ type: 'run.warning', bypass }));
    expect(report.exitStatus).toBe(0);
    expect(world.syncs).toEqual(['ceph', 'storage']);
  });

  test('with --strict the exit status is 2, of the next run, too, until it is synced again', async () => {
    const world = new Rehearsed({
      spec: SPEC,
      faults: [SYNCED, 'app:vault synced-by-others at 3h'],
    });
    expect((await world.deploy({ strict: true })).exitStatus).toBe(2);
    const second = await world.deploy({ strict: true });
    expect([second.exitStatus, second.counts.unchanged]).toEqual([2, 3]);
    await world.rehearsal.time.advance(3 * 3_600_000);
    const third = await world.deploy({ strict: true });
    expect([third.exitStatus, third.bypasses]).toEqual([0, undefined]);
  });

  test('after it, or of what depends on nothing: nothing is said', async () => {
    const faults = ['app:vault synced-by-others at 3h', 'app:storage synced-by-others at 2h'];
    const world = new Rehearsed({ spec: SPEC, faults });
    await world.deploy();
    await world.rehearsal.time.advance(3 * 3_600_000);
    const report = await world.deploy({ strict: true });
    expect([report.exitStatus, report.bypasses, report.warnings]).toEqual([0, undefined, []]);
  });
});

test("Argo CD's own correction of drift is not a bypass", async () => {
  const world = new Rehearsed({
    spec: SPEC,
    isDeployed: true,
    faults: ['app:vault changed at 10m'],
  });
  const report = await world.deploy({ strict: true });
  expect([report.exitStatus, report.bypasses]).toEqual([0, undefined]);
});
