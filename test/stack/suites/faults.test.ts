import { describe, expect } from 'vitest';
import { isDeployed, test } from '../kit/test.ts';
import { configMap } from '../kit/workloads.ts';

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
