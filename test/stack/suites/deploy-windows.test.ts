// A sync window that somebody closes while a run is under way: it waits, its own operation goes on later, and nothing is asked twice.
import { expect } from 'vitest';
import type { RunEvent } from '../../../src/run/events.ts';
import { memberName } from '../kit/family.ts';
import { operationEndsSince } from '../kit/operations.ts';
import { heldApplications, QUICK } from '../kit/platform.ts';
import { heard } from '../kit/run-events.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { deployed, Tiphys } from '../kit/tiphys.ts';
import { operationsOf } from '../kit/traces.ts';
import { configMap, deployment, preSyncPod } from '../kit/workloads.ts';

const APPLICATIONS = 'applications.argoproj.io';
const REFRESH = /"argocd\.argoproj\.io\/refresh":"normal"/;

/** A window of somebody else that lets nothing through, not even what people ask for. */
const CLOSED = { kind: 'deny', schedule: '* * * * *', duration: '1h', manualSync: false } as const;

/** `slow` has an operation of some seconds; `behind` comes after `before`, whose gate opens while the window is closed. */
async function platform(scratch: Scratch): Promise<Tiphys> {
  await scratch.repository.commit({
    'slow/hook.yaml': preSyncPod('hook', 'exit', '--code=0', '--after=6s'),
    'slow/map.yaml': configMap('slow', {}),
    'before/app.yaml': deployment({ name: 'before', readyAfter: '12s' }),
    'behind/map.yaml': configMap('behind', {}),
  });
  await heldApplications(scratch, 'slow', 'before', 'behind');
  const name = (suffix: string) => memberName(scratch, suffix);
  const tiphys = new Tiphys(scratch);
  const applications = [
    { name: name('slow') },
    { name: name('before') },
    { name: name('behind'), dependsOn: [name('before')] },
  ];
  // Shorter than the window is closed: its time is not the applications'.
  const timeouts = { sync: '15s', health: '4m' };
  await tiphys.platform({ ...QUICK, timeouts, stacks: [{ name: 's', applications }] });
  return tiphys;
}

const waits = (event: RunEvent, node: string, message: RegExp) =>
  event.type === 'node.waiting' && event.node === node && message.test(event.unmet.message);

test('a window that closes during a run keeps an operation and a request waiting, and both go on when it opens', async ({
  stack,
  scratch,
}) => {
  const tiphys = await platform(scratch);
  const id = (suffix: string) => `app:${memberName(scratch, suffix)}`;
  const names = ['slow', 'behind'].map((suffix) => memberName(scratch, suffix));
  const mark = await stack.audit.mark();
  const run = tiphys.start(['deploy', '-o', 'json']);
  const frozen = heard(run, (event) => waits(event, id('slow'), /blocked by sync window/));
  const forbidden = heard(run, (event) => waits(event, id('behind'), /a sync window forbids it/));
  await heard(run, (event) => waits(event, id('slow'), /Running/));
  await stack.changeProject(scratch.name, ({ spec }) => {
    spec.syncWindows = [...(spec.syncWindows ?? []), { ...CLOSED, applications: names }];
  });
  await Promise.all([frozen, forbidden]);
  // Both have waited longer than they may take.
  const closed = Date.now();
  await stack.application(memberName(scratch, 'slow'), 'still in its operation', ({ status }) => {
    return status?.operationState?.phase === 'Running' && Date.now() - closed > 16_000;
  });
  expect(run.child.exitCode, run.stdout()).toBeNull();
  const made = async () => (await operationsOf(scratch, mark)).map((one) => one.application);
  expect((await made()).toSorted()).toEqual(['before', 'slow']);
  await stack.changeProject(scratch.name, ({ spec }) => {
    spec.syncWindows = (spec.syncWindows ?? []).filter(({ manualSync }) => manualSync);
  });
  const opened = Date.now();
  const end = deployed(await run.ended);
  expect([end.status, end.report.counts.healthy, end.report.held], end.stdout).toEqual([0, 3, []]);
  expect((await made()).toSorted()).toEqual(['before', 'behind', 'slow']);
  const ends = await operationEndsSince(stack, mark, new RegExp(`^${scratch.name}-`));
  expect(ends.map(({ phase }) => phase)).toEqual(['Succeeded', 'Succeeded', 'Succeeded']);
  // Argo CD was asked to look at the operation again: by itself it does so after minutes.
  const slow = memberName(scratch, 'slow');
  const writes = await stack.audit.since(mark, { resource: APPLICATIONS, name: slow });
  const ended = ends.find(({ application }) => application === slow)?.at.getTime() ?? 0;
  const asked = writes.filter(({ at, request }) => {
    const isBetween = opened < at.getTime() && at.getTime() < ended;
    return isBetween && REFRESH.test(JSON.stringify(request));
  });
  expect(asked).not.toEqual([]);
});
