// What else argocd-server tells: windows, managed resources, trees, lists, projects.
import { expect } from 'vitest';
import { holdWindow } from '../../../src/run/hold.ts';
import type { Case } from '../case.ts';
import { CLOSED_ALLOW, configMap, DENY } from '../manifests.ts';

export const surface: readonly Case[] = [
  {
    title: 'the windows of an Application are those whose names fit, and which of them are active',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const ask = async () => (await lab.about('GET', name, '/syncwindows')).body;
      const none = await ask();
      expect(none.canSync).toBe(true);
      expect([...(none.assignedWindows ?? []), ...(none.activeWindows ?? [])]).toEqual([]);
      const closed = { ...CLOSED_ALLOW, applications: ['*'] };
      const other = { ...DENY, manualSync: false, applications: ['another'] };
      await lab.windows([closed, other]);
      const seen = await lab.until('the windows to be known', async () => {
        const now = await ask();
        return now.assignedWindows && now;
      });
      expect(seen.assignedWindows).toMatchObject([CLOSED_ALLOW]);
      expect(seen.activeWindows ?? []).toEqual([]);
      expect(seen.canSync ?? false).toBe(false);
    },
  },
  {
    title: 'a deny window with manualSync opens an allow window that is closed',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const closed = { ...CLOSED_ALLOW, applications: ['*'] };
      await lab.windows([closed, { ...DENY, applications: [name] }]);
      const seen = await lab.until('the windows to be known', async () => {
        const { body } = await lab.about('GET', name, '/syncwindows');
        return body.activeWindows && body;
      });
      expect(seen.activeWindows).toMatchObject([DENY]);
      expect(seen.assignedWindows).toHaveLength(2);
      expect(seen.canSync).toBe(true);
      expect((await lab.synced(name)).status?.operationState?.phase).toBe('Succeeded');
    },
  },
  {
    title:
      'an AppProject takes two windows for the same Applications if their durations differ, and refuses two that are alike',
    check: async (lab) => {
      const { projects } = lab.target;
      const put = async (...durations: readonly string[]) => {
        const project = await projects.get(lab.project);
        if (!project) throw new Error('no AppProject');
        const windows = durations.map((duration) => ({ ...holdWindow(['x']), duration }));
        return projects.update(project, { windows, annotations: new Map() });
      };
      expect(await put('8784h', '8784h1m')).toEqual({ kind: 'done' });
      const both = await projects.get(lab.project);
      expect(both?.windows.map(({ duration }) => duration)).toEqual(['8784h', '8784h1m']);
      expect(await put('8784h', '8784h')).toMatchObject({ kind: 'refused', reason: 'conflict' });
      expect(await put()).toEqual({ kind: 'done' });
    },
  },
  {
    title: 'managed resources come with what is wanted and what is live, as JSON in text',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a', { x: '1' }), lab.world.deployment('d', 0)]);
      await lab.refresh(name);
      const items = async () => (await lab.about('GET', name, '/managed-resources')).body.items;
      const before = await items();
      expect(before.map((one: { kind: string }) => one.kind)).toEqual(['ConfigMap', 'Deployment']);
      for (const one of before) {
        expect(one.namespace).toBe(lab.namespace);
        expect(JSON.parse(one.liveState || 'null')).toBeNull();
        expect(JSON.parse(one.targetState).kind).toBe(one.kind);
      }
      await lab.deployed(name);
      const [map, workload] = await items();
      expect(JSON.parse(map.liveState)).toMatchObject({ kind: 'ConfigMap', data: { x: '1' } });
      const { metadata, status } = JSON.parse(workload.liveState);
      expect([workload.group, metadata.generation, status.observedGeneration]).toEqual([
        'apps',
        1,
        1,
      ]);
    },
  },
  {
    title: 'the resource tree leads from a Deployment to its pod',
    check: async (lab) => {
      const name = await lab.app('a', [lab.world.deployment('d', 0)]);
      await lab.deployed(name);
      const nodes = await lab.until('the pod in the tree', async () => {
        const { body } = await lab.about('GET', name, '/resource-tree');
        const all = (body.nodes ?? []) as Node[];
        return all.some(({ kind }) => kind === 'Pod') && all;
      });
      const of = (kind: string) => nodes.find((one) => one.kind === kind);
      expect(of('Deployment')?.parentRefs ?? []).toEqual([]);
      expect(of('Deployment')?.health?.status).toBe('Healthy');
      expect(of('ReplicaSet')?.parentRefs?.[0]?.uid).toBe(of('Deployment')?.uid);
      expect(of('Pod')?.parentRefs?.[0]?.uid).toBe(of('ReplicaSet')?.uid);
    },
  },
  {
    title: 'the list of Applications can be asked by project',
    check: async (lab) => {
      const names = [await lab.app('a', [configMap('a')]), await lab.app('b', [configMap('b')])];
      const listed = await lab.until('both in the list', async () => {
        const { body } = await lab.argo('GET', `/applications?projects=${lab.project}`);
        return body.items?.length === 2 && body.items;
      });
      const of = ({ metadata }: { metadata: { name: string } }) => metadata.name;
      expect(listed.map(of).sort()).toEqual(names);
    },
  },
  {
    title: 'an AppProject is changed only by who read the newest, and nothing else of it changes',
    check: async (lab) => {
      const path = `/projects/${lab.project}`;
      const { body: first } = await lab.argo('GET', path);
      const window = { ...DENY, applications: ['x'] };
      const with_ = { ...first, spec: { ...first.spec, syncWindows: [window] } };
      const done = await lab.argo('PUT', path, { project: with_ });
      expect(done.status).toBe(200);
      expect(done.body.metadata.resourceVersion).not.toBe(first.metadata.resourceVersion);
      const { body: second } = await lab.argo('GET', path);
      const { syncWindows, ...rest } = second.spec;
      expect(syncWindows).toMatchObject([window]);
      expect(rest).toEqual(first.spec);
      const late = await lab.argo('PUT', path, { project: with_ });
      expect([late.status, late.body.code]).toEqual([409, 10]);
      expect(await lab.target.projects.get(lab.project)).toMatchObject({
        resourceVersion: second.metadata.resourceVersion,
      });
    },
  },
  {
    title: 'an AppProject that is not there is not found',
    check: async (lab) => {
      const { status, body } = await lab.argo('GET', '/projects/nowhere');
      expect([status, body.code]).toEqual([404, 5]);
    },
  },
];

interface Node {
  readonly kind: string;
  readonly uid: string;
  readonly parentRefs?: readonly { readonly uid: string }[];
  readonly health?: { readonly status: string };
}
