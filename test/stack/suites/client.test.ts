// Tiphys' own client on the real Argo CD, by both of its ways to it.
import { describe, expect } from 'vitest';
import { tokenFile } from '../config.ts';
import { at, connected, ended, problem, SYNC, test, viewOf, ways } from '../kit/client.ts';
import type { AppProject } from '../kit/objects.ts';
import { isDeployed } from '../kit/test.ts';
import { configMap, deployment, pod } from '../kit/workloads.ts';

describe.each(ways)('Argo CD %s', (_, argocdServer) => {
  test('a sync from the request to its result', async ({ stack, scratch }) => {
    const target = await connected(stack, { argocdServer });
    const revision = await scratch.repository.commit({
      'shop/all.yaml': [deployment({ name: 'shop' }), configMap('shop', { a: '1' })],
    });
    const name = await scratch.application('shop', { path: 'shop' });
    const address = at(scratch, name);
    await target.applications.refresh(address);
    expect(await viewOf(target, scratch, name)).toMatchObject({
      project: scratch.name,
      refreshPending: false,
      operation: undefined,
      operationState: undefined,
      sync: { status: 'OutOfSync', revisions: [revision] },
      repositories: [scratch.repository.url],
    });
    expect(await target.applications.liveResources(address)).toMatchObject([
      { kind: 'ConfigMap', present: false },
      { kind: 'Deployment', present: false },
    ]);
    expect(await target.applications.requestSync(address, SYNC)).toEqual({ kind: 'done' });
    const { operationState } = await ended(target, scratch, name);
    expect(operationState).toMatchObject({
      phase: 'Succeeded',
      automated: false,
      username: 'tiphys',
      infos: new Map([['tiphys/op', 'run/node/1']]),
      revisions: [revision],
    });
    expect(operationState?.results.map(({ status, hook }) => [status, hook])).toEqual([
      ['Synced', false],
      ['Synced', false],
    ]);
    await stack.application(name, 'deployed', isDeployed);
    await target.applications.refresh(address);
    const view = await viewOf(target, scratch, name);
    expect(
      view.resources.map(({ kind, status, health }) => [kind, status, health?.status]),
    ).toEqual([
      ['ConfigMap', 'Synced', undefined],
      ['Deployment', 'Synced', 'Healthy'],
    ]);
    expect(view.health.lastTransition).toBeDefined();
    const live = await target.applications.liveResources(address);
    const shop = live.find(({ kind }) => kind === 'Deployment');
    expect(shop).toMatchObject({ present: true, generation: 1, observedGeneration: 1 });
  });

  test('what is refused, and why', async ({ stack, scratch }) => {
    const target = await connected(stack, { argocdServer });
    const hook = { 'argocd.argoproj.io/hook': 'PreSync' };
    const waiting = pod('hook', 'exit', '--after=120s');
    await scratch.repository.commit({
      'slow/hook.yaml': { ...waiting, metadata: { name: 'hook', annotations: hook } },
      'slow/map.yaml': configMap('slow', {}),
    });
    const address = at(scratch, await scratch.application('slow', { path: 'slow' }));
    const { requestSync, terminate } = target.applications;
    const refusal = (reason: string) => ({ kind: 'refused', reason });
    expect(await terminate(address)).toMatchObject(refusal('nothing-in-progress'));
    expect(await requestSync(address, SYNC)).toEqual({ kind: 'done' });
    expect(await requestSync(address, SYNC)).toMatchObject(refusal('operation-in-progress'));
    await stack.reminded(address.name, 'its operation running', async () => {
      const { operation, operationState } = await viewOf(target, scratch, address.name);
      return operation && operationState?.phase === 'Running';
    });
    expect(await terminate(address)).toEqual({ kind: 'done' });
    // One that was accepted may be lost: the controller writes its own older state over it.
    const { operationState } = await stack.reminded(address.name, 'terminated', async () => {
      const view = await viewOf(target, scratch, address.name);
      if (view.operationState?.phase === 'Running') await terminate(address);
      return !view.operation && view;
    });
    expect(operationState).toMatchObject({ phase: 'Failed', message: 'Operation terminated' });

    const elsewhere = { ...address, project: 'default' };
    expect(await target.applications.get(elsewhere)).toBeUndefined();
    expect(await requestSync(elsewhere, SYNC)).toMatchObject(refusal('not-found'));
    const nowhere = { ...address, name: 'nowhere' };
    expect(await target.applications.get(nowhere)).toBeUndefined();
    expect(await terminate(nowhere)).toMatchObject(refusal('not-found'));
    expect(await problem(target.applications.liveResources(nowhere))).toBe('application-missing');
  });

  test('windows and rights', async ({ stack, scratch }) => {
    const target = await connected(stack, { argocdServer });
    await scratch.repository.commit({ 'a/map.yaml': configMap('a', {}) });
    const address = at(scratch, await scratch.application('a', { path: 'a' }));
    const closed = { kind: 'allow', schedule: '0 0 29 2 *', duration: '1m' } as const;
    await stack.changeProject(scratch.name, ({ spec }) => {
      spec.syncWindows = [{ ...closed, applications: ['*'] }];
    });
    expect(await target.applications.syncWindows(address)).toEqual([
      { ...closed, manualSync: false, active: false },
    ]);
    expect(await target.applications.requestSync(address, SYNC)).toMatchObject({
      kind: 'refused',
      reason: 'blocked-by-window',
    });
    const argocdTokenFile = tokenFile(stack.config, 'reader');
    const reader = await connected(stack, { argocdServer, argocdTokenFile });
    const object = `${scratch.name}/${address.name}`;
    const rights = [target, reader].map((one) =>
      one.rights.inArgocd('applications', 'sync', object),
    );
    expect(await Promise.all(rights)).toEqual([true, false]);
    expect(await reader.applications.get(address)).toMatchObject({ name: address.name });
    await stack.changeProject(scratch.name, ({ spec }) => {
      spec.syncWindows = [];
    });
    const forbidden = { kind: 'refused', reason: 'forbidden' };
    expect(await reader.applications.requestSync(address, SYNC)).toMatchObject(forbidden);
    expect(await reader.applications.terminate(address)).toMatchObject(forbidden);
  });
});

