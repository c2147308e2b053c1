// What else argocd-server tells: windows, managed resources, trees, lists.
import { expect } from 'vitest';
import type { Case } from '../case.ts';
import { CLOSED_ALLOW, configMap, DENY, hook } from '../manifests.ts';

/** Of a Secret. */
const VALUE = 'hunter';

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
    title:
      'hooks are among the manifests that are rendered, not among managed resources before they ran',
    check: async (lab) => {
      const secret = {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 's' },
        stringData: { p: VALUE },
      };
      const name = await lab.app('a', [configMap('a'), secret, hook('PreSync', configMap('h'))]);
      await lab.refresh(name);
      const managed = (await lab.about('GET', name, '/managed-resources')).body.items;
      expect(managed.map((one: { name: string }) => one.name).sort()).toEqual(['a', 's']);
      const { manifests } = (await lab.about('GET', name, '/manifests')).body;
      const rendered = manifests.map((text: string) => JSON.parse(text));
      const names = rendered.map((one: { metadata: { name: string } }) => one.metadata.name);
      expect(names.sort()).toEqual(['a', 'h', 's']);
      const address = { name, namespace: lab.world.argocdNamespace, project: lab.project };
      const { imports } = lab.target;
      const read = [await imports.objects(address), await imports.manifests(address)];
      expect(read.map((objects) => objects.length)).toEqual([2, 3]);
      expect(JSON.stringify(read)).not.toMatch(/"(?:data|stringData)":\{"p"/);
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
];

interface Node {
  readonly kind: string;
  readonly uid: string;
  readonly parentRefs?: readonly { readonly uid: string }[];
  readonly health?: { readonly status: string };
}
