// What Argo CD does by itself, and what keeps it from doing so.
import { expect } from 'vitest';
import { type App, conditionsOf, resourceOf, stateOf } from '../app.ts';
import type { Case } from '../case.ts';
import type { Lab } from '../lab.ts';
import { configMap, DENY, hook, INVALID_NAME } from '../manifests.ts';

export const initiator = ({ status }: App) => status?.operationState?.operation.initiatedBy;
export const operationOf = ({ status }: App) => status?.operationState;
const isAutomated = (app: App) => initiator(app)?.automated === true;

/** Asked to look again and again, as long as another Application needed several times over. */
export async function refreshedFor(lab: Lab, name: string, times = 4): Promise<App> {
  for (let time = 0; time < times; time++) {
    await lab.refresh(name);
    await lab.nextSecond();
  }
  return lab.get(name);
}

/** A running operation is looked at only when something changes: a refresh does. */
function refreshedUntil(lab: Lab, name: string, wanted: (app: App) => boolean): Promise<App> {
  return lab.until(`${name} to be so after a refresh`, async () => {
    const app = await lab.refresh(name);
    await lab.nextSecond();
    return wanted(app) && app;
  });
}

/**
 * The window is on these Applications, and the controller knows it: it has stopped an operation that was in flight. What is
 * made from now on meets it.
 */
export async function denied(lab: Lab, ...names: readonly string[]): Promise<void> {
  const slow = hook('PreSync', lab.world.job('scout', 6));
  const scout = await lab.app('scout', [slow, configMap('scout')], { automated: {} });
  await lab.untilApp(scout, 'waiting for its hook', isWaiting);
  await lab.windows([{ ...DENY, applications: [...names, scout] }]);
  await refreshedUntil(lab, scout, isBlocked);
  await lab.windows([{ ...DENY, applications: names }]);
  await refreshedUntil(lab, scout, (app) => !app.operation);
}

const isWaiting = (app: App) =>
  operationOf(app)?.message?.includes('waiting for completion of hook') ?? false;
const isBlocked = (app: App) =>
  operationOf(app)?.message?.includes('blocked by sync window') ?? false;

