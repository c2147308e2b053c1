// What Tiphys' own client sees of Applications over time.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { ARGOCD, at, connected, SYNC, test, viewOf, ways } from '../kit/client.ts';
import { full } from '../kit/full.ts';
import type { Application } from '../kit/objects.ts';
import { isDeployed } from '../kit/test.ts';
import { configMap } from '../kit/workloads.ts';
import { waitFor } from '../run.ts';

describe('what was compared', () => {
  test('is equal to what is wanted, whatever the form of the spec, until that changes', async ({
    stack,
    scratch,
    target,
  }) => {
    await scratch.repository.commit({
      'a/map.yaml': configMap('a', {}),
      'b/deep/map.yaml': configMap('b', {}),
      'c/main.jsonnet': `{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: std.extVar('name') } }`,
    });
    const repoURL = scratch.repository.url;
    const specs: Record<string, object> = {
      plain: { source: { repoURL, path: 'a', targetRevision: 'main' } },
      headless: { source: { repoURL, path: 'a' } },
      empty: {
        source: {
          repoURL,
          path: 'a',
          targetRevision: 'main',
          directory: { recurse: false, jsonnet: {} },
          helm: {},
          kustomize: {},
        },
        ignoreDifferences: [],
        syncPolicy: {},
      },
      recursive: {
        source: {
          repoURL,
          path: 'b',
          targetRevision: 'main',
          directory: { recurse: true, exclude: '' },
        },
      },
      jsonnet: {
        source: {
          repoURL,
          path: 'c',
          directory: {
            jsonnet: { extVars: [{ name: 'name', value: 'c', code: false }], libs: [] },
          },
        },
      },
      several: {
        sources: [
          { repoURL, path: 'a', targetRevision: 'main', directory: { recurse: false } },
          { repoURL, path: 'b', targetRevision: 'main', directory: { recurse: true }, ref: '' },
        ],
      },
      single: { sources: [{ repoURL, path: 'a' }] },
      ignoring: {
        source: { repoURL, path: 'a' },
        ignoreDifferences: [
          {
            group: '',
            kind: 'ConfigMap',
            name: '',
            jsonPointers: ['/data'],
            jqPathExpressions: [],
          },
        ],
      },
      named: {
        source: { repoURL, path: 'a' },
        destination: { name: 'in-cluster', namespace: scratch.namespace },
      },
    };
    const server = 'https://kubernetes.default.svc';
    const make = (suffix: string, spec: object) =>
      scratch.apply({
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name: `${scratch.name}-${suffix}`, namespace: ARGOCD },
        spec: {
          project: scratch.name,
          destination: { server, namespace: scratch.namespace },
          ...spec,
        },
      } as Application);
    await Promise.all(Object.entries(specs).map(([suffix, spec]) => make(suffix, spec)));
    const names = Object.keys(specs).map((suffix) => `${scratch.name}-${suffix}`);
    await Promise.all(names.map((name) => target.applications.refresh(at(scratch, name))));
    const listed = await target.applications.list([ARGOCD]);
    for (const name of names) {
      const view = await viewOf(target, scratch, name);
      expect(view.conditions, name).toEqual([]);
      expect(view.compared, name).toBe(view.wanted);
      // Kubernetes has it as it was written, Argo CD as it understood it.
      const raw = listed.find((one) => one.name === name);
      expect(raw?.wanted, name).toBe(view.wanted);
      expect(raw?.compared, name).toBe(view.compared);
    }
    const { sync, repositories } = await viewOf(target, scratch, `${scratch.name}-several`);
    expect(sync.revisions).toHaveLength(2);
    expect(repositories).toEqual([repoURL, repoURL]);

    await stack.kill('argocd-application-controller');
    try {
      await make('plain', { source: { repoURL, path: 'b', targetRevision: 'main' } });
      const { wanted, compared } = await viewOf(target, scratch, `${scratch.name}-plain`);
      expect(compared).not.toBe(wanted);
    } finally {
      await stack.restart('argocd-application-controller');
    }
  });
});

describe('the watch', () => {
  test('tells what happens to an Application, from its making to its end', async ({
    stack,
    scratch,
    target,
  }) => {
    const stop = new AbortController();
    scratch.afterwards(async () => stop.abort());
    const watch = await target.watches.applications([ARGOCD], stop.signal);
    const phases: (string | undefined)[] = [];
    watch.subscribe(({ name, application }) => {
      const phase = application ? (application.operationState?.phase ?? 'none') : 'deleted';
      if (name.startsWith(scratch.name) && phases.at(-1) !== phase) phases.push(phase);
    });
    await scratch.repository.commit({ 'a/map.yaml': configMap('a', {}) });
    const name = await scratch.application('a', { path: 'a' });
    const address = at(scratch, name);
    await waitFor('the watch to see it', async () => watch.last(address));
    const changed = watch.nextChange(address, stop.signal);
    await target.applications.requestSync(address, SYNC);
    await changed;
    await stack.application(name, 'deployed', isDeployed);
    await stack.argocd.deleteApplication(name, false);
    await waitFor('the watch to see its end', async () => watch.last(address) === undefined);
    expect(phases[0]).toBe('none');
    expect(phases.slice(-2)).toEqual(['Succeeded', 'deleted']);
  });

  test('outlives the API server, as do requests to Argo CD', async ({ stack, scratch, target }) => {
    const stop = new AbortController();
    scratch.afterwards(async () => stop.abort());
    await scratch.repository.commit({ 'a/map.yaml': configMap('a', {}) });
    const first = at(scratch, await scratch.application('a', { path: 'a' }));
    const straight = await connected(stack, { argocdServer: ways[1][1] });
    const watch = await target.watches.applications([ARGOCD], stop.signal);
    await stack.kill('api-server');
    const lease = target.leases.get('nowhere');
    const application = straight.applications.get(first);
    // Argo CD says "permission denied" now; that is not to be believed.
    expect(await straight.applications.requestSync(first, SYNC)).toMatchObject({ kind: 'unknown' });
    await sleep(3000);
    await stack.restart('api-server');
    expect(await lease).toBeUndefined();
    expect(await application).toMatchObject({ name: first.name });
    const second = at(scratch, await scratch.application('b', { path: 'a' }));
    await waitFor('the watch to see it', async () => watch.last(second));
  });

  // deploy-faults.test.ts kills both during a run.
  test.runIf(full)(
    'an API that comes back is used again, by whichever way',
    async ({ stack, scratch }) => {
      await scratch.repository.commit({ 'a/map.yaml': configMap('a', {}) });
      const address = at(scratch, await scratch.application('a', { path: 'a' }));
      for (const [, argocdServer] of ways) {
        const target = await connected(stack, { argocdServer });
        await stack.kill('argocd-server');
        const reading = target.applications.get(address);
        const writing = await target.applications.requestSync(address, SYNC);
        expect(writing.kind).toBe('unknown');
        await stack.restart('argocd-server');
        expect(await reading).toMatchObject({ name: address.name, operation: undefined });
      }
    },
  );
});
