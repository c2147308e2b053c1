// What an operation does, in which order, and how it ends.
import { expect } from 'vitest';
import { type App, resultOf, stateOf } from '../app.ts';
import type { Case } from '../case.ts';
import { type History, watchApp } from '../history.ts';
import { CONFIG_MAP, type Lab } from '../lab.ts';
import { configMap, hook, INVALID_NAME, inWave, refusedBeside } from '../manifests.ts';

const phaseOf = ({ status }: App) => status?.operationState?.phase;
const messageOf = ({ status }: App) => status?.operationState?.message ?? '';
const exists = async (lab: Lab, name: string) =>
  (await lab.read({ ...CONFIG_MAP, metadata: { name } })) !== undefined;

/** What it waits for, however short: a watch has seen it. */
async function said(history: History<App>, message: string): Promise<App> {
  const { object } = await history.until(message, (event) =>
    messageOf(event.object).includes(message),
  );
  history.stop();
  return object;
}

export const operations: readonly Case[] = [
  {
    title: 'a PreSync hook ends before anything else is made',
    check: async (lab) => {
      const name = await lab.app('a', [hook('PreSync', lab.world.job('h', 4)), configMap('a')]);
      const history = await watchApp(lab, name);
      await lab.sync(name);
      const waiting = await said(history, 'waiting for completion of hook batch/Job/h');
      expect(phaseOf(waiting)).toBe('Running');
      expect(resultOf(waiting, 'a')).toBeUndefined();
      const app = await lab.ended(name);
      expect(phaseOf(app)).toBe('Succeeded');
      expect(await exists(lab, 'a')).toBe(true);
      expect(resultOf(app, 'h')).toMatchObject({ hookType: 'PreSync', hookPhase: 'Succeeded' });
      expect(resultOf(app, 'a')?.status).toBe('Synced');
      const { completionTime } = (await lab.read(lab.world.job('h', 4))).status;
      const { creationTimestamp } = (await lab.read(configMap('a'))).metadata;
      expect(Date.parse(creationTimestamp)).toBeGreaterThanOrEqual(Date.parse(completionTime));
    },
  },
  {
    title: 'a PostSync hook starts when all is Healthy, and the operation waits for it',
    check: async (lab) => {
      const { deployment, job } = lab.world;
      const name = await lab.app('a', [deployment('d', 10), hook('PostSync', job('h', 0))]);
      const history = await watchApp(lab, name);
      await lab.sync(name);
      const waiting = await said(history, 'waiting for healthy state of apps/Deployment/d');
      expect(phaseOf(waiting)).toBe('Running');
      expect(resultOf(waiting, 'h')).toBeUndefined();
      const app = await lab.ended(name);
      expect(phaseOf(app)).toBe('Succeeded');
      expect(resultOf(app, 'h')).toMatchObject({ hookType: 'PostSync', hookPhase: 'Succeeded' });
    },
  },
  {
    title: 'a hook that fails fails the operation, and nothing is applied after it',
    check: async (lab) => {
      const bad = hook('PreSync', lab.world.job('h', 'fails'));
      const name = await lab.app('a', [bad, configMap('a')]);
      const app = await lab.synced(name);
      expect(phaseOf(app)).toBe('Failed');
      expect(messageOf(app)).toContain(
        'one or more synchronization tasks completed unsuccessfully',
      );
      expect(resultOf(app, 'h')?.hookPhase).toBe('Failed');
      expect(await exists(lab, 'a')).toBe(false);
    },
  },
  {
    title: 'a hook among the resources of an Application is marked as one and has no sync status',
    check: async (lab) => {
      const name = await lab.app('a', [hook('PostSync', lab.world.job('h', 0)), configMap('a')]);
      const app = await lab.deployed(name);
      const shown = app.status?.resources?.map((one) => [one.name, one.hook, one.status]);
      expect(shown).toEqual([
        ['a', undefined, 'Synced'],
        ['h', true, undefined],
      ]);
    },
  },
  {
    title: 'a hook is made anew by the next operation, and one with HookSucceeded goes at its end',
    check: async (lab) => {
      const { job } = lab.world;
      const kept = hook('PreSync', job('kept', 0));
      const name = await lab.app('a', [
        kept,
        hook('PreSync', job('gone', 0), 'HookSucceeded'),
        configMap('a'),
      ]);
      await lab.synced(name);
      await lab.untilGone(job('gone', 0));
      const first = await lab.read(kept);
      await lab.synced(name);
      const second = await lab.read(kept);
      expect(second.metadata.uid).not.toBe(first.metadata.uid);
    },
  },
  {
    title: 'a wave is applied when the one before it is Healthy',
    check: async (lab) => {
      const name = await lab.app('a', [
        inWave(0, lab.world.deployment('d', 10)),
        inWave(1, configMap('late')),
      ]);
      const history = await watchApp(lab, name);
      await lab.sync(name);
      const waiting = await said(history, 'waiting for healthy state of apps/Deployment/d');
      expect(phaseOf(waiting)).toBe('Running');
      expect(resultOf(waiting, 'late')).toBeUndefined();
      const app = await lab.ended(name);
      expect(phaseOf(app)).toBe('Succeeded');
      expect(await exists(lab, 'late')).toBe(true);
      await lab.untilState(name, 'Synced', 'Healthy');
    },
  },
  {
    title: 'an operation that is terminated fails, and its running hook goes',
    check: async (lab) => {
      const waiting = hook('PreSync', lab.world.job('h', 'never'));
      const name = await lab.app('a', [waiting, configMap('a')]);
      await lab.sync(name);
      await lab.untilApp(name, 'hook', (app) => messageOf(app).includes('hook batch/Job/h'));
      expect((await lab.terminate(name)).status).toBe(200);
      const app = await lab.terminated(name);
      expect([phaseOf(app), messageOf(app)]).toEqual(['Failed', 'Operation terminated']);
      expect(app.operation).toBeUndefined();
      await lab.untilGone(waiting);
      expect(await exists(lab, 'a')).toBe(false);
    },
  },
  {
    title: 'what was applied before a termination stays',
    check: async (lab) => {
      const name = await lab.app('a', [
        inWave(0, configMap('early')),
        inWave(0, lab.world.deployment('d', 'never')),
        inWave(1, configMap('late')),
      ]);
      await lab.sync(name);
      await lab.untilApp(name, 'health', (app) => messageOf(app).includes('healthy state'));
      expect((await lab.terminate(name)).status).toBe(200);
      expect(phaseOf(await lab.terminated(name))).toBe('Failed');
      expect([await exists(lab, 'early'), await exists(lab, 'late')]).toEqual([true, false]);
    },
  },
  {
    title:
      'what the cluster does not take fails the operation, by name; its wave is applied, the next is not',
    check: async (lab) => {
      const name = await lab.app('a', refusedBeside(configMap('a')));
      const app = await lab.synced(name);
      expect(phaseOf(app)).toBe('Failed');
      expect(messageOf(app)).toContain('Invalid value');
      expect(resultOf(app, INVALID_NAME)).toMatchObject({
        status: 'SyncFailed',
        message: expect.stringContaining('Invalid value'),
        hookPhase: 'Failed',
      });
      expect(resultOf(app, 'a')?.status).toBe('Synced');
      expect(resultOf(app, 'late')).toBeUndefined();
      expect([await exists(lab, 'a'), await exists(lab, 'late')]).toEqual([true, false]);
    },
  },
  {
    title:
      'an object of a kind that the cluster does not know fails the operation before anything is applied',
    check: async (lab) => {
      const metadata = { name: 'x' };
      const unknown = { apiVersion: 'unknown.example.com/v1', kind: 'Thing', metadata };
      const name = await lab.app('a', [unknown, configMap('a')]);
      const app = await lab.synced(name);
      expect(phaseOf(app)).toBe('Failed');
      expect(messageOf(app)).toContain('one or more synchronization tasks are not valid');
      expect(await exists(lab, 'a')).toBe(false);
      expect(resultOf(app, 'x')?.status).toBe('SyncFailed');
      expect(resultOf(app, 'x')?.message).toContain('Thing');
    },
  },
  {
    title: 'a namespace that is not there fails the operation, unless it is to be created',
    check: async (lab) => {
      const namespace = lab.name('made');
      const bare = await lab.app('a', [configMap('a')], { namespace });
      const failed = await lab.synced(bare);
      expect(phaseOf(failed)).toBe('Failed');
      expect(resultOf(failed, 'a')?.message).toContain(`namespaces "${namespace}" not found`);
      const syncPolicy = { syncOptions: ['CreateNamespace=true'] };
      const name = await lab.app('b', [configMap('b')], { namespace, syncPolicy });
      const made = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
      try {
        const asked = { syncOptions: { items: ['CreateNamespace=true'] } };
        expect(phaseOf(await lab.synced(name, asked))).toBe('Succeeded');
        expect((await lab.read(made)).metadata.name).toBe(namespace);
      } finally {
        await lab.remove(made);
      }
    },
  },
  {
    title: 'an operation says of each object whether it was created, configured or unchanged',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a', { x: '1' })]);
      const said = async () => resultOf(await lab.synced(name), 'a')?.message;
      expect(await said()).toBe('configmap/a created');
      expect(await said()).toBe('configmap/a unchanged');
      await lab.world.commit('a', [configMap('a', { x: '2' })]);
      expect(await said()).toBe('configmap/a configured');
      const app = await lab.get(name);
      expect(messageOf(app)).toBe('successfully synced (all tasks run)');
      const live = await lab.read(configMap('a'));
      expect(live.data).toEqual({ x: '2' });
    },
  },
  {
    title: 'an operation stays at its revision though Git moves on',
    check: async (lab) => {
      const { job } = lab.world;
      const pre = hook('PreSync', job('h', 4));
      const name = await lab.app('a', [pre, configMap('a', { x: '1' })]);
      const revision = (await lab.refresh(name)).status?.sync?.revision;
      await lab.sync(name);
      await lab.running(name);
      const next = await lab.world.commit('a', [pre, configMap('a', { x: '2' })]);
      const app = await lab.ended(name);
      expect(app.status?.operationState?.syncResult?.revision).toBe(revision);
      expect((await lab.read(configMap('a'))).data).toEqual({ x: '1' });
      await lab.nextSecond();
      const after = await lab.refresh(name);
      expect([after.status?.sync?.status, after.status?.sync?.revision]).toEqual([
        'OutOfSync',
        next,
      ]);
    },
  },
  {
    title: 'an Application is compared by itself when its operation has ended',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      await lab.refresh(name);
      await lab.nextSecond();
      const { status } = await lab.synced(name);
      const finished = Date.parse(status?.operationState?.finishedAt ?? '');
      // Each of the two alone may be older: Synced by a change of a live object, the time by a comparison in that second.
      const isLate = (app: App) =>
        Date.parse(app.status?.reconciledAt ?? '') >= finished &&
        stateOf(app).join() === 'Synced,Healthy';
      await lab.untilApp(name, 'compared after its operation', isLate, { unasked: true });
    },
  },
  {
    title: 'the history has what succeeded, the oldest first',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a', { x: '1' })]);
      const first = (await lab.synced(name)).status?.operationState?.syncResult?.revision;
      const second = await lab.world.commit('a', [configMap('a', { x: '2' })]);
      await lab.synced(name);
      await lab.world.commit('a', [configMap(INVALID_NAME)]);
      await lab.synced(name);
      const app = await lab.get(name);
      expect(app.status?.history?.map(({ revision }) => revision)).toEqual([first, second]);
    },
  },
];