describe('an AppProject', () => {
  const OURS = {
    kind: 'deny',
    schedule: '* * * * *',
    duration: '1h',
    applications: ['x'],
    manualSync: true,
    given: undefined,
  } as const;

  test('is changed in nothing but windows and annotations, and only if nobody else did', async ({
    stack,
    scratch,
    target,
  }) => {
    const other = {
      kind: 'allow',
      schedule: '0 3 * * *',
      duration: '2h',
      timeZone: 'Europe/Vienna',
      namespaces: ['n'],
    };
    const name = await scratch.project({
      description: 'keep',
      roles: [{ name: 'r', groups: ['g'] }],
      orphanedResources: { warn: false, ignore: [{ kind: 'Secret' }] },
      syncWindows: [other as never],
    });
    const before = await stack.argocd.project(name);
    const project = await target.projects.get(name);
    if (!project) throw new Error('no project');
    expect(project).toMatchObject({
      trackedBy: undefined,
      windows: [{ kind: 'allow', given: other }],
    });
    const change = {
      windows: [...project.windows, OURS],
      annotations: new Map([['tiphys.dev/hold', 'p/r']]),
    };
    expect(await target.projects.update(project, change)).toEqual({ kind: 'done' });
    const after = await stack.argocd.project(name);
    expect(after.metadata?.annotations).toEqual({ 'tiphys.dev/hold': 'p/r' });
    const { syncWindows, ...rest } = after.spec;
    const { syncWindows: windowsBefore = [], ...restBefore } = before.spec;
    expect(rest).toEqual(restBefore);
    const { given: _, ...ours } = OURS;
    expect(syncWindows).toEqual([...windowsBefore, ours]);

    expect(await target.projects.update(project, change)).toMatchObject({
      kind: 'refused',
      reason: 'conflict',
    });
    const again = await target.projects.get(name);
    if (!again) throw new Error('no project');
    const undo = {
      windows: again.windows.filter(({ applications }) => !applications.includes('x')),
      annotations: new Map([['tiphys.dev/hold', undefined]]),
    };
    expect(await target.projects.update(again, undo)).toEqual({ kind: 'done' });
    const restored: AppProject = await stack.argocd.project(name);
    expect(restored.spec).toEqual(before.spec);
    expect(restored.metadata?.annotations ?? {}).toEqual({});
  });

  test('that does not exist', async ({ target }) => {
    expect(await target.projects.get('nowhere')).toBeUndefined();
  });
});
