// Applications of Applications, and ApplicationSets.
import { expect } from 'vitest';
import { type App, resourceOf, resultOf, stateOf } from '../app.ts';
import type { Manifest } from '../argocd-world.ts';
import type { Case } from '../case.ts';
import { APPLICATION, IN_CLUSTER, type Lab } from '../lab.ts';
import { configMap, inWave, TRACKING } from '../manifests.ts';
import { DOCUMENTED_CHECK, NESTED_CHECK } from '../nested-check.ts';

const CHECKED = { [NESTED_CHECK]: DOCUMENTED_CHECK };
const SET = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet' } as const;

/** An ApplicationSet that makes an Application of each folder. */
export function setOf(lab: Lab, ...letters: readonly string[]): Manifest {
  const source = { repoURL: lab.world.repository, path: '{{letter}}', targetRevision: 'main' };
  const destination = { server: IN_CLUSTER, namespace: lab.namespace };
  return {
    ...SET,
    metadata: lab.inArgocd(lab.name('set')),
    spec: {
      generators: [{ list: { elements: letters.map((letter) => ({ letter })) } }],
      template: {
        metadata: { name: lab.name('{{letter}}') },
        spec: { project: lab.project, source, destination },
      },
    },
  };
}

export const at = (lab: Lab, name: string): Manifest => ({
  ...APPLICATION,
  metadata: lab.inArgocd(name),
});
export const untilStored = (lab: Lab, name: string, wanted: (app: App) => boolean = () => true) =>
  lab.until(`${name} to be made`, async () => {
    const app = await lab.stored(name);
    return app && wanted(app) && app;
  });

