// What is Healthy, and what makes it so.
import { expect } from 'vitest';
import { type App, resourceOf, stateOf } from '../app.ts';
import type { Manifest } from '../argocd-world.ts';
import type { Case } from '../case.ts';
import { type History, watchApp } from '../history.ts';
import { annotated, configMap } from '../manifests.ts';

const healthOf = (app: App, name: string) => resourceOf(app, name)?.health?.status;

function service(name: string, type: string): Manifest {
  const ports = [{ port: 80 }];
  const spec = { type, ports, selector: { app: name } };
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec };
}

function cronJob(name: string, job: Manifest): Manifest {
  const spec = { schedule: '0 0 29 2 *', suspend: true, jobTemplate: { spec: job.spec } };
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name }, spec };
}

/** Synced and Progressing first, Healthy then: however short, a watch has seen both. */
async function becomesHealthy(history: History<App>): Promise<void> {
  const states = () => history.events.map(({ object }) => stateOf(object).join());
  await history.until('Progressing', ({ object }) => stateOf(object)[1] === 'Progressing');
  const from = states().findIndex((one) => one.endsWith('Progressing'));
  await history.until('Healthy after it', (event) => {
    return history.events.indexOf(event) > from && stateOf(event.object)[1] === 'Healthy';
  });
  history.stop();
}

const SECRET = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, type: 'Opaque' };