export const automated: readonly Case[] = [
  {
    title: 'an automated Application is synced without being asked, in nobody’s name',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')], { automated: {} });
      const app = await lab.untilState(name, 'Synced', 'Healthy');
      expect(initiator(app)).toEqual({ automated: true });
      expect(operationOf(app)).toMatchObject({
        phase: 'Succeeded',
        operation: { sync: { revision: app.status?.sync?.revision }, retry: { limit: 5 } },
      });
      expect(operationOf(app)?.operation.info ?? []).toEqual([]);
    },
  },
  {
    title: 'one with automated.enabled false is not',
    check: async (lab) => {
      const off = await lab.app('a', [configMap('a')], { automated: { enabled: false } });
      const app = await refreshedFor(lab, off);
      expect([...stateOf(app), operationOf(app)]).toEqual(['OutOfSync', 'Missing', undefined]);
    },
  },
  {
    title: 'an automated Application takes a commit over when it is refreshed',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')], { automated: {} });
      await lab.untilState(name, 'Synced', 'Healthy');
      const revision = await lab.world.commit('a', [configMap('a', { x: '2' })]);
      await lab.refresh(name);
      await lab.untilApp(
        name,
        'the commit synced',
        (app) =>
          operationOf(app)?.syncResult?.revision === revision &&
          app.status?.sync?.status === 'Synced',
      );
      expect((await lab.read(configMap('a'))).data).toEqual({ x: '2' });
    },
  },
  {
    title: 'drift stays without self-heal',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a', { x: '1' })], { automated: {} });
      const before = await lab.untilState(name, 'Synced', 'Healthy');
      await lab.apply(configMap('a', { x: 'drift' }));
      await lab.untilState(name, 'OutOfSync', 'Healthy');
      const after = await refreshedFor(lab, name, 3);
      expect(stateOf(after)).toEqual(['OutOfSync', 'Healthy']);
      expect(operationOf(after)?.startedAt).toBe(operationOf(before)?.startedAt);
    },
  },
  {
    title: 'self-heal puts back what drifted, and only that',
    check: async (lab) => {
      const maps = [configMap('a', { x: '1' }), configMap('b')];
      const name = await lab.app('a', maps, { automated: { selfHeal: true } });
      await lab.untilState(name, 'Synced', 'Healthy');
      await lab.nextSecond();
      await lab.apply(configMap('a', { x: 'drift' }));
      const healed = await lab.untilApp(
        name,
        'healed',
        (app) => operationOf(app)?.operation.sync?.resources?.length === 1 && !app.operation,
      );
      expect(operationOf(healed)?.operation.sync?.resources).toMatchObject([
        { kind: 'ConfigMap', name: 'a' },
      ]);
      expect(isAutomated(healed)).toBe(true);
      expect(operationOf(healed)?.syncResult?.resources?.map((one) => one.name)).toEqual(['a']);
      await lab.untilState(name, 'Synced', 'Healthy');
      expect((await lab.read(configMap('a'))).data).toEqual({ x: '1' });
    },
  },
  {
    title: 'after a failed operation the same revision is not tried again; a new one is',
    check: async (lab) => {
      const bad = configMap(INVALID_NAME);
      const syncPolicy = { retry: { limit: 0 } };
      const name = await lab.app('a', [bad], { automated: {}, syncPolicy });
      const failed = await lab.ended(name);
      expect([operationOf(failed)?.phase, isAutomated(failed)]).toEqual(['Failed', true]);
      await lab.nextSecond();
      const kept = await lab.untilApp(name, 'SyncError', (app) =>
        conditionsOf(app).includes('SyncError'),
      );
      expect(kept.status?.conditions?.[0]?.message).toContain('Failed last sync attempt');
      const later = await refreshedFor(lab, name, 3);
      expect(operationOf(later)?.startedAt).toBe(operationOf(failed)?.startedAt);
      await lab.world.commit('a', [configMap('good')]);
      await lab.refresh(name);
      const cured = await lab.untilState(name, 'Synced', 'Healthy');
      expect(conditionsOf(cured)).toEqual([]);
    },
  },
  {
    title:
      'an automated operation that failed waits for its retry: Running, with the time of its end',
    check: async (lab) => {
      const name = await lab.app('a', [configMap(INVALID_NAME)], { automated: {} });
      const app = await lab.untilApp(
        name,
        'waiting for its retry',
        (one) => operationOf(one)?.finishedAt !== undefined,
      );
      expect(operationOf(app)?.phase).toBe('Running');
      expect(app.operation).toBeDefined();
      expect(operationOf(app)?.message).toMatch(/Retrying attempt #\d+ at/);
      const refused = await lab.sync(name);
      expect([refused.status, refused.body.code]).toEqual([400, 9]);
      expect((await lab.terminate(name)).status).toBe(200);
      expect(operationOf(await lab.terminated(name))?.phase).toBe('Failed');
    },
  },
  {
    title: 'automated pruning removes what was taken out of Git, and without it that stays',
    check: async (lab) => {
      const maps = (letter: string) => [configMap(`${letter}-one`), configMap(`${letter}-two`)];
      const pruning = await lab.app('a', maps('a'), { automated: { prune: true } });
      const keeping = await lab.app('b', maps('b'), { automated: {} });
      for (const name of [pruning, keeping]) await lab.untilState(name, 'Synced', 'Healthy');
      await lab.world.commit('a', maps('a').slice(0, 1));
      await lab.world.commit('b', maps('b').slice(0, 1));
      await lab.refresh(pruning);
      await lab.untilGone(configMap('a-two'));
      const app = await refreshedFor(lab, keeping, 3);
      expect(app.status?.sync?.status).toBe('OutOfSync');
      expect(resourceOf(app, 'b-two')?.requiresPruning).toBe(true);
    },
  },
  {
    title: 'a deny window stops what is automated and lets a request through',
    check: async (lab) => {
      const held = lab.name('a');
      await denied(lab, held);
      await lab.app('a', [configMap('a', { x: '1' })], { automated: { selfHeal: true } });
      const free = await lab.app('b', [configMap('b')], { automated: {} });
      await lab.untilState(free, 'Synced', 'Healthy');
      const kept = await refreshedFor(lab, held);
      expect([...stateOf(kept), operationOf(kept)]).toEqual(['OutOfSync', 'Missing', undefined]);
      const app = await lab.deployed(held);
      expect(initiator(app)).toEqual({ username: 'tiphys' });
      await lab.apply(configMap('a', { x: 'drift' }));
      const drifted = await refreshedFor(lab, held);
      expect(stateOf(drifted)).toEqual(['OutOfSync', 'Healthy']);
      expect(operationOf(drifted)?.startedAt).toBe(operationOf(app)?.startedAt);
    },
  },
  {
    title:
      'taken out of the window and refreshed, one Application is synced and its neighbour is not',
    check: async (lab) => {
      const [one, two] = [lab.name('a'), lab.name('b')];
      await denied(lab, one, two);
      await lab.app('a', [configMap('a')], { automated: {} });
      await lab.app('b', [configMap('b')], { automated: {} });
      for (const name of [one, two]) await lab.refresh(name);
      await lab.windows([{ ...DENY, applications: [two] }]);
      const app = await lab.until('the sync', async () => {
        const now = await lab.refresh(one);
        return stateOf(now).join() === 'Synced,Healthy' && now;
      });
      expect(isAutomated(app)).toBe(true);
      const neighbour = await refreshedFor(lab, two, 3);
      expect(operationOf(neighbour)).toBeUndefined();
    },
  },
  {
    title: 'a window that comes while an automated operation runs freezes it until it is lifted',
    check: async (lab) => {
      const waiting = hook('PreSync', lab.world.job('h', 6));
      const name = await lab.app('a', [waiting, configMap('a')], { automated: {} });
      await lab.untilApp(name, 'waiting for its hook', isWaiting);
      await lab.windows([{ ...DENY, applications: [name] }]);
      const frozen = await refreshedUntil(lab, name, isBlocked);
      expect(operationOf(frozen)?.phase).toBe('Running');
      const refused = await lab.sync(name);
      expect([refused.status, refused.body.code]).toEqual([400, 9]);
      await lab.until('the hook to be done', async () => {
        return (await lab.read(waiting))?.status?.succeeded === 1;
      });
      const still = await refreshedFor(lab, name, 3);
      expect([operationOf(still)?.phase, isBlocked(still)]).toEqual(['Running', true]);
      await lab.windows([]);
      const ended = await refreshedUntil(lab, name, (app) => !app.operation);
      expect(operationOf(ended)?.phase).toBe('Succeeded');
    },
  },
  {
    title: 'not even a termination gets through to an automated operation in a window',
    check: async (lab) => {
      const waiting = hook('PreSync', lab.world.job('h', 'never'));
      const name = await lab.app('a', [waiting, configMap('a')], { automated: {} });
      await lab.untilApp(name, 'waiting for its hook', isWaiting);
      await lab.windows([{ ...DENY, applications: [name] }]);
      await refreshedUntil(lab, name, isBlocked);
      expect((await lab.terminate(name)).status).toBe(200);
      const still = await refreshedFor(lab, name, 3);
      expect(still.operation).toBeDefined();
      expect(operationOf(still)?.phase).toBe('Terminating');
      await lab.windows([]);
      const ended = await refreshedUntil(lab, name, (app) => !app.operation);
      expect(operationOf(ended)?.phase).toBe('Failed');
    },
  },
];
