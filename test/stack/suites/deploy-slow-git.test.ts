// Git that needs long to say which revision a branch has: argocd-server answers a sync request only when it knows.
import { describe, expect } from 'vitest';
import { LEASE_DURATION_MS } from '../../../src/session/lease/lease-data.ts';
import type { Mark } from '../kit/audit.ts';
import { memberName } from '../kit/family.ts';
import { paceOf } from '../kit/pace.ts';
import { QUICK } from '../kit/platform.ts';
import { type Passing, Relay } from '../kit/relay.ts';
import { heard } from '../kit/run-events.ts';
import type { Scratch } from '../kit/scratch.ts';
import { SlowGit } from '../kit/slow-git.ts';
import { test } from '../kit/test.ts';
import { deployed, type Started, Tiphys } from '../kit/tiphys.ts';
import { operationsOf } from '../kit/traces.ts';
import { configMap } from '../kit/workloads.ts';
import { waitFor } from '../run.ts';

/** Argo CD gives a Git server 15 s for an answer, and asks for the revisions of several sources one after the other. */
const EACH_MS = 12_000;
const SOURCES = ['one', 'two'];

interface Slow {
  readonly tiphys: Tiphys;
  readonly args: readonly string[];
  /** The sync requests of `slow`, with how long each took. */
  readonly requests: Passing[];
  /** When argocd-server answered the first of them, in milliseconds since 1970. */
  readonly answeredAt: () => number | undefined;
}

/** `slow`, and `last` behind it. Git takes its time only while the sync of `slow` is asked for. */
async function platform(scratch: Scratch): Promise<Slow> {
  const git = await SlowGit.start(scratch);
  await scratch.repository.commit({
    'one/map.yaml': configMap('one', {}),
    'two/map.yaml': configMap('two', {}),
    'last/map.yaml': configMap('last', {}),
  });
  const sources = SOURCES.map((path) => ({ repoURL: git.url, path, targetRevision: 'main' }));
  const slow = await scratch.application('slow', { path: 'one', sources });
  const last = await scratch.application('last', { path: 'last' });
  const tiphys = new Tiphys(scratch);
  const applications = [{ name: slow }, { name: last, dependsOn: [slow] }];
  await tiphys.platform({ ...QUICK, stacks: [{ name: 's', applications }] });
  const relay = await Relay.start();
  scratch.afterwards(async () => relay.close());
  const requests: Passing[] = [];
  let answeredAt: number | undefined;
  const isIt = ({ method, path }: Passing) =>
    method === 'POST' && path.startsWith(`/api/v1/applications/${slow}/sync`);
  relay.hooks.arrived = (passing) => {
    if (isIt(passing)) requests.push(passing);
    if (isIt(passing)) git.delayMs = EACH_MS;
    return true;
  };
  relay.hooks.answered = (passing) => {
    if (isIt(passing)) git.delayMs = 0;
    if (isIt(passing)) answeredAt ??= Date.now();
    return true;
  };
  const args = ['deploy', '-o', 'json', '--argocd-server', relay.url, '--argocd-insecure'];
  return { tiphys, args, requests, answeredAt: () => answeredAt };
}

interface LeaseBody {
  readonly spec: { readonly holderIdentity?: string; readonly leaseDurationSeconds?: number };
}

/** What was written to the platform's Lease, in order. */
async function leases({ stack, name }: Scratch, mark: Mark): Promise<LeaseBody['spec'][]> {
  const resource = 'leases.coordination.k8s.io';
  const writes = await stack.audit.since(mark, { resource, name: `tiphys-${name}` });
  return writes.map(({ request }) => (request as LeaseBody).spec);
}

/** What the run says when the request of `slow` has no answer yet. */
async function silence(run: Started, scratch: Scratch): Promise<string> {
  let message = '';
  await heard(run, (event) => {
    if (event.type !== 'node.waiting' || event.unmet.condition !== 'accepted') return false;
    message = event.unmet.message;
    return event.node === `app:${memberName(scratch, 'slow')}`;
  });
  return message;
}

describe.concurrent('a sync request whose revisions take long to resolve', () => {
  test('is waited for and sent once, and the Lease is kept meanwhile', async ({
    stack,
    scratch,
  }) => {
    const { tiphys, args, requests } = await platform(scratch);
    const mark = await stack.audit.mark();
    const run = tiphys.start(args);
    expect(await silence(run, scratch)).toMatch(/^the sync request of ".*-slow": no answer since/);
    const end = deployed(await run.ended);
    expect([end.status, end.report.counts.healthy], end.stdout).toEqual([0, 2]);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.took).toBeGreaterThan(SOURCES.length * EACH_MS);
    const made = await operationsOf(scratch, mark);
    expect(made.map(({ application }) => application)).toEqual(['slow', 'last']);
    const written = await leases(scratch, mark);
    const holders = written.map(({ holderIdentity }) => holderIdentity).filter(Boolean);
    expect(new Set(holders).size).toBe(1);
    // Longer than usual while the request was under way, and not before or after it.
    const long = written.map(
      ({ leaseDurationSeconds = 0 }) => leaseDurationSeconds > LEASE_DURATION_MS / 1000,
    );
    expect([long[0], long.includes(true), long.at(-1)]).toEqual([false, true, false]);
  });

  test('outlives a run that is killed: the next one waits for it and makes no second operation', async ({
    stack,
    scratch,
  }) => {
    const { tiphys, args, requests, answeredAt } = await platform(scratch);
    const pace = await paceOf(tiphys);
    const mark = await stack.audit.mark();
    const killed = tiphys.start(args);
    await silence(killed, scratch);
    killed.child.kill('SIGKILL');
    const dead = Date.now();
    await killed.ended;
    const next = tiphys.start(args);
    const began = heard(next, ({ type }) => type === 'run.started').then(() => Date.now());
    const answered = await waitFor('the request of the dead run to be answered', answeredAt);
    const end = deployed(await next.ended);
    expect([end.status, end.report.counts.healthy], end.stdout).toEqual([0, 2]);
    expect(end.events[0]).toMatchObject({ type: 'run.started', resumed: true });
    expect(await began).toBeGreaterThan(answered);
    // As long as the request may last, what a takeover waits for beyond, and the start of the command.
    expect((await began) - dead).toBeLessThan(41_000 + 3 * pace);
    expect(requests).toHaveLength(1);
    const made = await operationsOf(scratch, mark);
    expect(made.map(({ application }) => application)).toEqual(['slow', 'last']);
  });
});
