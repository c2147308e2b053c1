// Any objects of the cluster, as a teardown reads and removes them.
import { expect } from 'vitest';
import type { Case } from '../case.ts';
import { CONFIG_MAP, type Lab } from '../lab.ts';
import { configMap, FOREIGN, guarded } from '../manifests.ts';

const named = ({ namespace }: Lab, name: string) => ({
  ...{ group: '', kind: 'ConfigMap', namespace, name },
});

const uidOf = async (lab: Lab, name: string) => {
  const found = await lab.target.objects.get(named(lab, name));
  return typeof found === 'object' ? found.uid : '';
};

export const objects: readonly Case[] = [
  {
    title: 'an object is deleted by the uid that is meant, and by no other',
    check: async (lab) => {
      const { objects: all } = lab.target;
      await lab.apply(configMap('a'));
      const uid = await uidOf(lab, 'a');
      expect(uid).not.toBe('');
      const other = await all.remove(named(lab, 'a'), '00000000-0000-4000-8000-000000000000');
      expect(other).toMatchObject({ kind: 'refused', reason: 'conflict' });
      expect(await uidOf(lab, 'a')).toBe(uid);
      expect(await all.remove(named(lab, 'a'), uid)).toEqual({ kind: 'done' });
      await lab.until('it to be gone', async () => {
        return (await all.get(named(lab, 'a'))) === undefined;
      });
    },
  },
  {
    title: 'finalizers are taken off what is being deleted, and off nothing else',
    check: async (lab) => {
      const { objects: all } = lab.target;
      await lab.apply(guarded(configMap('a')));
      const uid = await uidOf(lab, 'a');
      const clear = async () => await (await all.prepareFinalizerRemoval(named(lab, 'a'), uid))();
      const early = await clear();
      expect(early).toMatchObject({ kind: 'refused', reason: 'conflict' });
      await all.remove(named(lab, 'a'), uid);
      const going = await all.get(named(lab, 'a'));
      expect(going).toMatchObject({ uid, deletingSince: expect.any(Number) });
      expect(going).toMatchObject({ finalizers: expect.arrayContaining([FOREIGN]) });
      // Kubernetes itself writes to what is being deleted: then it is read again, and tried again.
      const cleared = await lab.until('its finalizers to be off', async () => {
        const done = await clear();
        return done.kind === 'refused' && done.reason === 'conflict' ? undefined : done;
      });
      expect(cleared).toEqual({ kind: 'done' });
      await lab.until('it to be gone', async () => {
        return (await all.get(named(lab, 'a'))) === undefined;
      });
    },
  },
  {
    title: 'a namespace has what was put into it, and what says whose it is',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      await lab.deployed(name);
      await lab.apply({ ...CONFIG_MAP, metadata: { name: 'plain' } });
      const inside = await lab.target.objects.contents(lab.namespace);
      if ('unlisted' in inside) throw new Error(inside.unlisted);
      const found = (wanted: string) => inside.find((one) => one.name === wanted);
      expect(found('a')).toMatchObject({ ...named(lab, 'a'), tracker: name });
      expect(found('plain')).toMatchObject({ kind: 'ConfigMap', tracker: undefined });
      const listed = await lab.target.objects.list(named(lab, 'a'), lab.namespace);
      expect(listed).toContainEqual(expect.objectContaining({ name: 'a', tracker: name }));
    },
  },
  {
    title: 'a kind that nobody serves has no objects',
    check: async (lab) => {
      const kind = { group: 'nobody.example.com', kind: 'Nothing' };
      const { objects: all } = lab.target;
      expect(await all.get({ ...kind, namespace: lab.namespace, name: 'a' })).toBeUndefined();
      expect(await all.list(kind)).toEqual([]);
    },
  },
  {
    title: 'what runs pods goes after them where an Application is deleted',
    check: async (lab) => {
      const name = await lab.app('a', [lab.world.deployment('d', 1)]);
      await lab.deployed(name);
      const { applications, objects: all } = lab.target;
      const deployment = { group: 'apps', kind: 'Deployment', namespace: lab.namespace, name: 'd' };
      const address = { name, namespace: lab.world.argocdNamespace, project: lab.project };
      await applications.remove(address);
      await lab.until('it to wait for its pods', async () => {
        const now = await all.get(deployment);
        return typeof now === 'object' && now.finalizers.includes('foregroundDeletion');
      });
      await lab.until('both to be gone', async () => {
        const left = [await all.get(deployment), await applications.get(address)];
        return left.every((one) => one === undefined);
      });
    },
  },
  {
    title: 'the user of the kubeconfig is told what it may do',
    check: async (lab) => {
      const right = { verb: 'delete', group: '', resource: 'namespaces' };
      expect(await lab.target.rights.inCluster(right)).toBe(true);
    },
  },
];
