import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import type { Application } from '../kit/objects.ts';
import { isDeployed, test } from '../kit/test.ts';
import { configMap } from '../kit/workloads.ts';

const REFRESH = 'argocd.argoproj.io/refresh';

describe('parts that are killed', () => {
  test('the application controller: a requested sync waits until it is back', async ({
    stack,
    scratch,
  }) => {
    await scratch.repository.commit({ 'a/map.yaml': configMap('a', {}) });
    const name = await scratch.application('a', { path: 'a' });
    await stack.kill('argocd-application-controller');
    await expect(stack.kill('argocd-application-controller')).rejects.toThrow('does not run');
    await stack.argocd.sync(name);
    expect((await stack.argocd.application(name)).status?.operationState).toBeUndefined();
    await stack.restart('argocd-application-controller');
    await stack.application(name, 'deployed', isDeployed);
  });

  // What Tiphys does about a refresh that the controller has overlooked rests on this.
  test('the application controller: a refresh that it has not seen is not changed by another one, but by a hard one', async ({
    stack,
    scratch,
  }) => {
    await scratch.repository.commit({ 'a/map.yaml': configMap('a', {}) });
    const name = await scratch.application('a', { path: 'a' });
    await stack.application(name, 'compared', ({ status }) => Boolean(status?.reconciledAt));
    await stack.kill('argocd-application-controller');
    const isMarked = (kind: string) => (application: Application) =>
      application.metadata?.annotations?.[REFRESH] === kind;
    const asked = [stack.argocd.application(name, 'normal')];
    const marked = await stack.application(name, 'marked', isMarked('normal'));
    asked.push(stack.argocd.application(name, 'normal'));
    await sleep(2_000);
    const again = await stack.argocd.application(name);
    expect(again.metadata?.resourceVersion).toBe(marked.metadata?.resourceVersion);
    asked.push(stack.argocd.application(name, 'hard'));
    const hard = await stack.application(name, 'marked in another way', isMarked('hard'));
    expect(hard.metadata?.resourceVersion).not.toBe(marked.metadata?.resourceVersion);
    await stack.restart('argocd-application-controller');
    for (const { metadata } of await Promise.all(asked))
      expect(metadata?.annotations?.[REFRESH]).toBeUndefined();
  });

  test('the repo server: Argo CD tells that it cannot compare, until it is back', async ({
    stack,
    scratch,
  }) => {
    await scratch.repository.commit({ 'a/map.yaml': configMap('a', {}) });
    await stack.kill('argocd-repo-server');
    const name = await scratch.application('a', { path: 'a' });
    const failing = await stack.application(name, 'ComparisonError', ({ status }) =>
      Boolean(status?.conditions?.some(({ type }) => type === 'ComparisonError')),
    );
    expect(failing.status?.sync?.status).toBe('Unknown');
    await stack.restart('argocd-repo-server');
    await stack.argocd.sync(name);
    await stack.application(name, 'deployed', isDeployed);
  });

  test('argocd-server: it does not answer until it is back', async ({ stack }) => {
    await stack.kill('argocd-server');
    await expect(stack.argocd.project('default')).rejects.toThrow('fetch failed');
    await stack.restart('argocd-server');
    expect((await stack.argocd.project('default')).metadata?.name).toBe('default');
  });

  test('the API server: it does not answer until it is back', async ({ stack }) => {
    await stack.kill('api-server');
    await expect(stack.core.listNamespace()).rejects.toThrow();
    await stack.restart('api-server');
    expect((await stack.core.listNamespace()).items.length).toBeGreaterThan(0);
  });

  test.for(['workflow-controller', 'argocd-applicationset-controller'])(
    '%s: it is back after a restart',
    async (name, { stack }) => {
      await stack.kill(name);
      await stack.restart(name);
      await stack.kill(name); // It ran, or this would be refused.
      await stack.restart(name);
    },
  );

  test('a name that no part has is refused, with the names that there are', async ({ stack }) => {
    await expect(stack.kill('argocd-controller')).rejects.toThrow('argocd-application-controller');
  });
});
