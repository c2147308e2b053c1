// Who is in charge of an application, and of the platform, while the command runs.
import { describe, expect } from 'vitest';
import type { Report } from '../../../src/report/run-report.ts';
import type { Mark } from '../kit/audit.ts';
import type { Application, AppProject } from '../kit/objects.ts';
import { operationEndsSince } from '../kit/operations.ts';
import { paceOf } from '../kit/pace.ts';
import { heldApplications, holdFromBefore, QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { isDeployed, test } from '../kit/test.ts';
import { type Started, Tiphys } from '../kit/tiphys.ts';
import { operationsOf } from '../kit/traces.ts';
import { configMap, deployment, preSyncPod } from '../kit/workloads.ts';
import { waitFor } from '../run.ts';

const automated = { selfHeal: true };
const isRunning = ({ status }: Application) => status?.operationState?.phase === 'Running';

/** Two applications, the second after the first. */
async function pair(scratch: Scratch, spec: object = {}): Promise<Tiphys> {
  const tiphys = new Tiphys(scratch);
  const [a, b] = ['a', 'b'].map((suffix) => `${scratch.name}-${suffix}`);
  const applications = [{ name: a }, { name: b, dependsOn: [a] }];
  await tiphys.platform({ ...QUICK, ...spec, stacks: [{ name: 's', applications }] });
  return tiphys;
}

async function names(scratch: Scratch, mark: Mark): Promise<string[]> {
  return (await operationsOf(scratch, mark)).map(({ application }) => application);
}

/** The events that a command has printed so far. */
const eventsOf = (started: Started) =>
  started
    .stdout()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const requested = (started: Started) =>
  waitFor('the first request for a sync', () =>
    eventsOf(started).some(({ type }) => type === 'node.sync-requested'),
  );

describe.concurrent('applications that sync and heal by themselves', () => {
  test('do not overtake the run, and heal drift again after their gates', async ({
    stack,
    scratch,
  }) => {
    await scratch.repository.commit({
      'a/app.yaml': deployment({ name: 'a', readyAfter: '8s' }),
      'b/app.yaml': configMap('b', { drift: 'no' }),
    });
    await heldApplications(scratch, 'a', 'b');
    const tiphys = await pair(scratch);
    const mark = await stack.audit.mark();
    const run = await tiphys.deploy();
    expect(run.status).toBe(0);
    expect(await operationsOf(scratch, mark)).toMatchObject([
      { application: 'a', automated: false, id: `${run.report.run}/app:${scratch.name}-a/1` },
      { application: 'b', automated: false, id: `${run.report.run}/app:${scratch.name}-b/1` },
    ]);
    const patch = ['patch', 'configmap', 'b', '--patch', '{"data":{"drift":"yes"}}'];
    const drifted = await stack.audit.mark();
    await stack.run('kubectl', '--namespace', scratch.namespace, ...patch);
    await stack.reminded(`${scratch.name}-b`, 'healed', async () => {
      const { data } = await stack.core.readNamespacedConfigMap({
        name: 'b',
        namespace: scratch.namespace,
      });
      return data?.drift === 'no';
    });
    // Just after one Argo CD may compare with objects from before, and heal them once more.
    const healed = await operationsOf(scratch, drifted);
    expect(new Set(healed.map((one) => `${one.application} ${one.automated}`))).toEqual(
      new Set(['b true']),
    );
  });

  test('one of their own operations is let end before they are held', async ({
    stack,
    scratch,
  }) => {
    await scratch.repository.commit({
      'a/app.yaml': configMap('a', {}),
      'a/hook.yaml': preSyncPod('hook', 'exit', '--code=0', '--after=20s'),
      'b/app.yaml': configMap('b', {}),
    });
    await holdFromBefore(scratch, 'b');
    const a = await scratch.application('a', { path: 'a', automated });
    await scratch.application('b', { path: 'b', automated });
    await stack.application(a, 'syncing by itself', isRunning);
    const tiphys = await pair(scratch);
    const mark = await stack.audit.mark();
    const run = await tiphys.deploy();
    expect(run.stderr).toBe('');
    expect(run.status).toBe(0);
    const message = 'an operation of Argo CD itself is running';
    const unmet = { condition: 'no-operation-running', message };
    expect(run.events).toContainEqual(expect.objectContaining({ type: 'node.waiting', unmet }));
    // Just after it Argo CD often compares with objects from before, and then heals them: that is its own affair.
    const ours = (await operationsOf(scratch, mark)).filter((one) => !one.automated);
    expect(ours.map(({ application }) => application)).toEqual(['b']);
    expect(Object.values(run.outcomes)).toEqual(['unchanged', 'healthy']);
    // The window never had its name while the operation ran, so nothing could freeze.
    const [end] = await operationEndsSince(stack, mark, a);
    expect(end?.phase).toBe('Succeeded');
    const writes = await stack.audit.since(mark, { resource: 'appprojects.argoproj.io' });
    const early = writes.filter(({ name, at }) => name === scratch.name && end && at < end.at);
    for (const { request } of early) expect(heldNames(request)).not.toContain(a);
  });
});

const heldNames = (project: unknown) =>
  ((project as AppProject).spec.syncWindows ?? []).flatMap(({ applications = [] }) => applications);

test("a customer's allow window that is closed stays closed, and the run says until when", async ({
  stack,
  scratch,
}) => {
  await scratch.repository.commit({
    'a/app.yaml': configMap('a', {}),
    'b/app.yaml': configMap('b', {}),
  });
  const opens = new Date(Date.now() + 3 * 3_600_000);
  opens.setUTCMinutes(0, 0, 0);
  await stack.changeProject(scratch.name, ({ spec }) => {
    const schedule = `0 ${opens.getUTCHours()} * * *`;
    const applications = [`${scratch.name}-b`];
    spec.syncWindows = [{ kind: 'allow', schedule, duration: '1h', applications }];
  });
  await heldApplications(scratch, 'a', 'b');
  // The window stops the time of the node that it keeps waiting, and not that of the run.
  const tiphys = await pair(scratch, { timeouts: { sync: '20s', health: '40s', run: '45s' } });
  const mark = await stack.audit.mark();
  const run = await tiphys.deploy();
  expect(run.status).toBe(4);
  expect(Object.values(run.outcomes)).toEqual(['healthy', 'failed']);
  const until = expect.stringContaining(`until ${opens.toISOString()}`);
  const unmet = { condition: 'blocked', message: until };
  expect(run.events).toContainEqual(expect.objectContaining({ type: 'node.waiting', unmet }));
  expect(await names(scratch, mark)).toEqual(['a']);
});

describe.concurrent('an AppProject that Git manages', () => {
  const CURE = {
    ignoreDifferences: [
      { group: 'argoproj.io', kind: 'AppProject', jsonPointers: ['/spec/syncWindows'] },
    ],
    syncPolicy: { syncOptions: ['RespectIgnoreDifferences=true'] },
  };

  test.for([
    ['with syncWindows: refused, with the two lines that cure it', { syncWindows: [] }, {}, 3],
    ['with syncWindows and the cure: works', { syncWindows: [] }, CURE, 0],
    ['without syncWindows: works', {}, {}, 0],
  ] as const)('%s', async ([, windows, cure, status], { stack, scratch }) => {
    const { spec } = await stack.argocd.project(scratch.name);
    await scratch.repository.commit({
      'a/project.yaml': {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'AppProject',
        metadata: { name: scratch.name, namespace: 'argocd' },
        spec: { ...spec, ...windows },
      },
      'b/app.yaml': configMap('b', {}),
    });
    const a = await scratch.application('a', { path: 'a' });
    if (Object.keys(cure).length > 0) {
      await stack.run(...patchOf(a, cure));
    }
    await stack.argocd.sync(a);
    await stack.application(a, 'deployed', isDeployed);
    await heldApplications(scratch, 'b');
    // Something to do for the one that has the project: its sync must leave the hold alone.
    await scratch.repository.commit({ 'a/more.yaml': configMap('more', {}) });
    const tiphys = await pair(scratch);
    const mark = await stack.audit.mark();
    const run = await tiphys.run('deploy', '-o', 'json');
    expect(run.status).toBe(status);
    if (status === 0) {
      expect(await names(scratch, mark)).toEqual(['a', 'b']);
      return;
    }
    expect(run.stderr).toContain('project-managed-windows');
    expect(run.stderr).toContain('ignoreDifferences');
    expect(run.stderr).toContain('RespectIgnoreDifferences=true');
    expect(await names(scratch, mark)).toEqual([]);
    const writes = await stack.audit.since(mark, { resource: 'appprojects.argoproj.io' });
    expect(writes.filter(({ name }) => name === scratch.name)).toEqual([]);
  });

  const patchOf = (name: string, spec: object): [string, ...string[]] => {
    const target = ['--namespace=argocd', 'patch', 'applications.argoproj.io', name];
    return ['kubectl', ...target, '--type=merge', '--patch', JSON.stringify({ spec })];
  };
});

test('a window that is removed by hand during the run ends it', async ({ stack, scratch }) => {
  await scratch.repository.commit({
    'a/app.yaml': deployment({ name: 'a', readyAfter: '1h' }),
    'b/app.yaml': configMap('b', {}),
  });
  await heldApplications(scratch, 'a', 'b');
  const tiphys = await pair(scratch);
  const mark = await stack.audit.mark();
  const started = tiphys.start(['deploy', '-o', 'json']);
  await requested(started);
  await stack.changeProject(scratch.name, ({ spec }) => {
    spec.syncWindows = [];
  });
  const removed = Date.now();
  const { status, stdout } = await started.ended;
  // It is seen at the next look, not only at the next write: that comes when "a" is out of time, after four minutes.
  expect(Date.now() - removed).toBeLessThan(60_000);
  expect(status).toBe(2);
  const report = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Report;
  expect(report.reason).toContain(`lost its hold on the AppProject "${scratch.name}"`);
  const made = await operationsOf(scratch, mark);
  expect(made.filter((one) => !one.automated).map(({ application }) => application)).toEqual(['a']);
  const writes = await stack.audit.since(mark, { resource: 'appprojects.argoproj.io' });
  const late = ({ name, at }: { name: string; at: Date }) =>
    name === scratch.name && at.getTime() > removed;
  expect(writes.filter(late)).toEqual([]);
});

test('two runs at once: the second refuses and names the first; after its death the next takes over', async ({
  stack,
  scratch,
}) => {
  await scratch.repository.commit({
    'a/app.yaml': deployment({ name: 'a', readyAfter: '30s' }),
    'b/app.yaml': configMap('b', {}),
  });
  await heldApplications(scratch, 'a', 'b');
  const tiphys = await pair(scratch);
  const mark = await stack.audit.mark();
  const first = tiphys.start(['deploy', '-o', 'json']);
  await requested(first);
  const { run } = eventsOf(first)[0];
  const second = await tiphys.run('deploy');
  expect(second.status).toBe(1);
  expect(second.stderr).toContain(`Run ${run} of platform "${scratch.name}" is active, held by "`);
  expect(second.stderr).toContain(String(first.child.pid));
  const pace = await paceOf(tiphys);

  first.child.kill('SIGKILL');
  const dead = Date.now();
  const third = tiphys.start(['deploy', '-o', 'json']);
  const begin = await waitFor('the next run to begin', () => eventsOf(third)[0]);
  expect(begin).toMatchObject({ type: 'run.started', run, resumed: true });
  // 20 s, and the start of the command.
  expect(Date.now() - dead).toBeLessThan(20_000 + 3 * pace);
  const { status } = await third.ended;
  expect(status).toBe(0);
  expect(await names(scratch, mark)).toEqual(['a', 'b']);
});
