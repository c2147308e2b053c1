import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { nestedHealth } from '../kit/nested-health.ts';
import type { Application } from '../kit/objects.ts';
import type { Stack } from '../kit/stack.ts';
import { isDeployed, isHealthy, isSynced, test } from '../kit/test.ts';
import { configMap, deployment } from '../kit/workloads.ts';

const operationEnded = ({ status }: Application) =>
  status?.operationState?.finishedAt !== undefined;

describe('an Application', () => {
  test('with a Deployment becomes Synced and Healthy, and its pod runs', async ({
    stack,
    scratch,
  }) => {
    const revision = await scratch.repository.commit({
      'shop/deployment.yaml': deployment({ name: 'shop' }),
    });
    const name = await scratch.application('shop', { path: 'shop' });
    await stack.argocd.sync(name);
    const application = await stack.application(name, 'Synced and Healthy', isDeployed);
    expect(application.status?.sync?.revision).toBe(revision);
    const { items } = await stack.core.listNamespacedPod({ namespace: scratch.namespace });
    expect(items.map(({ status }) => status?.phase)).toEqual(['Running']);
  });

  test('whose pod is not ready is not Healthy', async ({ stack, scratch }) => {
    await scratch.repository.commit({
      'slow/deployment.yaml': deployment({ name: 'slow', readyAfter: '12s' }),
    });
    const name = await scratch.application('slow', { path: 'slow' });
    await stack.argocd.sync(name);
    const synced = await stack.application(name, 'operation ended', operationEnded);
    expect(synced.status?.operationState?.phase).toBe('Succeeded');
    expect(isHealthy(await stack.argocd.application(name, 'normal'))).toBe(false);
    await stack.application(name, 'Healthy at last', isDeployed);
  });
});

describe('a deny window with manualSync', () => {
  const DENY = { kind: 'deny', schedule: '* * * * *', duration: '1h', manualSync: true } as const;

  /** Asks Argo CD to look again for a while, as long as its neighbour needed several times over. */
  async function refreshFor(stack: Stack, name: string, seconds: number): Promise<Application> {
    for (let second = 0; second < seconds; second++) {
      await stack.argocd.application(name, 'normal');
      await sleep(1000);
    }
    return stack.argocd.application(name);
  }

  test('holds an automated Application, lets a requested sync through, and drift heals once it is lifted', async ({
    stack,
    scratch,
  }) => {
    const file = (name: string) => ({ [`${name}/map.yaml`]: configMap(name, { a: '1' }) });
    await scratch.repository.commit({ ...file('held'), ...file('free') });
    const automated = { selfHeal: true };
    const held = `${scratch.name}-held`;
    await stack.changeProject(scratch.name, ({ spec }) => {
      spec.syncWindows = [{ ...DENY, applications: [held] }];
    });
    await scratch.application('held', { path: 'held', automated });
    const free = await scratch.application('free', { path: 'free', automated });

    // The neighbour, outside the window, is deployed by Argo CD itself: so it would have been.
    await stack.application(free, 'deployed by Argo CD', isDeployed);
    const kept = await refreshFor(stack, held, 4);
    expect(kept.status?.sync?.status).toBe('OutOfSync');
    expect(kept.status?.operationState).toBeUndefined();

    await stack.argocd.sync(held);
    const requested = await stack.application(held, 'deployed on request', isDeployed);
    expect(requested.status?.operationState?.operation?.initiatedBy?.username).toBe('tiphys');

    // Drift: the neighbour heals, the held one does not.
    for (const name of ['held', 'free']) {
      const target = { name, namespace: scratch.namespace };
      await stack.core.deleteNamespacedConfigMap(target);
    }
    await stack.application(
      free,
      'healed',
      (one) =>
        isDeployed(one) && one.status?.resources?.every((r) => r.status === 'Synced') === true,
    );
    const drifted = await refreshFor(stack, held, 4);
    expect(drifted.status?.sync?.status).toBe('OutOfSync');

    await stack.changeProject(scratch.name, ({ spec }) => {
      spec.syncWindows = [];
    });
    await stack.argocd.application(held, 'normal');
    const healed = await stack.application(held, 'healed', isDeployed);
    expect(healed.status?.operationState?.operation?.initiatedBy?.automated).toBe(true);
  });
});

