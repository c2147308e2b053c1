// Makes Argo CD show the ways to be fooled by how an Application is, and the gate judge them. With TIPHYS_RECORD=1 what was
// seen replaces the recordings in test/recordings/gate/.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe } from 'vitest';
import { applicationView } from '../../../src/targets/application/view.ts';
import { full } from '../kit/full.ts';
import { operationEndsSince } from '../kit/operations.ts';
import { deployed, isDone, lag } from '../kit/recorded.ts';
import { operationOf, Recorder } from '../kit/recorder.ts';
import { test } from '../kit/test.ts';
import { clusterKind, configMap, deployment, job, postSyncPod } from '../kit/workloads.ts';
import { waitFor } from '../run.ts';

/** Milliseconds of the second in which an operation should end. */
const JUST_BEFORE = 985;

describe('what is not as Git has it', () => {
  test('is missing, or there for nothing', async ({ stack, scratch }) => {
    const confirmed = {
      ...configMap('confirmed', {}),
      metadata: {
        name: 'confirmed',
        annotations: { 'argocd.argoproj.io/sync-options': 'Prune=confirm' },
      },
    };
    const maps = { map: configMap('a', {}), more: configMap('more', {}), confirmed };
    const { recorder, name, operation } = await deployed(scratch, maps);
    const application = await recorder.get(name);
    const remove = ['--namespace', scratch.namespace, 'delete', 'configmap', 'more'];
    await stack.run('kubectl', ...remove);
    const managedResources = await waitFor('the loss to be seen', async () => {
      const answer = await recorder.managedResources(name);
      return JSON.stringify(answer).includes('"liveState":"null"') && answer;
    });
    await recorder.record(
      'resource-missing-live',
      { application, managedResources },
      { operation },
    );
    const missing = await recorder.compared(name, applicationView(application).reconciledAt);
    await recorder.record('resource-missing', missing, { operation });

    await recorder.synced(name, 'run/app:a/2');
    await scratch.repository.commit({ 'a/more.yaml': null });
    const kept = await recorder.synced(name, 'run/app:a/3');
    await recorder.record('prune-skipped', kept, { operation: operationOf(kept) });

    await scratch.repository.commit({ 'a/confirmed.yaml': null });
    await stack.argocd.sync(name, { prune: true });
    const asking = await stack.reminded(name, 'asking', async () => {
      const raw = await recorder.get(name);
      return /confirm/.test(applicationView(raw).operationState?.message ?? '') && raw;
    });
    await recorder.record('prune-to-be-confirmed', asking);
    await stack.argocd.request('DELETE', `applications/${name}/operation`);
  });

  test('cannot be rendered, or is nothing', async ({ scratch }) => {
    const recorder = new Recorder(scratch);
    await scratch.repository.commit({
      'a/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {',
      'b/README.md': 'nothing',
    });
    const broken = await scratch.application('a', { path: 'a' });
    await recorder.record('not-rendered', await recorder.compared(broken));
    const empty = await scratch.application('b', { path: 'b' });
    await recorder.record('empty', await recorder.compared(empty));
  });

  // Argo CD compares again some milliseconds after the end of its own operation. Only an operation that ends just before a
  // full second is compared in the next one, so the beginning is moved until one does: a matter of luck, so not in every run.
  test.runIf(full)('was judged by objects from before', async ({ stack, scratch }) => {
    const recorder = new Recorder(scratch);
    const commit = (n: number) =>
      scratch.repository.commit({ 'a/map.yaml': configMap('a', { n: String(n) }) });
    const hasEnded = (it: unknown, revision: string) => {
      const { operation, operationState } = applicationView(it);
      return !operation && operationState?.revisions[0] === revision;
    };
    await commit(0);
    const name = await scratch.application('a', { path: 'a', automated: {} });
    await stack.application(name, 'deployed', isDone);
    let [tries, begin] = [0, 800];
    const found = await waitFor(
      'a comparison with objects from before',
      async () => {
        const revision = await commit(++tries);
        const mark = await stack.audit.mark();
        await sleep((begin + 1_000 - (Date.now() % 1_000)) % 1_000);
        await stack.argocd.application(name, 'normal');
        await stack.application(name, 'synced', (it) => hasEnded(it, revision));
        const ends = await operationEndsSince(stack, mark, name);
        begin += (JUST_BEFORE - (ends[0]?.at.getTime() ?? JUST_BEFORE)) % 1_000;
        begin = (begin + 1_000) % 1_000;
        const isBehind = (it: object) =>
          hasEnded(it, revision) && lag(it) > 0 && applicationView(it).sync.status === 'OutOfSync';
        return await recorder.version(name, mark, isBehind);
      },
      { timeoutMs: 150_000 },
    );
    await recorder.record('cache-behind', found, { operation: operationOf(found) });
  });

  // Argo CD may have compared just before the repository went: a matter of luck. Its recording is kept.
  test.runIf(full)('cannot be told, for the repository is away', async ({ stack, scratch }) => {
    const recorder = new Recorder(scratch);
    await scratch.repository.commit({
      'a/map.yaml': configMap('a', {}),
      'a/hook.yaml': postSyncPod('after', 'exit', '--code=0', '--after=10s'),
    });
    const name = await scratch.application('a', { path: 'a', automated: {} });
    await stack.application(name, 'in its hook', (it) =>
      /hook/.test(it.status?.operationState?.message ?? ''),
    );
    const { directory } = scratch.repository;
    await stack.run('mv', directory, `${directory}.away`);
    const ended = await stack.application(name, 'ended', isDone);
    await recorder.record('repository-away', ended, { operation: operationOf(ended) });
    await stack.run('mv', `${directory}.away`, directory);
  });
});

