// What falls after its gate, when nothing waits for it any more: every engine looks once more at the end.
import { describe, expect, test } from 'vitest';
import { app, causeOf, outcomes, planFrom, planOf, World } from '../../fakes/run-world.ts';
import { ENGINES } from './all-engines.ts';

describe.each(ENGINES)('%s', (_, run) => {
  test.each([
    ['the platform', []],
    ['single applications', ['app:early', 'app:late']],
  ])('fall: what is Degraded at the end of %s is not reported as Healthy', async (_, scope) => {
    const world = new World({ early: {}, late: { sync: 120 } });
    const spec = { stacks: [{ name: 's', applications: [app('early'), app('late')] }] };
    void world.clock.sleep(60_000).then(() => world.argocd.turn('early', 'Degraded'));
    const report = await run(world, planFrom(spec, { scope }));
    expect([outcomes(report), report.exitStatus]).toEqual([
      { early: 'failed', late: 'healthy' },
      2,
    ]);
    expect(causeOf(report, 'app:early')).toMatchObject({
      node: 'app:early',
      message: 'fell after its gate had opened: it is Degraded',
    });
  });

  test('fall: beside what had failed before, and every node ends once', async () => {
    const world = new World({ early: {}, late: { sync: 120 }, bad: { becomes: 'Degraded' } });
    void world.clock.sleep(60_000).then(() => world.argocd.turn('early', 'Degraded'));
    const report = await run(world, planOf('early:', 'late:', 'bad:'));
    expect(outcomes(report)).toEqual({ early: 'failed', late: 'healthy', bad: 'failed' });
    const ended = world.events.flatMap((event) =>
      event.type === 'node.finished' && event.outcome === 'skipped' ? [event.node] : [],
    );
    expect(ended).toEqual([...new Set(ended)]);
  });

  test('a newer commit that came after its gate is told of, and is no fall', async () => {
    const world = new World({ early: {}, late: { sync: 120 } });
    void world.clock.sleep(60_000).then(() => {
      world.argocd.change('early', {
        sync: { status: 'OutOfSync', revisions: ['rev-2'] },
        reconciledAt: Math.floor(world.clock.now() / 1000),
      });
    });
    const spec = { stacks: [{ name: 's', applications: [app('early'), app('late')] }] };
    const report = await run(world, planFrom(spec, { scope: ['app:early', 'app:late'] }));
    expect([outcomes(report), report.exitStatus]).toEqual([
      { early: 'healthy', late: 'healthy' },
      0,
    ]);
    expect(report.warnings.join()).toContain(
      '"early" is OutOfSync at a newer commit than this run has deployed',
    );
  });

  test('fall: what is Healthy again by the end is reported so', async () => {
    const world = new World({ early: {}, late: { sync: 60 } });
    void world.clock.sleep(75_000).then(() => world.argocd.turn('early', 'Degraded'));
    void world.clock.sleep(100_000).then(() => world.argocd.turn('early', 'Healthy'));
    const report = await run(world, planOf('early:', 'late:'));
    expect([outcomes(report), report.exitStatus]).toEqual([
      { early: 'healthy', late: 'healthy' },
      0,
    ]);
  });
});