describe('an ApplicationSet', () => {
  test('makes its Applications', async ({ stack, scratch }) => {
    await scratch.repository.commit({
      'a/map.yaml': configMap('a', {}),
      'b/map.yaml': configMap('b', {}),
    });
    const name = (letter: string) => `${scratch.name}-${letter}`;
    await scratch.apply({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: scratch.name, namespace: 'argocd' },
      spec: {
        generators: [{ list: { elements: [{ letter: 'a' }, { letter: 'b' }] } }],
        template: {
          metadata: { name: name('{{letter}}') },
          spec: {
            project: scratch.name,
            source: { repoURL: scratch.repository.url, path: '{{letter}}', targetRevision: 'main' },
            destination: {
              server: 'https://kubernetes.default.svc',
              namespace: scratch.namespace,
            },
            syncPolicy: { automated: {} },
          },
        },
      },
    } as never);
    for (const letter of ['a', 'b']) {
      await stack.application(name(letter), 'deployed', isDeployed);
    }
  });
});

describe('the accounts', () => {
  test('tiphys syncs and deletes, and does not change the project; reader may only look', async ({
    stack,
    scratch,
  }) => {
    await scratch.repository.commit({ 'a/map.yaml': configMap('a', {}) });
    const name = await scratch.application('a', { path: 'a' });
    const reader = stack.argocdAs('reader');
    expect((await reader.application(name)).metadata?.name).toBe(name);
    const forbidden = { status: 403 };
    await expect(reader.sync(name)).rejects.toMatchObject(forbidden);
    await expect(reader.deleteApplication(name)).rejects.toMatchObject(forbidden);
    await stack.argocd.sync(name);
    await stack.application(name, 'Synced', isSynced);
    const project = await stack.argocd.project(scratch.name);
    const path = `projects/${scratch.name}`;
    for (const account of [reader, stack.argocd]) {
      await expect(account.request('PUT', path, { project })).rejects.toMatchObject(forbidden);
    }
    await stack.argocd.deleteApplication(name);
  });

  test('the audit log tells what Argo CD wrote for a sync', async ({ stack, scratch }) => {
    await scratch.repository.commit({ 'a/map.yaml': configMap('a', {}) });
    const name = await scratch.application('a', { path: 'a' });
    const mark = await stack.audit.mark();
    await stack.argocd.sync(name, { infos: [{ name: 'why', value: 'test' }] });
    await stack.application(name, 'deployed', isDeployed);
    const server = 'system:serviceaccount:argocd:argocd-server';
    const [first] = await stack.audit.since(mark, { name, user: server });
    expect(first?.resource).toBe('applications.argoproj.io');
    expect(JSON.stringify(first?.request)).toContain('"value":"test"');
    const made = await stack.audit.since(mark, { name: 'a', namespace: scratch.namespace });
    const controller = 'argocd-application-controller';
    expect(made.map(({ resource, user }) => [resource, user])).toEqual([
      ['configmaps', controller],
    ]);
    expect(made[0]?.at.getTime()).toBeGreaterThan(first?.at.getTime() ?? Number.NaN);
  });
});

describe('an Application of Applications', () => {
  test('shows the health of its children where the documented check is switched on', async ({
    stack,
    scratch,
  }) => {
    const child = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: `${scratch.name}-child`, namespace: 'argocd' },
      spec: {
        project: scratch.name,
        source: { repoURL: scratch.repository.url, path: 'child', targetRevision: 'main' },
        destination: { server: 'https://kubernetes.default.svc', namespace: scratch.namespace },
        syncPolicy: { automated: {} },
      },
    };
    await scratch.repository.commit({
      'parent/child.yaml': child,
      'child/deployment.yaml': deployment({ name: 'child', readyAfter: '1h' }),
    });
    const parent = await scratch.application('parent', { path: 'parent', cascade: true });
    await stack.argocd.sync(parent);
    await stack.application(
      child.metadata.name,
      'Progressing',
      (one) => isSynced(one) && !isHealthy(one),
    );
    await stack.application(parent, 'Healthy without the check', isDeployed);
    await nestedHealth(scratch);
    const now = await stack.argocd.application(parent, 'hard');
    expect(now.status?.health?.status).toBe('Progressing');
  });
});
