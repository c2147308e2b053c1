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
      message: 'no longer passes its gate: health is Degraded',
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

  test('fall: what falls while another one is waited for at the end counts, too', async () => {
    const world = new World({ early: {}, other: {}, late: { sync: 120 } });
    const turn = (ms: number, name: string, status: string) =>
      void world.clock.sleep(ms).then(() => world.argocd.turn(name, status));
    turn(60_000, 'early', 'Progressing');
    turn(170_000, 'other', 'Degraded');
    turn(250_000, 'early', 'Healthy');
    const report = await run(world, planOf('early:', 'other:', 'late:'));
    expect([outcomes(report), report.exitStatus]).toEqual([
      { early: 'healthy', other: 'failed', late: 'healthy' },
      2,
    ]);
  });
});

// A process watches until the end of its run; the last pod of a Workflow begins when all others have ended.
test.each(ENGINES.slice(1))(
  '%s: fall: two that fall in turn, again and again, do not keep the run from its end',
  async (_, run) => {
    const world = new World({ early: {}, other: {}, late: { sync: 120 } });
    const flap = async () => {
      await world.clock.sleep(60_000);
      for (let turns = 0; turns < 200; turns++) {
        const [up, down] = turns % 2 === 0 ? ['other', 'early'] : ['early', 'other'];
        world.argocd.turn(down, 'Progressing');
        if (turns > 0) world.argocd.turn(up, 'Healthy');
        await world.clock.sleep(20_000);
      }
    };
    void flap();
    const report = await run(world, planOf('early:', 'other:', 'late:'));
    expect(report.exitStatus).toBe(2);
    const causes = ['app:early', 'app:other'].map((id) => causeOf(report, id)?.message);
    expect(causes.join()).toContain(
      'it does not stay Healthy: it became unhealthy 6 times at the end of the run',
    );
  },
);
