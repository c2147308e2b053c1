// How an Application goes, and what goes with it.
import { expect } from 'vitest';
import type { Manifest } from '../argocd-world.ts';
import type { Case } from '../case.ts';
import { watch } from '../history.ts';
import { APPLICATION, CONFIG_MAP, type Lab } from '../lab.ts';
import { CASCADE, configMap, FOREIGN, guarded, hook, inWave, withOption } from '../manifests.ts';

const at = (lab: Lab, name: string): Manifest => ({
  ...APPLICATION,
  metadata: lab.inArgocd(name),
});
const cascading = { finalizers: [CASCADE] };
const claim = (name: string, storageClassName: string): Manifest => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: {
    storageClassName,
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Mi' } },
  },
});
const volume = (name: string): Manifest => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
});
const exists = async (lab: Lab, name: string) => (await lab.read(configMap(name))) !== undefined;

export const deletion: readonly Case[] = [
  {
    title:
      'a deletion with cascade is answered at once, takes the resources along and then the Application',
    check: async (lab) => {
      const name = await lab.app('a', [guarded(configMap('a'))]);
      await lab.deployed(name);
      const { status, body } = await lab.about('DELETE', name, '', { cascade: 'true' });
      expect([status, body]).toEqual([200, {}]);
      const going = await lab.get(name);
      expect(going.metadata.deletionTimestamp).toBeDefined();
      expect(going.metadata.finalizers).toEqual([CASCADE]);
      await lab.until('the resource to go', async () => {
        return (await lab.read(configMap('a')))?.metadata.deletionTimestamp !== undefined;
      });
      expect(await lab.stored(name)).toBeDefined();
      await lab.apply({ ...CONFIG_MAP, metadata: { name: 'a', finalizers: [] } });
      await lab.untilGone(at(lab, name));
      expect(await exists(lab, 'a')).toBe(false);
    },
  },
  {
    title: 'a deletion without cascade leaves the resources',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')], cascading);
      await lab.deployed(name);
      expect((await lab.about('DELETE', name, '', { cascade: 'false' })).status).toBe(200);
      await lab.untilGone(at(lab, name));
      expect(await exists(lab, 'a')).toBe(true);
    },
  },
  {
    title:
      'deleted in Kubernetes, an Application takes its resources along only with its finalizer',
    check: async (lab) => {
      const with_ = await lab.app('a', [configMap('a')], cascading);
      const without = await lab.app('b', [configMap('b')]);
      for (const name of [with_, without]) await lab.deployed(name);
      for (const name of [with_, without]) await lab.remove(at(lab, name));
      await lab.untilGone(at(lab, without));
      await lab.untilGone(at(lab, with_));
      expect([await exists(lab, 'a'), await exists(lab, 'b')]).toEqual([false, true]);
    },
  },
  {
    title: 'the resources go in reverse order of their waves',
    check: async (lab) => {
      const maps = [0, 1, 2].map((wave) => inWave(wave, configMap(`wave-${wave}`)));
      const name = await lab.app('a', maps, cascading);
      await lab.deployed(name);
      const names = maps.map(({ metadata }) => metadata.name);
      const history = await watch<Manifest>(
        lab,
        { ...CONFIG_MAP, namespace: lab.namespace },
        ({ metadata }) => names.includes(metadata.name),
      );
      await lab.about('DELETE', name);
      await lab.untilGone(at(lab, name));
      const gone = () => history.events.filter(({ type }) => type === 'DELETED');
      await lab.until('three deletions', async () => gone().length === 3);
      history.stop();
      expect(gone().map(({ object }) => object.metadata.name)).toEqual(names.reverse());
    },
  },
  {
    title: 'a resource that is to be kept is kept',
    check: async (lab) => {
      const kept = withOption('Delete=false', configMap('kept'));
      const name = await lab.app('a', [configMap('a'), kept], cascading);
      await lab.deployed(name);
      await lab.about('DELETE', name);
      await lab.untilGone(at(lab, name));
      expect([await exists(lab, 'a'), await exists(lab, 'kept')]).toEqual([false, true]);
    },
  },
  {
    title: 'a hook that was left goes with its Application',
    check: async (lab) => {
      const job = hook('PostSync', lab.world.job('h', 0));
      const name = await lab.app('a', [job, configMap('a')], cascading);
      await lab.deployed(name);
      expect(await lab.read(job)).toBeDefined();
      await lab.about('DELETE', name);
      await lab.untilGone(at(lab, name));
      await lab.untilGone(job);
    },
  },
  {
    title: 'while an operation runs a deletion waits for it',
    check: async (lab) => {
      const waiting = hook('PreSync', lab.world.job('h', 'never'));
      const name = await lab.app('a', [waiting, configMap('a')], cascading);
      await lab.sync(name);
      await lab.running(name);
      expect((await lab.about('DELETE', name)).status).toBe(200);
      for (let time = 0; time < 4; time++) await lab.nextSecond();
      const still = await lab.get(name);
      expect(still.metadata.deletionTimestamp).toBeDefined();
      expect(still.status?.operationState?.phase).toBe('Running');
      expect((await lab.terminate(name)).status).toBe(200);
      await lab.until('it to be gone', async () => {
        const app = await lab.stored(name);
        // A termination may be lost.
        if (app?.status?.operationState?.phase === 'Running') await lab.terminate(name);
        return app === undefined;
      });
      await lab.untilGone(waiting);
    },
  },
  {
    title: 'a deletion can be asked for again while it goes on, and of what is gone it is refused',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')], { finalizers: [FOREIGN] });
      await lab.refresh(name);
      const ask = () => lab.about('DELETE', name, '', { cascade: 'false' });
      expect((await ask()).status).toBe(200);
      expect((await ask()).status).toBe(200);
      await lab.apply({ ...APPLICATION, metadata: { ...lab.inArgocd(name), finalizers: [] } });
      await lab.untilGone(at(lab, name));
      const late = await lab.until('argocd-server to know', async () => {
        const answer = await ask();
        return answer.status !== 200 && answer;
      });
      expect([late.status, late.body.code]).toEqual([404, 5]);
    },
  },
  {
    title: 'an Application that is made again has another uid and starts from nothing',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const before = await lab.deployed(name);
      await lab.about('DELETE', name, '', { cascade: 'false' });
      await lab.untilGone(at(lab, name));
      await lab.apply(lab.manifestOf('a'));
      const after = await lab.untilState(name, 'Synced', 'Healthy');
      expect(after.metadata.uid).not.toBe(before.metadata.uid);
      expect(after.status?.operationState).toBeUndefined();
      expect(after.status?.history ?? []).toEqual([]);
    },
  },
  {
    title: 'a namespace that a sync created stays',
    check: async (lab) => {
      const namespace = lab.name('made');
      const options = { syncOptions: ['CreateNamespace=true'] };
      const name = await lab.app('a', [configMap('a')], {
        namespace,
        syncPolicy: options,
        ...cascading,
      });
      const made = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
      try {
        await lab.synced(name, { syncOptions: { items: options.syncOptions } });
        await lab.about('DELETE', name);
        await lab.untilGone(at(lab, name));
        const left = await lab.read(made);
        expect(left.metadata.deletionTimestamp).toBeUndefined();
        const map = { ...CONFIG_MAP, metadata: { name: 'a', namespace } };
        expect(await lab.read(map)).toBeUndefined();
      } finally {
        await lab.remove(made);
      }
    },
  },
  {
    title:
      'a claim is Healthy when it is bound; its volume goes with it or stays, as its class says',
    check: async (lab) => {
      const { deletes, keeps } = lab.world.storage;
      const claims = [claim('fleeting', deletes), claim('lasting', keeps)];
      const name = await lab.app('a', claims, cascading);
      await lab.deployed(name);
      const bound = await Promise.all(claims.map((one) => lab.read(one)));
      expect(bound.map(({ status }) => status.phase)).toEqual(['Bound', 'Bound']);
      const [fleeting, lasting] = bound.map(({ spec }) => volume(spec.volumeName));
      if (!fleeting || !lasting) throw new Error('no volumes');
      try {
        await lab.about('DELETE', name);
        await lab.untilGone(at(lab, name));
        await lab.untilGone(fleeting);
        await lab.until('the other to be released', async () => {
          return (await lab.read(lasting)).status.phase === 'Released';
        });
      } finally {
        await lab.remove(lasting);
      }
    },
  },
  {
    title: 'a parent with its finalizer takes its children along, and they what they deployed',
    check: async (lab) => {
      await lab.world.commit('child', [configMap('c')]);
      const parent = await lab.app('parent', [lab.manifestOf('child', cascading)], cascading);
      await lab.deployed(parent);
      await lab.deployed(lab.name('child'));
      await lab.about('DELETE', parent);
      await lab.untilGone(at(lab, parent));
      await lab.untilGone(at(lab, lab.name('child')));
      await lab.untilGone(configMap('c'));
    },
  },
];
