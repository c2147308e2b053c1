// What Argo CD calls Healthy is not enough: the objects themselves are looked at, in every engine, before a dependent starts.
import { describe, expect, test } from 'vitest';
import type { LiveResource } from '../../src/ports/application-view.ts';
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
  ['embedded', (world: World) => world.start(PLAN)],
  ['argo-workflows', (world: World) => new MiniController(world, PLAN).run()],
] as const)('%s', (_, start) => {
  test.each(BAD)('an object that %s keeps the gate shut', async (_why, part) => {
    const world = new World({ a: {}, b: {} });
    world.argocd.plant('a', { ...GOOD, ...part });
    const running = start(world);
    await world.clock.advance(60_000);
    expect([world.argocd.view('a').health.status, world.order()]).toEqual(['Healthy', 'a']);
    world.argocd.plant('a', GOOD);
    const ended = await world.clock.until(running);
    const report = 'report' in ended ? ended.report : ended;
    expect([report && outcomes(report), world.order()]).toEqual([
      { a: 'healthy', b: 'healthy' },
      'a b',
    ]);
  });
});