export const nested: readonly Case[] = [
  {
    title: 'a parent makes its children, with their tracking id, and does not sync them',
    check: async (lab) => {
      await lab.world.commit('child', [configMap('c')]);
      const parent = await lab.app('parent', [lab.manifestOf('child')]);
      const child = lab.name('child');
      const app = await lab.synced(parent);
      expect(resultOf(app, child)).toMatchObject({
        group: 'argoproj.io',
        kind: 'Application',
        status: 'Synced',
        message: `application.argoproj.io/${child} created`,
      });
      const made = await untilStored(lab, child);
      expect(made.metadata.annotations?.[TRACKING]).toBe(
        `${parent}:argoproj.io/Application:${lab.world.argocdNamespace}/${child}`,
      );
      const seen = await lab.untilState(child, 'OutOfSync', 'Missing');
      expect(seen.status?.operationState).toBeUndefined();
    },
  },
  {
    title: 'without a check for Applications a parent is Healthy whatever its children are',
    check: async (lab) => {
      await lab.world.commit('child', [lab.world.deployment('d', 'fails')]);
      const parent = await lab.app('parent', [lab.manifestOf('child')]);
      expect(stateOf(await lab.deployed(parent))).toEqual(['Synced', 'Healthy']);
      const child = lab.name('child');
      await lab.synced(child);
      await lab.untilState(child, 'Synced', 'Degraded');
      const app = await lab.refresh(parent);
      expect(stateOf(app)).toEqual(['Synced', 'Healthy']);
      expect(resourceOf(app, child)?.health).toBeUndefined();
    },
  },
  {
    title:
      'a child’s operation and status do not make its parent OutOfSync; a change of its spec does',
    check: async (lab) => {
      await lab.world.commit('child', [configMap('c')]);
      await lab.world.commit('other', [configMap('o')]);
      const parent = await lab.app('parent', [lab.manifestOf('child')]);
      await lab.deployed(parent);
      const child = lab.name('child');
      await lab.deployed(child);
      expect(stateOf(await lab.refresh(parent))).toEqual(['Synced', 'Healthy']);
      await lab.apply(lab.manifestOf('child', { folder: 'other' }));
      const app = await lab.untilState(parent, 'OutOfSync', 'Healthy');
      expect(resourceOf(app, child)?.status).toBe('OutOfSync');
    },
  },
  {
    title: 'a child that was taken out of its parent’s Git stays and waits for pruning',
    check: async (lab) => {
      await lab.world.commit('child', [configMap('c')]);
      const parent = await lab.app('parent', [lab.manifestOf('child'), configMap('p')]);
      await lab.deployed(parent);
      await lab.world.commit('parent', [configMap('p')]);
      await lab.refresh(parent);
      const app = await lab.synced(parent);
      const child = lab.name('child');
      expect(app.status?.operationState?.phase).toBe('Succeeded');
      expect(resultOf(app, child)?.status).toBe('PruneSkipped');
      await lab.nextSecond();
      const after = await lab.refresh(parent);
      expect(after.status?.sync?.status).toBe('OutOfSync');
      expect(resourceOf(after, child)?.requiresPruning).toBe(true);
      expect(await lab.stored(child)).toBeDefined();
    },
  },
  {
    title: 'a parent that heals itself makes a deleted child again, with another uid',
    check: async (lab) => {
      await lab.world.commit('child', [configMap('c')]);
      const automated = { selfHeal: true };
      const parent = await lab.app('parent', [lab.manifestOf('child')], { automated });
      await lab.untilState(parent, 'Synced', 'Healthy');
      const child = lab.name('child');
      const first = await untilStored(lab, child);
      await lab.remove(at(lab, child));
      await lab.until('the child to be made again', async () => {
        await lab.refresh(parent);
        await lab.nextSecond();
        const now = await lab.stored(child);
        return now && now.metadata.uid !== first.metadata.uid;
      });
    },
  },
  {
    title: 'an ApplicationSet owns the Applications that it makes, and makes a deleted one again',
    check: async (lab) => {
      for (const letter of ['a', 'b']) await lab.world.commit(letter, [configMap(letter)]);
      const set = setOf(lab, 'a', 'b');
      await lab.apply(set);
      try {
        const first = await untilStored(lab, lab.name('a'));
        await untilStored(lab, lab.name('b'));
        expect(first.metadata.ownerReferences).toMatchObject([
          { kind: 'ApplicationSet', name: set.metadata.name, controller: true },
        ]);
        await lab.remove(at(lab, lab.name('a')));
        await untilStored(
          lab,
          lab.name('a'),
          ({ metadata }) => metadata.uid !== first.metadata.uid,
        );
        const sets = await lab.target.applicationSets.list([lab.world.argocdNamespace]);
        const seen = sets.find(({ name }) => name === set.metadata.name);
        expect(seen).toMatchObject({ rollingSync: false, trackedBy: undefined });
        const [child] = await lab.target.applications
          .list([lab.world.argocdNamespace])
          .then((all) => {
            return all.filter(({ name }) => name === lab.name('b'));
          });
        expect(child?.applicationSet).toBe(set.metadata.name);
      } finally {
        await lab.remove(set);
        await lab.untilGone(set);
      }
      await lab.untilGone(at(lab, lab.name('a')));
    },
  },
  {
    title:
      'an ApplicationSet that is deleted as an orphanage leaves its Applications, without an owner',
    check: async (lab) => {
      await lab.world.commit('a', [configMap('a')]);
      const set = setOf(lab, 'a');
      await lab.apply(set);
      const made = await untilStored(lab, lab.name('a'));
      const { namespace = '', name } = set.metadata;
      const sets = await lab.target.applicationSets.list([namespace]);
      const { uid = '' } = sets.find((one) => one.name === name) ?? {};
      const other = await lab.target.applicationSets.orphan({ namespace, name, uid: 'another' });
      expect(other).toMatchObject({ kind: 'refused', reason: 'conflict' });
      expect(await lab.target.applicationSets.orphan({ namespace, name, uid })).toEqual({
        kind: 'done',
      });
      await lab.untilGone(set);
      const left = await untilStored(lab, lab.name('a'), ({ metadata }) => {
        return (metadata.ownerReferences ?? []).length === 0;
      });
      expect(left.metadata.uid).toBe(made.metadata.uid);
      expect(left.metadata.deletionTimestamp).toBeUndefined();
    },
  },
  {
    title:
      'with the documented check a parent is Progressing with its child, and Healthy with a Missing one',
    alone: true,
    check: async (lab) => {
      await lab.world.commit('child', [lab.world.deployment('d', 6)]);
      await lab.world.settings(CHECKED);
      const parent = await lab.app('parent', [lab.manifestOf('child')]);
      await lab.synced(parent);
      const child = lab.name('child');
      await lab.untilState(child, 'OutOfSync', 'Missing');
      await lab.nextSecond();
      await lab.refresh(parent);
      await lab.untilApp(
        parent,
        'Healthy with a Missing child',
        (app) =>
          stateOf(app).join() === 'Synced,Healthy' &&
          resourceOf(app, child)?.health?.status === 'Missing',
      );
      await lab.synced(child);
      await lab.untilState(child, 'Synced', 'Progressing');
      await lab.untilState(parent, 'Synced', 'Progressing');
      await lab.untilState(child, 'Synced', 'Healthy');
      await lab.untilState(parent, 'Synced', 'Healthy');
    },
  },
  {
    title: 'with the check a child of a later wave comes when those before it are Healthy',
    alone: true,
    check: async (lab) => {
      await lab.world.commit('first', [lab.world.deployment('d', 0)]);
      await lab.world.commit('second', [configMap('c')]);
      await lab.world.settings(CHECKED);
      const parent = await lab.app('parent', [
        inWave(0, lab.manifestOf('first')),
        inWave(1, lab.manifestOf('second')),
      ]);
      await lab.sync(parent);
      const first = lab.name('first');
      await lab.untilApp(parent, 'waiting for the first child', (app) =>
        app.status?.operationState?.message?.includes(
          `waiting for healthy state of argoproj.io/Application/${first}`,
        ),
      );
      for (let time = 0; time < 4; time++) await lab.nextSecond();
      expect(await lab.stored(lab.name('second'))).toBeUndefined();
      await lab.synced(first);
      expect((await lab.ended(parent)).status?.operationState?.phase).toBe('Succeeded');
      expect(await lab.stored(lab.name('second'))).toBeDefined();
    },
  },
];
