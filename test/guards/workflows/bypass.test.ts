// A sync by somebody else before its dependencies were Healthy is named by every engine, and by a validation afterwards.
import { describe, expect, test } from 'vitest';
import { statusOf } from '../../../src/engines/inspect/read-status.ts';
import { validate } from '../../../src/engines/inspect/validate-platform.ts';
import { renderStatus } from '../../../src/view/status-text.ts';
import { renderValidation } from '../../../src/view/validation-text.ts';
import { operationState } from '../../fakes/application.ts';
import { outcomes, planOf, World } from '../../fakes/run-world.ts';
import { MiniController } from '../../fakes/workflow-controller.ts';
import { ENGINES } from './all-engines.ts';

const PLAN = planOf('base:', 'top: base');

/** Synced by alice so many seconds from now, or by Argo CD itself. */
function syncedIn(world: World, seconds: number, automated = false): () => string {
  let at = 0;
  void world.clock.sleep(seconds * 1000).then(() => {
    at = Math.floor(world.clock.now() / 1000);
    const username = automated ? '' : 'alice';
    const who = { infos: new Map(), automated, username, startedAt: at, finishedAt: at + 1 };
    world.settle('top', { operationState: operationState(who) });
  });
  return () => new Date(at * 1000).toISOString();
}

describe.each(ENGINES)('%s', (_, run) => {
  test('before its dependency is Healthy: who and when', async () => {
    const world = new World({ base: { sync: 120 }, top: {} });
    const at = syncedIn(world, 60);
    const report = await run(world, PLAN);
    expect([outcomes(report), report.exitStatus]).toEqual([
      { base: 'healthy', top: 'unchanged' },
      0,
    ]);
    const bypass = { node: 'app:top', application: 'top', by: 'alice', at: at() };
    expect(report.bypasses).toEqual([{ ...bypass, before: ['app:base'] }]);
    expect(report.warnings.join()).toContain(`"top" was synced by "alice" at ${at()}`);
  });

  test.each<[string, number, boolean]>([
    ['Argo CD itself', 60, true],
    ['somebody, once it is Healthy', 300, false],
  ])('by %s: nothing is said', async (_, seconds, automated) => {
    const world = new World({ base: { sync: 120 }, top: {} });
    syncedIn(world, seconds, automated);
    const report = await run(world, PLAN);
    expect([report.bypasses, report.warnings]).toEqual([undefined, []]);
  });

  test('and synced by Tiphys afterwards, since Git wants something else', async () => {
    const world = new World({ base: { sync: 120 }, top: {} });
    syncedIn(world, 60);
    void world.clock.sleep(80_000).then(() => {
      world.argocd.change('top', { sync: { status: 'OutOfSync', revisions: ['rev-1'] } });
    });
    const report = await run(world, PLAN);
    expect(outcomes(report).top).toBe('healthy');
    expect(report.bypasses).toMatchObject([{ application: 'top', by: 'alice' }]);
  });
});

test.each(['pods', 'agent'] as const)(
  'strict, as a Workflow of %s: exit status 2',
  async (shape) => {
    const world = new World({ base: { sync: 120 }, top: {} });
    syncedIn(world, 60);
    const strict = Object.assign(world, { strict: true });
    const { report } = await world.clock.until(new MiniController(strict, PLAN, 'wf', shape).run());
    expect([report?.exitStatus, report?.bypasses?.length]).toEqual([2, 1]);
  },
);

describe('a validation', () => {
  async function validated(world: World, strict: boolean) {
    const { target, clock } = world;
    const { signal } = new AbortController();
    const parts = { target, clock, signal, concurrency: 1, refresh: true, strict };
    return await clock.until(validate(PLAN, parts));
  }
  function deployed(first: number): World {
    const world = new World({ base: {}, top: {} });
    const startedAt = 50;
    const alice = { infos: new Map(), username: 'alice', startedAt, finishedAt: 55 };
    world.settle('base', { createdAt: 10, firstDeployedAt: first });
    world.settle('top', { operationState: operationState(alice) });
    return world;
  }

  test('names it, and with --strict the exit status is 2', async () => {
    const world = deployed(60);
    const validation = await validated(world, false);
    expect([validation.exitStatus, validation.state]).toEqual([0, 'Healthy']);
    expect(validation.bypasses).toMatchObject([{ application: 'top', before: ['app:base'] }]);
    const text = renderValidation(validation);
    expect(text).toContain('top was last synced by "alice" at 1970-01-01T00:00:50.000Z\n');
    expect(text).toContain('warning: Application "top" was synced by "alice" at 1970');
    expect((await validated(world, true)).exitStatus).toBe(2);
  });

  test('names who synced it last where the order was kept, and that is no warning', async () => {
    const world = deployed(40);
    const validation = await validated(world, true);
    expect([validation.exitStatus, validation.bypasses]).toEqual([0, undefined]);
    expect(renderValidation(validation)).toContain('top was last synced by "alice"');
    const status = await statusOf(PLAN, world.target, world.clock);
    expect(renderStatus(status)).toContain('top was last synced by "alice" at 1970-01-01T00:00:50');
    expect(status.nodes.map(({ syncedBy }) => syncedBy?.by)).toEqual([undefined, 'alice']);
  });
});
