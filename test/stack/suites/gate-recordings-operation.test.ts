// Makes Argo CD show the ways to be fooled by what an operation leaves behind, and the gate judge them. With TIPHYS_RECORD=1
// what was seen replaces the recordings in test/recordings/gate/.
import { describe, expect } from 'vitest';
import { applicationView } from '../../../src/targets/application/view.ts';
import { holdFromBefore } from '../kit/platform.ts';
import { deployed, isDone, kubectl, lag, patched } from '../kit/recorded.ts';
import { operationOf, Recorder } from '../kit/recorder.ts';
import { test } from '../kit/test.ts';
import { configMap, postSyncPod, preSyncPod } from '../kit/workloads.ts';
import { waitFor } from '../run.ts';

describe('what an operation leaves behind', () => {
  test('for milliseconds', async ({ stack, scratch }) => {
    const begin = await stack.audit.mark();
    const { recorder, name, raw, operation } = await deployed(scratch, { map: configMap('a', {}) });
    await recorder.record('healthy', await recorder.look(name), { operation });
    await recorder.record('kind-without-health', await recorder.look(name), { operation });
    const isNew = (version: unknown) => applicationView(version).reconciledAt === undefined;
    const made = await recorder.version(name, begin, isNew);
    await recorder.record('never-compared', made ?? raw);

    const marked = await stack.audit.mark();
    await recorder.compared(name, applicationView(raw).reconciledAt);
    const asked = await recorder.version(name, marked, (it) => applicationView(it).refreshPending);
    await recorder.record('refresh-pending', asked ?? raw, { operation });

    const sought = [
      ['health-from-before', (it: unknown) => isDone(it) && lag(it) < 0],
      ['same-second', (it: unknown) => isDone(it) && lag(it) === 0],
    ] as const;
    for (const [recording, fits] of sought) {
      const found = await waitFor(recording, async () => {
        const mark = await stack.audit.mark();
        await recorder.synced(name, 'run/app:a/1');
        return await recorder.version(name, mark, fits);
      });
      await recorder.record(recording, found, { operation: operationOf(found) });
    }
  });

  test('for good', async ({ stack, scratch }) => {
    const { recorder, name, raw, operation } = await deployed(scratch, { map: configMap('a', {}) });
    const look = await recorder.look(name);
    await recorder.record('not-compared-again', await recorder.look(name), {
      operation,
      before: look,
    });
    await recorder.record('waits-to-be-taken-up', await stack.argocd.sync(name));
    await stack.application(name, 'synced by somebody', isDone);
    await recorder.record('another-operation', await recorder.compared(name), { operation });

    const ours = operationOf(await recorder.synced(name, 'run/app:a/2'));
    await scratch.repository.commit({ 'elsewhere/map.yaml': configMap('elsewhere', {}) });
    const moved = await recorder.compared(
      name,
      applicationView(await recorder.get(name)).reconciledAt,
    );
    await recorder.record('git-moved-on', moved, { operation: ours });

    const again = operationOf(await recorder.synced(name, 'run/app:a/3'));
    const changed = await patched(scratch, name, { spec: { source: { path: 'elsewhere' } } });
    await recorder.record('spec-changed', changed, { operation: again });
    await patched(scratch, name, { spec: { source: { path: 'a' } } });
    await recorder.compared(name, applicationView(changed).reconciledAt);

    const gone = [{ op: 'remove', path: '/status/operationState' }];
    const last = operationOf(await recorder.synced(name, 'run/app:a/4'));
    await recorder.record('record-gone', await patched(scratch, name, gone), { operation: last });
    const annotations = { 'argocd.argoproj.io/skip-reconcile': 'true' };
    await recorder.record('skipped', await patched(scratch, name, { metadata: { annotations } }));
    expect(applicationView(raw).uid).toBe(applicationView(await recorder.get(name)).uid);
  });

  test('of the object that it was', async ({ stack, scratch }) => {
    const { recorder, name, raw } = await deployed(scratch, { map: configMap('a', {}) });
    const { uid } = applicationView(raw);
    await patched(scratch, name, { metadata: { finalizers: ['tiphys.dev/recording'] } });
    await kubectl(scratch, 'delete', 'applications.argoproj.io', name, '--wait=false');
    await recorder.record('being-deleted', await recorder.get(name), { uid });
    await patched(scratch, name, { metadata: { finalizers: null } });
    await waitFor(
      'it to be gone',
      async () => !(await stack.applications()).some((it) => it.metadata?.name === name),
    );
    await scratch.application('a', { path: 'a' });
    await recorder.record('made-anew', await recorder.synced(name, 'run/app:a/1'), { uid });
  });

  test('where it failed', async ({ stack, scratch }) => {
    const { recorder, name } = await deployed(scratch, { map: configMap('a', {}) });
    const exit = ['exit', '--code=1', '--after=1s'];
    await scratch.repository.commit({ 'a/hook.yaml': postSyncPod('after', ...exit) });
    await recorder.record('hook-failed', await recorder.synced(name, 'run/app:a/2'));
    await scratch.repository.commit({ 'a/hook.yaml': preSyncPod('before', ...exit) });
    const failed = await recorder.synced(name, 'run/app:a/3');
    await recorder.record('operation-failed', failed, { operation: operationOf(failed) });
    const retryStrategy = { limit: 2, backoff: { duration: '10m' } };
    await stack.argocd.sync(name, { retryStrategy });
    const waiting = await stack.reminded(name, 'waiting for a retry', async () => {
      const raw = await recorder.get(name);
      const state = applicationView(raw).operationState;
      return state?.phase === 'Running' && state.finishedAt !== undefined && raw;
    });
    await recorder.record('waits-for-retry', waiting);
  });

  test('where it failed, and ours did not', async ({ stack, scratch }) => {
    const recorder = new Recorder(scratch);
    const hook = preSyncPod('hook', 'serve');
    await scratch.repository.commit({ 'a/map.yaml': configMap('a', {}), 'a/hook.yaml': hook });
    const name = await scratch.application('a', { path: 'a', automated: {} });
    const isTold = (it: unknown) =>
      applicationView(it).conditions.some(({ type }) => type === 'SyncError');
    await stack.application(name, 'in its hook', ({ status }) =>
      /hook/.test(status?.operationState?.message ?? ''),
    );
    await stack.argocd.request('DELETE', `applications/${name}/operation`);
    await stack.application(name, 'told of its failure', isTold);
    await holdFromBefore(scratch, 'a');
    await scratch.repository.commit({ 'a/hook.yaml': null });
    const raw = await recorder.synced(name, 'run/app:a/1');
    expect(isTold(raw)).toBe(true);
    await recorder.record('failed-before', raw, { operation: operationOf(raw) });
  });
});
