// What argocd-server predicts that a sync would make of each object.
import { expect } from 'vitest';
import type { Manifest } from '../argocd-world.ts';
import type { Case } from '../case.ts';
import type { Lab } from '../lab.ts';
import { configMap, hook } from '../manifests.ts';

interface States {
  readonly name: string;
  readonly target: Manifest | null;
  readonly live: Manifest | null;
  readonly before: Manifest | null;
  readonly after: Manifest | null;
}

/** By the last comparison, sorted by name. */
async function statesOf(lab: Lab, name: string): Promise<readonly States[]> {
  const { items } = (await lab.about('GET', name, '/managed-resources')).body;
  const parsed = (text: string | undefined) => JSON.parse(text || 'null');
  return items
    .map((one: Readonly<Record<string, string>>) => ({
      name: one.name ?? '',
      ...{ target: parsed(one.targetState), live: parsed(one.liveState) },
      ...{ before: parsed(one.normalizedLiveState), after: parsed(one.predictedLiveState) },
    }))
    .sort((a: States, b: States) => (a.name < b.name ? -1 : 1));
}

async function stateOf(lab: Lab, name: string, object: string): Promise<States> {
  const found = (await statesOf(lab, name)).find((one) => one.name === object);
  if (!found) throw new Error(`no ${object} among the managed resources`);
  return found;
}

const dataOf = (state: Manifest | null) =>
  state?.data as Readonly<Record<string, string>> | undefined;
const addressOf = ({ world, project }: Lab, name: string) => ({
  ...{ name, namespace: world.argocdNamespace, project },
});

const [OLD, NEW, SAME] = ['hunter-old', 'hunter-new', 'hunter-same'];
const secret = (changed: string): Manifest => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } },
  data: { p: btoa(changed), q: btoa(SAME) },
});

export const predictions: readonly Case[] = [
  {
    title: 'a prediction has what Git changes, and what others wrote',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a', { x: '1' }), configMap('same')]);
      await lab.deployed(name);
      await lab.apply(configMap('a', { other: '9' }));
      await lab.world.commit('a', [configMap('a', { x: '2' }), configMap('same')]);
      await lab.until('Argo CD to see what others wrote', async () => {
        await lab.refresh(name);
        return dataOf((await stateOf(lab, name, 'a')).live)?.other !== undefined;
      });
      const { before, after } = await stateOf(lab, name, 'a');
      expect(dataOf(before)).toEqual({ x: '1', other: '9' });
      expect(dataOf(after)).toEqual({ x: '2', other: '9' });
      const same = await stateOf(lab, name, 'same');
      expect(same.after).toEqual(same.before);
    },
  },
  {
    title: 'of what is new nothing is live, and of what Git does not have nothing is predicted',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('old'), configMap('stays')]);
      await lab.deployed(name);
      const hooked = hook('PreSync', configMap('hook'));
      await lab.world.commit('a', [configMap('stays'), configMap('new', { x: '1' }), hooked]);
      await lab.refresh(name);
      const all = await statesOf(lab, name);
      expect(all.map((one) => one.name)).toEqual(['new', 'old', 'stays']);
      const [created, old] = all;
      expect([created?.live, created?.before]).toEqual([null, null]);
      expect(created?.after).toMatchObject({ kind: 'ConfigMap', data: { x: '1' } });
      expect([old?.target, old?.after]).toEqual([null, null]);
      expect(old?.before).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'old' } });
    },
  },
  {
    title: 'what an Application ignores is in neither state',
    check: async (lab) => {
      const ignoreDifferences = [{ kind: 'ConfigMap', jsonPointers: ['/data/x'] }];
      const name = await lab.app('a', [configMap('a', { x: '1', y: '1' })], {
        spec: { ignoreDifferences },
      });
      await lab.deployed(name);
      await lab.world.commit('a', [configMap('a', { x: '2', y: '1' })]);
      expect((await lab.refresh(name)).status?.sync?.status).toBe('Synced');
      await lab.world.commit('a', [configMap('a', { x: '2', y: '2' })]);
      expect((await lab.refresh(name)).status?.sync?.status).toBe('OutOfSync');
      const { live, before, after } = await stateOf(lab, name, 'a');
      expect(dataOf(live)).toEqual({ x: '1', y: '1' });
      expect([dataOf(before), dataOf(after)]).toEqual([{ y: '1' }, { y: '2' }]);
    },
  },
  {
    title: 'values of a Secret are masked, and the masks differ where the values do',
    check: async (lab) => {
      const name = await lab.app('a', [secret(OLD)]);
      await lab.deployed(name);
      await lab.world.commit('a', [secret(NEW)]);
      await lab.refresh(name);
      const { before, after, ...states } = await stateOf(lab, name, 's');
      const text = JSON.stringify([before, after, states]);
      for (const value of [OLD, NEW, SAME]) expect(text).not.toContain(btoa(value));
      const [was, becomes] = [dataOf(before), dataOf(after)];
      for (const mask of [was, becomes].flatMap((one) => Object.values(one ?? {})))
        expect(mask).toMatch(/^\++$/);
      expect(was?.p).not.toBe(becomes?.p);
      expect(was?.q).toBe(becomes?.q);
      const [read] = await lab.target.applications.predictedObjects(addressOf(lab, name));
      expect([read?.live?.data, read?.predicted?.data]).toEqual([
        { p: '*** (before)', q: '***' },
        { p: '*** (after)', q: '***' },
      ]);
    },
  },
];
