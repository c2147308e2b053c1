import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { deploy } from '../engines/embedded/run-deploy.ts';
import { buildPlan } from '../plan/build-plan.ts';
import { compile } from '../plan/compile.ts';
import { connectOver } from '../targets/connect.ts';
import { Rehearsal } from './rehearsal.ts';
import { populate } from './scenario.ts';

const file = 'examples/reference/platform.yaml';
const compiled = compile({ file, text: readFileSync(file, 'utf8') });
const plan = buildPlan(compiled, { action: 'deploy' });

async function rehearse(seed: number) {
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const start = Date.UTC(2026, 0, 1);
  const rehearsal = new Rehearsal({
    seed,
    faults: [],
    start,
    namespace: 'argocd',
    pace: { settle },
  });
  populate(rehearsal, compiled.platform);
  const events: string[] = [];
  const { clock, transport, random } = rehearsal.join('tiphys');
  const never = new AbortController().signal;
  const run = async () => {
    const world = { namespace: 'argocd', argocdTokenFile: undefined, clock, random };
    const target = await connectOver({ kubernetes: transport, argocd: undefined }, world);
    return await deploy({
      plan,
      required: [],
      target,
      clock,
      runId: 'run',
      holder: 'here',
      concurrency: 50,
      listen: (event) => events.push(JSON.stringify(event)),
      keepHold: false,
      stop: never,
      abort: never,
    });
  };
  const report = await rehearsal.time.until(run());
  return { report, events, seconds: rehearsal.time.now / 1000 };
}

test('the reference platform comes up, in about the time that its plan expects', async () => {
  const { report, seconds } = await rehearse(1);
  expect(report.exitStatus).toBe(0);
  expect(report.nodes.filter(({ outcome }) => outcome !== 'healthy')).toEqual([]);
  expect(Math.abs(seconds / plan.expectedDuration - 1)).toBeLessThan(0.05);
});

test('the same seed gives the same events, another one others', async () => {
  const [first, again, other] = [await rehearse(7), await rehearse(7), await rehearse(8)];
  expect(again.events).toEqual(first.events);
  expect(other.events).not.toEqual(first.events);
});