describe('what is not ready', () => {
  // A pod that is replaced within a second is not seen to fall: a matter of luck. Its recording is kept.
  test.runIf(full)('though its operation has ended', async ({ stack, scratch }) => {
    const { recorder, name, raw, operation } = await deployed(scratch, {
      web: deployment({ name: 'web' }),
    });
    await stack.application(name, 'Healthy', isDone);
    await recorder.compared(name, applicationView(raw).reconciledAt);
    const before = await recorder.look(name);
    const pods = ['--namespace', scratch.namespace, 'delete', 'pod', '--all', '--wait=false'];
    await stack.run('kubectl', ...pods);
    const healthIs = (status: string) =>
      stack.application(name, status, (it) => it.status?.health?.status === status);
    await healthIs('Progressing');
    const { application } = before;
    await healthIs('Healthy');
    await recorder.compared(name, applicationView(application).reconciledAt);
    await recorder.record('flapped', await recorder.look(name), { operation, before });

    const never = deployment({ name: 'web', readyAfter: '1h' });
    await scratch.repository.commit({ 'a/web.yaml': never });
    const waiting = await recorder.synced(name, 'run/app:a/2');
    await recorder.record('progressing', waiting, { operation: operationOf(waiting) });
    const paused = { ...never, spec: { ...never.spec, paused: true } };
    await scratch.repository.commit({ 'a/web.yaml': paused });
    const suspended = await recorder.synced(name, 'run/app:a/3');
    await recorder.record('suspended', suspended, { operation: operationOf(suspended) });
  });

  test('and does not count', async ({ scratch }) => {
    const web = deployment({ name: 'web', readyAfter: '1h' });
    const annotations = { 'argocd.argoproj.io/ignore-healthcheck': 'true' };
    const ignored = { ...web, metadata: { ...web.metadata, annotations } };
    const { recorder, name, operation } = await deployed(scratch, { web: ignored });
    await recorder.record('health-ignored', await recorder.look(name), { operation });
  });

  test('though its check says so', async ({ stack, scratch }) => {
    const { recorder, name } = await deployed(scratch, { job: job('job', true, 'serve') });
    await scratch.repository.commit({ 'a/job.yaml': job('job', false, 'serve') });
    await recorder.synced(name, 'run/app:a/2');
    await stack.application(name, 'Healthy', isDone);
    const raw = await recorder.compared(name);
    await recorder.record('job-resumed', await recorder.look(name), {
      operation: operationOf(raw),
    });
  });

  test('for its controller has not looked', async ({ stack, scratch }) => {
    const group = `${scratch.name}.tiphys.dev`;
    await scratch.apply(clusterKind(group));
    const cluster = (size: number) => ({
      apiVersion: `${group}/v1`,
      kind: 'Cluster',
      metadata: { name: 'one' },
      spec: { size },
    });
    const { recorder, name } = await deployed(scratch, { cluster: cluster(1) });
    const status = JSON.stringify({ status: { observedGeneration: 1, phase: 'Ready' } });
    const target = ['--namespace', scratch.namespace, 'patch', `clusters.${group}`, 'one'];
    await stack.run('kubectl', ...target, '--subresource=status', '--type=merge', '-p', status);
    await scratch.repository.commit({ 'a/cluster.yaml': cluster(2) });
    const raw = await recorder.synced(name, 'run/app:a/2');
    await recorder.record('generation-not-observed', await recorder.look(name), {
      operation: operationOf(raw),
    });
  });
});
