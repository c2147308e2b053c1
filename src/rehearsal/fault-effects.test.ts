// Every fault of the table happens in a rehearsal, and the run comes to an end that has a name.
import { expect, test } from 'vitest';
import { buildPlan } from '../plan/build-plan.ts';
import { compile } from '../plan/compile.ts';
import { Observer } from './build-report.ts';
import { rehearseDeploy } from './deploy-in-rehearsal.ts';
import { FAULTS } from './fault-table.ts';
import { profileOfRun } from './files.ts';
import { holdEverything } from './hold-at-start.ts';
import { parseFaults } from './parse-fault.ts';
import { Rehearsal } from './rehearsal.ts';
import { exampleOf } from './render-fault.ts';
import { populate } from './scenario.ts';

const TEXT = `
apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: small}
spec:
  gate: {dwell: 2s, degradedGrace: 5s}
  timeouts: {sync: 1m, health: 1m}
  retries: {maxAttempts: 2, backoff: 2s}
  stacks:
    - name: one
      application: one-stack
      applications:
        - {name: base, expectedDuration: 30s}
        - {name: NAME, dependsOn: [base], expectedDuration: 40s}
        - {name: last, dependsOn: [NAME], expectedDuration: 20s}
`.replaceAll('NAME', 'middle');
const ASKING = TEXT.replace('40s}', '40s, gate: {approval: Look at it}}').replace(
  'health: 1m}',
  'health: 1m, run: 30m}',
);
const PROBING = TEXT.replace('40s}', '40s, gate: {probe: {tcp: "a:1"}}}');
const platformOf = (text: string) => compile({ file: 'platform.yaml', text });
const NAMES = ['base', 'middle', 'last'];

/** In the middle of the second application's time. */
const MOMENT = 'at 50s';
/** What it needs beside itself to be seen. */
const BESIDE: Readonly<Record<string, string>> = {
  'ends-slowly': 'app:middle hangs',
  orphans: 'app:middle hangs',
};

const textFor = (effect: string): string => {
  if (effect === 'probe-fails') return PROBING;
  return ['denied', 'unanswered'].includes(effect) ? ASKING : TEXT;
};

function lineOf(kind: (typeof FAULTS)[number]): string {
  // Of four requests, one in five may well be none.
  const line = exampleOf(kind).replace(/(overlooks|misses-refreshes) 20%/, '$1 80%');
  return line.replace('NAME', 'middle').replace('at 5m', MOMENT);
}

async function rehearse(lines: readonly string[], text = TEXT) {
  const compiled = platformOf(text);
  const faults = parseFaults(lines, NAMES);
  const rehearsal = new Rehearsal({
    seed: 7,
    faults,
    pace: { settle: () => new Promise((resolve) => setImmediate(resolve)) },
    start: 0,
    namespace: 'argocd',
  });
  populate(rehearsal, compiled.platform);
  holdEverything(rehearsal, compiled.platform);
  const plan = buildPlan(compiled, { action: 'deploy' });
  const { signal } = new AbortController();
  const observer = new Observer(rehearsal);
  const running = rehearseDeploy({
    rehearsal,
    plan,
    whole: plan,
    concurrency: 5,
    keepHold: false,
    listen: (event) => observer.event(event),
    stop: signal,
    abort: signal,
  });
  const runs = await rehearsal.time.until(running, 3600_000);
  // A run does not wait for the end of what it has terminated.
  await rehearsal.time.advance(5_000);
  const expected = new Map<string, number>();
  const { forecast } = observer.report({
    ...{ rehearsal, seed: 7, faults, plan, concurrency: 5, expected, runs },
  });
  const seconds = forecast.gains.find(({ id }) => id === 'app:middle')?.duration ?? Number.NaN;
  return { runs, seconds, met: faults.map((fault) => rehearsal.faults.met.get(fault) ?? 0) };
}

test.each(FAULTS.map((kind) => [lineOf(kind), kind] as const))('%s', async (line, kind) => {
  const beside = BESIDE[kind.effect];
  const lines = beside ? [line, beside] : [line];
  const { runs, met } = await rehearse(lines, textFor(kind.effect));
  expect(met[0]).toBeGreaterThan(0);
  const last = runs.at(-1);
  const said = last?.report?.nodes.filter(({ outcome }) => outcome === 'failed') ?? [];
  const isHealthy = runs.some(({ report }) => report?.exitStatus === 0);
  const causes = said.map(({ cause }) => cause?.message ?? '').join();
  if (!isHealthy) expect(`${causes}${last?.report?.reason ?? ''}`).not.toBe('');
});

test('without a fault all is Healthy', async () => {
  const { runs } = await rehearse([]);
  expect(runs.map(({ report }) => report?.exitStatus)).toEqual([0]);
});

test.each([
  [[], 0, 'healthy', ''],
  [['app:middle denied'], 2, 'failed', 'denied by rehearsal at 1970-01-01T00:0'],
  [['app:middle unanswered for 20m'], 0, 'healthy', ''],
  [['app:middle unanswered'], 4, 'failed', 'the run timed out'],
  [['tiphys killed at 100s'], 0, 'healthy', ''],
] as const)('somebody is asked for approval: %j', async (lines, status, outcome, cause) => {
  const { runs } = await rehearse(lines, ASKING);
  const report = runs.at(-1)?.report;
  const node = report?.nodes.find(({ id }) => id === 'app:middle');
  expect([report?.exitStatus, node?.outcome]).toEqual([status, outcome]);
  expect(node?.cause?.message ?? '').toContain(cause);
  if (outcome === 'healthy') expect(node?.evidence?.approval?.by).toBe('rehearsal');
});

test.each([[[]], [['app:middle unanswered for 20m']]])(
  "the time until somebody answers is not the application's: %j",
  async (lines) => {
    const [asked, other] = [await rehearse(lines, ASKING), await rehearse([])];
    expect(Math.abs(asked.seconds - other.seconds)).toBeLessThan(10);
    const profile = ({ runs }: typeof asked) => {
      const text = JSON.stringify(runs.at(-1)?.report);
      return profileOfRun({ file: 'run.json', text }, NAMES).get('middle') ?? Number.NaN;
    };
    expect(Math.abs(profile(asked) - profile(other))).toBeLessThan(10);
  },
);
test.each([
  [[], 0, 'healthy', ''],
  [['app:middle probe-fails for 5s'], 0, 'healthy', ''],
  [['app:middle probe-fails'], 2, 'failed', 'last result: rehearsed'],
  [['tiphys killed at 70s'], 0, 'healthy', ''],
] as const)('its gate has a probe: %j', async (lines, status, outcome, cause) => {
  const { runs } = await rehearse(lines, PROBING);
  const report = runs.at(-1)?.report;
  const node = report?.nodes.find(({ id }) => id === 'app:middle');
  expect([report?.exitStatus, node?.outcome]).toEqual([status, outcome]);
  expect(node?.cause?.message ?? '').toContain(cause);
  if (outcome === 'healthy') expect(node?.evidence?.probe?.succeeded).toBe(true);
});
