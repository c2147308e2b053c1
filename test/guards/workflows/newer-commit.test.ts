// A commit that reaches an application after its gate, while the run goes on: what depends on it would be synced at that commit, and may need
// what the commit changes before it. So it waits, in every engine.
import { describe, expect, test } from 'vitest';
import { causeOf, outcomes, planOf, World } from '../../fakes/run-world.ts';
import { ENGINES } from './all-engines.ts';

const PLAN = planOf('first:', 'slow:', 'last: first slow');
const SECOND = 1_000;

/** Healthy throughout: only Git moves on, and `first` is not deployed from it. */
function moving() {
  const world = new World({ first: {}, slow: { sync: 120 }, last: {} });
  const show = (status: string) =>
    world.argocd.change('first', {
      sync: { status, revisions: ['rev-2'] },
      reconciledAt: Math.floor(world.clock.now() / SECOND),
    });
  void world.clock.sleep(60 * SECOND).then(() => show('OutOfSync'));
  return { world, show };
}

const synced = (world: World) => world.argocd.syncs.map(({ name }) => name);

describe.each(ENGINES)('%s', (_, run) => {
  test('nothing starts behind an application that is only behind Git', async () => {
    const { world } = moving();
    const report = await run(world, PLAN);
    expect([outcomes(report).last, report.exitStatus]).toEqual(['skipped', 2]);
    expect(synced(world)).toEqual(['first', 'slow']);
    expect(causeOf(report, 'app:last')).toMatchObject({
      node: 'app:first',
      message: expect.stringContaining('sync status is OutOfSync'),
    });
  });

  test('where somebody deploys that commit in time, the run goes on', async () => {
    const { world, show } = moving();
    void world.clock.sleep(180 * SECOND).then(() => show('Synced'));
    const report = await run(world, PLAN);
    expect(outcomes(report)).toEqual({ first: 'healthy', slow: 'healthy', last: 'healthy' });
    expect(synced(world)).toEqual(['first', 'slow', 'last']);
  });
});
