// How long a teardown takes, against the longest chain of what each application took.
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { CAUTIOUS } from '../../../src/inventory/inventory.ts';
import { buildPlan } from '../../../src/plan/build-plan.ts';
import { compile } from '../../../src/plan/compile.ts';
import { rehearseDeploy } from '../../../src/rehearsal/deploy-in-rehearsal.ts';
import { Rehearsal } from '../../../src/rehearsal/rehearsal.ts';
import { populate } from '../../../src/rehearsal/scenario.ts';
import { rehearseTeardown } from '../../../src/rehearsal/teardown-in-rehearsal.ts';

vi.setConfig({ testTimeout: 120_000 });

const FILE = 'examples/reference/platform.yaml';

test('43 applications go within 1.02 of the longest chain', async () => {
  const compiled = compile({ file: FILE, text: readFileSync(FILE, 'utf8') });
  const [deployment, plan] = (['deploy', 'teardown'] as const).map((action) =>
    buildPlan(compiled, { action }),
  );
  if (!deployment || !plan) throw new Error('no plans');
  const settle = () => new Promise<void>((done) => setImmediate(done));
  const rehearsal = new Rehearsal({
    ...{ seed: 1, faults: [], start: Date.UTC(2026, 0, 1), namespace: 'argocd', pace: { settle } },
  });
  populate(rehearsal, compiled.platform);
  const never = () => new AbortController().signal;
  const signals = () => ({ stop: never(), abort: never(), listen: () => {} });
  const up = rehearseDeploy({
    ...{ rehearsal, plan: deployment, whole: deployment, concurrency: 100, keepHold: false },
    ...signals(),
  });
  expect((await rehearsal.time.until(up))[0]?.report?.exitStatus).toBe(0);
  const down = rehearseTeardown({
    ...{ rehearsal, seed: 1, policy: CAUTIOUS, plan, whole: plan, deployment, concurrency: 100 },
    ...{ stuckAfter: 300, ...signals() },
  });
  const { exitStatus, duration, critical } = await rehearsal.time.until(down);
  expect(exitStatus).toBe(0);
  expect(critical.path.length).toBeGreaterThan(7);
  expect(duration / critical.duration).toBeLessThanOrEqual(1.02);
});
