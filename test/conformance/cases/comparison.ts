// What a comparison finds, when it is made and what it writes.
import { expect } from 'vitest';
import { type App, conditionsOf, resourceOf, resultOf, stateOf } from '../app.ts';
import type { Case } from '../case.ts';
import { watchApp } from '../history.ts';
import { configMap, REFRESH } from '../manifests.ts';

const UNASKED = { unasked: true };
const at = ({ status }: App) => Date.parse(status?.reconciledAt ?? '');

export const comparison: readonly Case[] = [
  {
    title: 'a new Application is compared by itself: OutOfSync and Missing',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const compared = ({ status }: App) => !!status?.reconciledAt;
      const app = await lab.untilApp(name, 'compared', compared, UNASKED);
      expect(stateOf(app)).toEqual(['OutOfSync', 'Missing']);
      expect(app.status?.operationState).toBeUndefined();
      expect(resourceOf(app, 'a')).toMatchObject({
        version: 'v1',
        kind: 'ConfigMap',
        namespace: lab.namespace,
        status: 'OutOfSync',
      });
    },
  },
  {
    title: 'a refresh is answered after the comparison, without its annotation',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const first = await lab.refresh(name);
      await lab.nextSecond();
      const second = await lab.refresh(name);
      expect(at(second)).toBeGreaterThan(at(first));
      expect(second.metadata.annotations?.[REFRESH]).toBeUndefined();
      expect(at(await lab.get(name))).toBe(at(second));
    },
  },
  {
    title: 'a refresh writes twice: its annotation, then the status without it',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      await lab.deployed(name);
      await lab.nextSecond();
      const history = await watchApp(lab, name);
      const before = await lab.get(name);
      await lab.refresh(name);
      await history.until('the second write', ({ object }) => at(object) > at(before));
      history.stop();
      const seen = history.events.map(({ object }) => [
        object.metadata.annotations?.[REFRESH],
        at(object) > at(before),
        (object.metadata.generation ?? 0) - (before.metadata.generation ?? 0),
      ]);
      expect(seen).toEqual([
        ['normal', false, 0],
        [undefined, true, 1],
      ]);
    },
  },
  {
    title: 'a hard refresh compares, too',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const first = await lab.refresh(name);
      await lab.nextSecond();
      expect(at(await lab.refresh(name, 'hard'))).toBeGreaterThan(at(first));
    },
  },
  {
    title: 'a commit is seen at the next refresh and not before',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const before = await lab.deployed(name);
      const revision = await lab.world.commit('a', [configMap('a', { x: '2' })]);
      const same = await lab.get(name);
      expect([...stateOf(same), same.status?.sync?.revision]).toEqual([
        'Synced',
        'Healthy',
        before.status?.sync?.revision,
      ]);
      const after = await lab.refresh(name);
      expect([...stateOf(after), after.status?.sync?.revision]).toEqual([
        'OutOfSync',
        'Healthy',
        revision,
      ]);
    },
  },
  {
    title: 'a commit elsewhere in the repository moves the revision and nothing else',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const before = await lab.deployed(name);
      const revision = await lab.world.commit('elsewhere', [configMap('b')]);
      const after = await lab.refresh(name);
      expect(stateOf(after)).toEqual(['Synced', 'Healthy']);
      expect(after.status?.sync?.revision).toBe(revision);
      const synced = after.status?.operationState?.syncResult?.revision;
      expect(synced).toBe(before.status?.sync?.revision);
    },
  },
  {
    title: 'a change of a live object is seen without a refresh, and is not a reconciliation',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a', { x: '1' })]);
      const before = await lab.deployed(name);
      await lab.nextSecond();
      await lab.apply(configMap('a', { x: 'drift' }));
      const drifted = await lab.untilState(name, 'OutOfSync', 'Healthy', UNASKED);
      expect(at(drifted)).toBe(at(before));
      expect(resourceOf(drifted, 'a')?.status).toBe('OutOfSync');
      await lab.apply(configMap('a', { x: '1' }));
      await lab.untilState(name, 'Synced', 'Healthy');
    },
  },
  {
    title: 'a live object that is deleted is Missing and OutOfSync',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      await lab.deployed(name);
      await lab.remove(configMap('a'));
      const app = await lab.untilState(name, 'OutOfSync', 'Missing');
      expect(resourceOf(app, 'a')?.status).toBe('OutOfSync');
    },
  },
  {
    title: 'one missing object of two makes the Application Missing',
    before: 4,
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a'), configMap('b')]);
      await lab.deployed(name);
      await lab.remove(configMap('b'));
      const app = await lab.untilState(name, 'OutOfSync', 'Missing');
      expect(resourceOf(app, 'a')?.status).toBe('Synced');
      expect(resourceOf(app, 'b')?.status).toBe('OutOfSync');
    },
  },
  {
    title: 'one missing object of two leaves the Application Healthy and makes it OutOfSync',
    from: 4,
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a'), configMap('b')]);
      await lab.deployed(name);
      await lab.remove(configMap('b'));
      const app = await lab.untilState(name, 'OutOfSync', 'Healthy');
      expect(resourceOf(app, 'a')?.status).toBe('Synced');
      expect(resourceOf(app, 'b')?.status).toBe('OutOfSync');
      await lab.remove(configMap('a'));
      await lab.untilState(name, 'OutOfSync', 'Missing');
    },
  },
  {
    title: 'what was taken out of Git waits for a sync that prunes',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a'), configMap('b')]);
      await lab.deployed(name);
      await lab.world.commit('a', [configMap('a')]);
      const found = await lab.refresh(name);
      expect(stateOf(found)).toEqual(['OutOfSync', 'Healthy']);
      expect(resourceOf(found, 'b')).toMatchObject({ status: 'OutOfSync', requiresPruning: true });
      const skipped = await lab.synced(name);
      expect(skipped.status?.operationState?.phase).toBe('Succeeded');
      expect(resultOf(skipped, 'b')?.status).toBe('PruneSkipped');
      await lab.nextSecond();
      expect(stateOf(await lab.refresh(name))).toEqual(['OutOfSync', 'Healthy']);
      const pruned = await lab.synced(name, { prune: true });
      expect(resultOf(pruned, 'b')?.status).toBe('Pruned');
      await lab.untilGone(configMap('b'));
      await lab.nextSecond();
      const clean = await lab.refresh(name);
      expect(stateOf(clean)).toEqual(['Synced', 'Healthy']);
      expect(clean.status?.resources).toHaveLength(1);
    },
  },
  {
    title: 'a folder that is not in Git is a ComparisonError, sync Unknown',
    check: async (lab) => {
      await lab.world.commit('other', [configMap('a')]);
      await lab.apply(lab.manifestOf('a'));
      const name = lab.name('a');
      const app = await lab.refresh(name);
      expect(app.status?.sync?.status).toBe('Unknown');
      expect(conditionsOf(app)).toEqual(['ComparisonError']);
      expect(app.status?.conditions?.[0]?.message).toContain('app path does not exist');
      expect(app.status?.resources ?? []).toEqual([]);
      const failed = await lab.synced(name);
      expect(failed.status?.operationState?.phase).toBe('Error');
      await lab.world.commit('a', [configMap('a')]);
      const cured = await lab.refresh(name);
      expect(stateOf(cured)).toEqual(['OutOfSync', 'Missing']);
      expect(conditionsOf(cured)).toEqual([]);
    },
  },
  {
    title:
      'while Git does not answer a refresh says ComparisonError and names no revision but the branch',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const before = await lab.deployed(name);
      await lab.world.gitReachable(false);
      await lab.nextSecond();
      const app = await lab.refresh(name);
      await lab.world.gitReachable(true);
      expect(app.status?.sync?.status).toBe('Unknown');
      expect(app.status?.health?.status).toBe('Healthy');
      expect(conditionsOf(app)).toEqual(['ComparisonError']);
      expect(app.status?.sync?.revision).toBe('main');
      expect(at(app)).toBeGreaterThan(at(before));
      const after = await lab.refresh(name);
      expect(stateOf(after)).toEqual(['Synced', 'Healthy']);
      expect(conditionsOf(after)).toEqual([]);
      expect(after.status?.sync?.revision).toBe(before.status?.sync?.revision);
    },
  },
  {
    title: 'an empty folder is Synced and Healthy, with no resource at all',
    check: async (lab) => {
      const name = await lab.app('a', []);
      const app = await lab.refresh(name);
      expect(stateOf(app)).toEqual(['Synced', 'Healthy']);
      expect(app.status?.resources ?? []).toEqual([]);
      expect((await lab.synced(name)).status?.operationState?.phase).toBe('Succeeded');
    },
  },
  {
    title: 'what was compared to is said, and a changed spec is compared by itself',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const before = await lab.refresh(name);
      const { source, destination } = before.spec;
      expect(before.status?.sync?.comparedTo).toMatchObject({ source, destination });
      await lab.world.commit('b', [configMap('b')]);
      await lab.apply(lab.manifestOf('a', { folder: 'b' }));
      const hasB = (app: App) => !!resourceOf(app, 'b');
      const after = await lab.untilApp(name, 'b compared', hasB, UNASKED);
      expect(after.status?.sync?.comparedTo).toMatchObject({ source: { path: 'b' } });
      expect(resourceOf(after, 'a')).toBeUndefined();
    },
  },
  {
    title:
      'a project that is not there is an InvalidSpecError, and the old verdict stays beside it',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      await lab.deployed(name);
      await lab.apply(lab.manifestOf('a', { spec: { project: lab.name('nowhere') } }));
      const found = await lab.until('the condition', async () => {
        const app = await lab.stored(name);
        return app && conditionsOf(app).includes('InvalidSpecError') && app;
      });
      expect(stateOf(found)).toEqual(['Synced', 'Healthy']);
      await lab.apply(lab.manifestOf('a'));
      const cured = await lab.refresh(name);
      expect(conditionsOf(cured)).toEqual([]);
      expect(stateOf(cured)).toEqual(['Synced', 'Healthy']);
    },
  },
];
