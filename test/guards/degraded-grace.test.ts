// How long a gate bears with what is Degraded.
import { expect, test } from 'vitest';
import { app, causeOf, oneStack, outcomes, World } from '../fakes/world.ts';

const PLAN = oneStack(
  app('a', [], { retries: { maxAttempts: 1 }, gate: { degradedGrace: '30s', dwell: '0s' } }),
);

/** Degraded five seconds after the sync was asked for. */
async function degraded() {
  const world = new World({ a: { sync: 2, health: 3, becomes: 'Degraded' } });
  const running = world.start(PLAN);
  while (world.argocd.view('a').health.status !== 'Degraded') await world.clock.advance(100);
  return { world, running, since: world.clock.monotonic() };
}

test('what is Degraded for longer than its grace has failed, and not before', async () => {
  const { world, running, since } = await degraded();
  const report = await world.clock.until(running);
  expect([outcomes(report), report.exitStatus]).toEqual([{ a: 'failed' }, 1]);
  expect(causeOf(report, 'app:a')?.message).toContain('Degraded');
  const passed = world.clock.monotonic() - since;
  expect([passed >= 29_900, passed < 33_000]).toEqual([true, true]);
});

test('what recovers within it has not failed, and is not synced again', async () => {
  const { world, running } = await degraded();
  await world.clock.advance(28_000);
  world.argocd.turn('a', 'Healthy');
  const report = await world.clock.until(running);
  expect([outcomes(report), world.order()]).toEqual([{ a: 'healthy' }, 'a']);
});
