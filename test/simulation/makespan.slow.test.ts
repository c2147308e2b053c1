import { expect, test } from 'vitest';
import { buildPlan } from '../../src/plan/build-plan.ts';
import { compile } from '../../src/plan/compile.ts';
import { makespan } from '../../src/report/makespan.ts';
import { seeded } from '../../src/simulator/random.ts';
import { firstComeSeconds } from './first-come.ts';
import { measureMakespan } from './makespan.ts';
import { worldOf } from './seeded-world.ts';

const PATIENT = { timeout: 120_000 };

test('the reference platform takes no longer than its critical path', PATIENT, async () => {
  const { applications, makespan: whole, criticalPath, end } = await measureMakespan(43);
  expect(end).toMatchObject({ kind: 'report', report: { exitStatus: 0 } });
  expect(applications).toBe(43);
  expect(whole / criticalPath).toBeGreaterThanOrEqual(1);
  expect(whole / criticalPath).toBeLessThanOrEqual(1.01);
});

test('with few slots nothing takes longer than first come, first served', PATIENT, () => {
  let sooner = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const { platform } = worldOf(seed, { mean: 30 });
    const text = JSON.stringify(platform);
    const plan = buildPlan(compile({ file: 'world.yaml', text }), { action: 'deploy' });
    const times = new Map(plan.nodes.map(({ id, expectedDuration }) => [id, expectedDuration]));
    const slots = seeded(seed).whole(1, 6);
    const [ours, theirs] = [makespan, firstComeSeconds].map((of) => of(plan, times, slots));
    expect(ours, `seed ${seed}, ${slots} slots`).toBeLessThanOrEqual((theirs ?? 0) + 1e-6);
    if ((ours ?? 0) < (theirs ?? 0) * 0.99) sooner++;
  }
  // Order matters: else the comparison says nothing.
  expect(sooner).toBeGreaterThan(25);
});
