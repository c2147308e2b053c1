// What Argo CD calls Healthy is not enough: the objects themselves are looked at, in every engine, before a dependent starts.
import { describe, expect, test } from 'vitest';
import type { LiveResource } from '../../src/ports/application-view.ts';
import type { Report } from '../../src/report/run-report.ts';
import { outcomes, planOf, World } from '../fakes/world.ts';
import { MiniController } from '../workflows/controller.ts';

const PLAN = planOf('a:', 'b: a');
const GOOD = { present: true, generation: 2, observedGeneration: 2, unfinishedJob: false };
const BAD: readonly (readonly [string, Partial<LiveResource>])[] = [
  ['is not in the cluster', { present: false }],
  ['has a spec that its controller has not seen', { observedGeneration: 1 }],
  ['is a Job that has not finished', { unfinishedJob: true }],
];

describe.each([
  ['embedded', (world: World): Promise<Report | undefined> => world.start(PLAN)],
  ['argo-workflows', async (world: World) => (await new MiniController(world, PLAN).run()).report],
] as const)('%s', (_, start) => {
  test.each(BAD)('an object that %s keeps the gate shut', async (_why, part) => {
    const world = new World({ a: {}, b: {} });
    world.argocd.plant('a', { ...GOOD, ...part });
    const running = start(world);
    await world.clock.advance(60_000);
    expect([world.argocd.view('a').health.status, world.order()]).toEqual(['Healthy', 'a']);
    world.argocd.plant('a', GOOD);
    const report = await world.clock.until(running);
    expect([report && outcomes(report), world.order()]).toEqual([
      { a: 'healthy', b: 'healthy' },
      'a b',
    ]);
  });
});