export const health: readonly Case[] = [
  {
    title: 'a kind without a check has no health and the Application is Healthy',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const app = await lab.deployed(name);
      expect(stateOf(app)).toEqual(['Synced', 'Healthy']);
      expect(resourceOf(app, 'a')?.health).toBeUndefined();
    },
  },
  {
    title:
      'a missing object counts where its kind has a check or a setting of its own, as ConfigMap has, else not',
    before: 4,
    check: async (lab) => {
      const state = async (suffix: string, manifest: Manifest) =>
        stateOf(await lab.refresh(await lab.app(suffix, [manifest])));
      expect(await state('a', SECRET)).toEqual(['OutOfSync', 'Healthy']);
      expect(await state('b', configMap('b'))).toEqual(['OutOfSync', 'Missing']);
      expect(await state('c', lab.world.job('c', 0))).toEqual(['OutOfSync', 'Missing']);
    },
  },
  {
    title: 'an Application of which nothing is there is Missing, whatever kinds it has',
    from: 4,
    check: async (lab) => {
      const state = async (suffix: string, manifest: Manifest) =>
        stateOf(await lab.refresh(await lab.app(suffix, [manifest])));
      expect(await state('a', SECRET)).toEqual(['OutOfSync', 'Missing']);
      expect(await state('b', configMap('b'))).toEqual(['OutOfSync', 'Missing']);
    },
  },
  {
    title: 'an operation is over when all is applied, healthy or not',
    check: async (lab) => {
      const name = await lab.app('a', [lab.world.deployment('d', 'never')]);
      const app = await lab.synced(name);
      expect(app.status?.operationState?.phase).toBe('Succeeded');
      await lab.untilState(name, 'Synced', 'Progressing');
    },
  },
  {
    title: 'a Deployment that becomes ready is Healthy without a refresh',
    check: async (lab) => {
      const name = await lab.app('a', [lab.world.deployment('d', 12)]);
      await lab.synced(name);
      const before = await lab.untilState(name, 'Synced', 'Progressing');
      await lab.nextSecond();
      const after = await lab.untilState(name, 'Synced', 'Healthy', { unasked: true });
      const { lastTransitionTime: since = '' } = after.status?.health ?? {};
      const { lastTransitionTime: begun = '' } = before.status?.health ?? {};
      expect(Date.parse(since)).toBeGreaterThan(Date.parse(begun));
    },
  },
  {
    title: 'a changed Deployment is Progressing again until the new one is ready',
    check: async (lab) => {
      const { world } = lab;
      const name = await lab.app('a', [world.deployment('d', 0)]);
      await lab.deployed(name);
      await world.commit('a', [world.deployment('d', 3, '2')]);
      await lab.refresh(name);
      const history = await watchApp(lab, name);
      await lab.synced(name);
      await becomesHealthy(history);
    },
  },
  {
    title: 'the time of the last transition stays while the health does',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const before = await lab.deployed(name);
      await lab.nextSecond();
      const after = await lab.refresh(name);
      expect(after.status?.reconciledAt).not.toBe(before.status?.reconciledAt);
      const since = after.status?.health?.lastTransitionTime;
      expect(since).toBe(before.status?.health?.lastTransitionTime);
    },
  },
  {
    title:
      'the worst health of the resources counts: Progressing before Healthy, Degraded before both',
    check: async (lab) => {
      const { deployment } = lab.world;
      const name = await lab.app('a', [deployment('good', 0), deployment('slow', 'never')]);
      await lab.synced(name);
      // The health of single resources is kept elsewhere, and may be newer than that of the Application.
      await lab.untilApp(
        name,
        'Progressing, one Healthy',
        (one) =>
          one.status?.health?.status === 'Progressing' &&
          healthOf(one, 'good') === 'Healthy' &&
          healthOf(one, 'slow') === 'Progressing',
      );
      await lab.world.commit('a', [
        deployment('good', 0),
        deployment('slow', 'never'),
        deployment('bad', 'fails'),
      ]);
      await lab.refresh(name);
      await lab.synced(name);
      await lab.untilApp(
        name,
        'Degraded by one',
        (one) =>
          one.status?.health?.status === 'Degraded' &&
          healthOf(one, 'bad') === 'Degraded' &&
          healthOf(one, 'slow') === 'Progressing',
      );
    },
  },
  {
    title: 'a resource whose health is to be ignored does not count',
    check: async (lab) => {
      const ignored = { 'argocd.argoproj.io/ignore-healthcheck': 'true' };
      const name = await lab.app('a', [
        configMap('a'),
        annotated(lab.world.deployment('slow', 'never'), ignored),
      ]);
      const app = await lab.deployed(name);
      expect(stateOf(app)).toEqual(['Synced', 'Healthy']);
    },
  },
  {
    title: 'a paused Deployment is Suspended, a suspended CronJob is Healthy',
    check: async (lab) => {
      const running = lab.world.deployment('d', 0);
      const paused = { ...running, spec: { ...(running.spec as object), paused: true } };
      const one = await lab.app('a', [paused]);
      const two = await lab.app('b', [cronJob('c', lab.world.job('j', 0))]);
      await lab.synced(one);
      await lab.synced(two);
      await lab.untilState(one, 'Synced', 'Suspended');
      await lab.untilState(two, 'Synced', 'Healthy');
    },
  },
  {
    title: 'a Job is Progressing until it succeeded',
    check: async (lab) => {
      const name = await lab.app('a', [lab.world.job('j', 3)]);
      const history = await watchApp(lab, name);
      await lab.synced(name);
      await becomesHealthy(history);
    },
  },
  {
    title: 'a Job that failed is Degraded',
    check: async (lab) => {
      const name = await lab.app('a', [lab.world.job('j', 'fails')]);
      await lab.synced(name);
      await lab.untilState(name, 'Synced', 'Degraded');
    },
  },
  {
    title: 'a Service is Healthy, one of type LoadBalancer when it has an address',
    check: async (lab) => {
      const outside = service('outside', 'LoadBalancer');
      const one = await lab.app('a', [service('inside', 'ClusterIP')]);
      const two = await lab.app('b', [outside]);
      await lab.synced(one);
      await lab.synced(two);
      await lab.untilState(one, 'Synced', 'Healthy');
      await lab.until('the address to decide', async () => {
        const { status } = await lab.read(outside);
        const expected = status?.loadBalancer?.ingress ? 'Healthy' : 'Progressing';
        return stateOf(await lab.get(two)).join() === `Synced,${expected}`;
      });
    },
  },
  {
    title: 'Kubernetes has no health of single resources, argocd-server fills it in',
    check: async (lab) => {
      const name = await lab.app('a', [lab.world.deployment('d', 0)]);
      await lab.deployed(name);
      await lab.untilApp(name, 'd Healthy', (app) => healthOf(app, 'd') === 'Healthy');
      const stored = await lab.stored(name);
      expect(stored?.status?.resourceHealthSource).toBe('appTree');
      expect(stored?.status?.resources?.[0]).toMatchObject({
        group: 'apps',
        version: 'v1',
        kind: 'Deployment',
        namespace: lab.namespace,
        name: 'd',
        status: 'Synced',
      });
      expect(stored?.status?.resources?.[0]?.health).toBeUndefined();
    },
  },
];
