// Requests that need long for an answer, or are answered with an error, on the simulated cluster.
import { describe, expect, test } from 'vitest';
import { buildPlan } from '../../src/plan/build-plan.ts';
import { compile } from '../../src/plan/compile.ts';
import { rehearseDeploy } from '../../src/rehearsal/deploy-in-rehearsal.ts';
import { holdEverything } from '../../src/rehearsal/hold-at-start.ts';
import { parseFaults } from '../../src/rehearsal/parse-fault.ts';
import { type Carried, Rehearsal } from '../../src/rehearsal/rehearsal.ts';
import { populate } from '../../src/rehearsal/scenario.ts';
import type { RunEvent } from '../../src/run/events.ts';

interface Rehearsed {
  readonly run?: string;
  readonly request?: string;
  readonly stopAt?: number;
}

async function rehearse(lines: readonly string[], { run = '1h', request, stopAt }: Rehearsed = {}) {
  const text = `
apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec:
  gate: {dwell: 2s}
  timeouts: {sync: 5m, health: 5m, run: ${run}}
  stacks:
    - name: one
      applications:
        - {name: base, expectedDuration: 10s}
        - {name: top, dependsOn: [base], expectedDuration: 10s}
`;
  const environment = `{name: e, domain: d.example, gitRepository: https://git.example/p, gitRevision: main, timeouts: {request: ${request ?? '30s'}}}`;
  const compiled = compile(
    { file: 'platform.yaml', text },
    request === undefined ? undefined : { file: 'environment.yaml', text: environment },
  );
  const faults = parseFaults(lines, ['base', 'top']);
  const pace = { settle: () => new Promise<void>((resolve) => setImmediate(resolve)) };
  const rehearsal = new Rehearsal({ seed: 7, faults, pace, start: 0, namespace: 'argocd' });
  populate(rehearsal, compiled.platform);
  holdEverything(rehearsal, compiled.platform);
  const plan = buildPlan(compiled, { action: 'deploy' });
  const events: RunEvent[] = [];
  const carried: Carried[] = [];
  rehearsal.onRequest((one) => carried.push(one));
  const [stop, abort] = [new AbortController(), new AbortController()];
  if (stopAt !== undefined) rehearsal.time.after(stopAt * 1000, () => stop.abort());
  const running = rehearseDeploy({
    ...{ rehearsal, plan, whole: plan, concurrency: 5, keepHold: false },
    listen: (event) => events.push(event),
    ...{ stop: stop.signal, abort: abort.signal },
  });
  const runs = await rehearsal.time.until(running, 4 * 3600_000);
  const seconds = rehearsal.time.now / 1000;
  const waits = events.flatMap((event) => (event.type === 'run.waiting' ? [event] : []));
  return { rehearsal, runs, last: runs.at(-1), events, waits, carried, seconds };
}

describe('a hold that Kubernetes does not take', () => {
  test('is told with request, answer and beginning, once, and ends in an error', async () => {
    const { last, waits, seconds } = await rehearse(['project update-fails at 0s for 24h']);
    expect(waits.map(({ unmet }) => unmet)).toEqual([
      {
        condition: 'hold',
        message:
          'PATCH of the AppProject "default": etcdserver: request timed out; retrying since 00:00:00 UTC',
      },
    ]);
    expect(Date.parse(waits[0]?.time ?? '') / 1000).toBeLessThan(8);
    expect(last?.errors[0]).toMatchObject({ code: 'hold-not-written' });
    expect(last?.errors[0]?.message).toMatch(
      /^Run .* could not write its hold: PATCH of the AppProject "default" failed \d\d times in 5m\d*s?; last answer: etcdserver: request timed out\.$/,
    );
    expect(seconds).toBeLessThan(320);
  });

  test("costs the run's time, which counts from its beginning", async () => {
    const { last, seconds } = await rehearse(['project update-fails at 0s for 24h'], { run: '2m' });
    expect(last?.report).toMatchObject({
      exitStatus: 4,
      reason: expect.stringMatching(/^the run timed out; PATCH of the AppProject .*etcdserver/),
    });
    expect(last?.report?.nodes.map(({ outcome }) => outcome)).toEqual(['skipped', 'skipped']);
    expect(seconds).toBeGreaterThanOrEqual(120);
    expect(seconds).toBeLessThan(126);
  });

  test('does not keep a run that is told to stop', async () => {
    const { last, seconds } = await rehearse(['project update-fails at 0s for 24h'], {
      stopAt: 20,
    });
    expect(last?.report).toMatchObject({ exitStatus: 2, reason: 'interrupted' });
    expect(seconds).toBeLessThan(26);
  });

  test('is written once Kubernetes answers again', async () => {
    const { last, waits } = await rehearse(['project update-fails at 0s for 40s']);
    expect(last?.report?.exitStatus).toBe(0);
    expect(waits).toHaveLength(1);
  });

  test('may take as long as a write may', async () => {
    const { last, waits } = await rehearse(['project update-slow by 4s']);
    expect(last?.report?.exitStatus).toBe(0);
    expect(waits).toEqual([]);
  });

  test('that takes longer says so', async () => {
    const { last, waits } = await rehearse(['project update-slow by 6s']);
    expect(waits.at(-1)?.unmet.message).toContain('no answer within 5 s');
    expect(last?.errors[0]).toMatchObject({ code: 'hold-not-written' });
    expect(last?.errors[0]?.message).toContain('last answer: no answer within 5 s');
  });

  test('that nobody may write is refused before the first write', async () => {
    const { last, carried } = await rehearse(['token loses-rights at 0s']);
    expect(last?.errors.map(({ code }) => code)).toContain('cluster-forbidden');
    expect(carried.filter(({ request }) => request.method === 'PATCH')).toEqual([]);
  });

  test('that nobody may write any more ends the run', async () => {
    const { last, carried } = await rehearse(['token loses-rights at 14s']);
    const patches = carried.filter(({ request }) => request.method === 'PATCH');
    expect([...new Set(patches.map(({ answer }) => answer.status))]).toEqual([200, 403]);
    expect(patches.at(-1)?.answer.text).toContain('cannot patch resource');
    expect(last?.report?.exitStatus).not.toBe(0);
    expect(last?.report?.reason).toContain('cannot patch resource');
  });
});

const syncsOf = (carried: readonly Carried[]) =>
  carried.filter(({ request }) => request.path.endsWith('/sync'));

describe('a sync request whose revisions take long to resolve', () => {
  test('is accepted', async () => {
    const { last, carried, events } = await rehearse(['git resolves-slowly by 25s']);
    expect(last?.report?.exitStatus).toBe(0);
    expect(syncsOf(carried)).toHaveLength(2);
    expect(
      events.flatMap((event) => (event.type === 'node.waiting' ? [event] : [])),
    ).toContainEqual(
      expect.objectContaining({
        node: 'app:base',
        unmet: {
          condition: 'accepted',
          message: expect.stringMatching(/^the sync request of "base": no answer since \d\d:/),
        },
      }),
    );
  });

  test('is given up after its time, and the cause is told', async () => {
    const { last, carried } = await rehearse(['git resolves-slowly by 40s']);
    const base = last?.report?.nodes.find(({ id }) => id === 'app:base');
    expect(base?.cause?.message).toMatch(
      /^Argo CD did not accept the sync request in time; the sync request of "base" failed \d times in \dm\d+s; last answer: no answer within 30 s$/,
    );
    expect(syncsOf(carried)).toEqual([]);
  });

  test('has the time that the environment gives it', async () => {
    const slow = 'git resolves-slowly by 40s';
    const { last } = await rehearse([slow], { request: '1m' });
    expect(last?.report?.exitStatus).toBe(0);
    const short = await rehearse(['git resolves-slowly by 8s'], { request: '6s' });
    expect(short.last?.report?.nodes[0]?.cause?.message).toContain('no answer within 6 s');
  });
});

/** Seconds from the death of a run to the first write of the next one. */
async function takeover(lines: readonly string[], killedAt: number) {
  const { carried, runs } = await rehearse([...lines, `tiphys killed at ${killedAt}s`]);
  expect(runs.at(-1)?.report?.exitStatus).toBe(0);
  const isLease = ({ request }: Carried) =>
    request.method === 'PUT' && request.path.includes('/leases/');
  const taken = carried.find((one) => one.who === 'tiphys-2' && isLease(one));
  const late = syncsOf(carried).filter(({ who, at }) => who === 'tiphys' && at >= (taken?.at ?? 0));
  return { seconds: (taken?.at ?? 0) / 1000 - killedAt, late };
}

describe('a takeover', () => {
  test('waits no longer than 20 s beside a restart where no such request was under way', async () => {
    // The next one is started after 5 s.
    const { seconds } = await takeover([], 8);
    expect(seconds).toBeLessThan(5 + 20 + 1);
  });

  test('waits for a request that is under way, which the Lease says', async () => {
    const { seconds, late } = await takeover(['git resolves-slowly by 25s'], 6);
    expect(seconds).toBeGreaterThan(5 + 20);
    expect(seconds).toBeLessThan(5 + 30 + 5 + 1);
    expect(late).toEqual([]);
  });
});
