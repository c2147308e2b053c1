// An Application that is removed by the node program of a teardown.
import { expect } from 'vitest';
import { ALONE, type NodeContext } from '../../../src/node/node-context.ts';
import type { Removal } from '../../../src/node/removal.ts';
import { removeApplication } from '../../../src/node/remove-node.ts';
import type { PlanNode } from '../../../src/plan/plan.ts';
import type { Applications } from '../../../src/ports/argocd-applications.ts';
import type { EventBody } from '../../../src/run/events.ts';
import { Writes } from '../../../src/session/writes/writes.ts';
import { send, sendLong } from '../../fakes/lease-world.ts';
import type { Case } from '../case.ts';
import { CONFIG_MAP, type Lab } from '../lab.ts';
import { configMap, DENY, FOREIGN, guarded, hook } from '../manifests.ts';

const named = (lab: Lab, name: string) => ({
  ...{ group: '', kind: 'ConfigMap', namespace: lab.namespace, name },
});

async function remove(lab: Lab, name: string, part: Partial<Removal> = {}, sync = 5) {
  const { clock, argocdNamespace } = lab.world;
  const { target } = lab;
  const end = new AbortController();
  const events: EventBody[] = [];
  const address = { name, namespace: argocdNamespace, project: lab.project };
  let terminations = 0;
  const applications: Applications = {
    ...target.applications,
    terminate: (of) => {
      terminations++;
      return target.applications.terminate(of);
    },
  };
  const counted = { ...target, applications };
  const guards = { dependenciesReady: async () => {}, held: async () => {}, signal: end.signal };
  const lease = { awaitWritePermit: async () => {}, send, sendLong };
  // What a removal does not use is left out.
  const context: NodeContext = {
    session: {
      identity: { id: 'run', platform: lab.project, plan: 'plan' },
      clock,
      target: counted,
      mayRunTwice: false,
      probeWrites: () => ({ create: () => Promise.reject(new Error('A removal probes nothing.')) }),
    },
    node: {
      id: `app:${name}`,
      kind: 'application',
      application: name,
      argocd: address,
      timeouts: { sync },
    } as unknown as PlanNode,
    watch: await target.watches.applications([argocdNamespace], end.signal),
    emit: (event: EventBody) => events.push(event),
    walk: { ...ALONE, ensureHold: guards.held },
    signal: end.signal,
    writes: new Writes({ target: counted, lease, clock }, guards),
    blocked: async () => undefined,
    forChild: () => context,
  };
  const uid = (await lab.stored(name))?.metadata.uid;
  const defaults = {
    uid,
    resources: [],
    servedBy: () => [],
    cluster: '',
    objects: target.objects,
    unsafe: false,
    prepare: async () => undefined,
  };
  try {
    const result = await removeApplication(context, { ...defaults, stuckAfter: 60, ...part });
    return { ...result, terminations, types: events.map(({ type }) => type) };
  } finally {
    end.abort();
  }
}

export const removal: readonly Case[] = [
  {
    title: 'a removal under a hold ends when the Application and all that it had are gone',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a'), configMap('b')], { automated: {} });
      await lab.untilState(name, 'Synced', 'Healthy');
      await lab.windows([{ ...DENY, applications: [name] }]);
      const resources = ['a', 'b'].map((one) => named(lab, one));
      const { outcome, types } = await remove(lab, name, { resources });
      expect(outcome).toBe('removed');
      expect(types.filter((type) => type === 'node.delete-requested')).toHaveLength(1);
      expect(await lab.stored(name)).toBeUndefined();
      expect(await lab.read(configMap('a'))).toBeUndefined();
      const again = await remove(lab, name, { resources });
      expect([again.outcome, again.types]).toEqual(['removed', []]);
    },
  },
  {
    title: 'a removal that hangs names the object, its finalizer and since when',
    check: async (lab) => {
      const name = await lab.app('a', [guarded(configMap('a'))]);
      await lab.deployed(name);
      const resources = [named(lab, 'a')];
      const servedBy = () => ['operator'];
      const { outcome, cause } = await remove(lab, name, { resources, servedBy, stuckAfter: 12 });
      expect(outcome).toBe('failed');
      expect(cause?.message).toMatch(
        new RegExp(`ConfigMap .*/a has been terminating since .*${FOREIGN}, which operator should`),
      );
      await lab.apply({ ...CONFIG_MAP, metadata: { name: 'a', finalizers: [] } });
      const again = await remove(lab, name, { resources });
      expect([again.outcome, again.types.includes('node.delete-requested')]).toEqual([
        'removed',
        false,
      ]);
    },
  },
  {
    title: 'a removal ends an operation that is in its way, and never touches another uid',
    check: async (lab) => {
      const waiting = hook('PreSync', lab.world.job('h', 'never'));
      const name = await lab.app('a', [waiting, configMap('a')]);
      await lab.sync(name);
      await lab.running(name);
      const other = await remove(lab, name, { uid: 'another' });
      expect([other.outcome, other.cause?.message]).toEqual([
        'failed',
        expect.stringContaining('recreated after the approval'),
      ]);
      expect((await lab.stored(name))?.metadata.deletionTimestamp).toBeUndefined();
      const { outcome, terminations } = await remove(lab, name);
      expect([outcome, terminations]).toEqual(['removed', 1]);
    },
  },
  {
    title: 'a removal lets an operation of somebody else end, if it does in time',
    check: async (lab) => {
      const name = await lab.app('a', [hook('PreSync', lab.world.job('h', 4)), configMap('a')]);
      await lab.sync(name);
      await lab.running(name);
      const { outcome, terminations, types } = await remove(lab, name, {}, 60);
      expect([outcome, terminations]).toEqual(['removed', 0]);
      expect(types).toContain('node.waiting');
    },
  },
  {
    title: 'a removal ends an operation of an earlier run of the platform at once',
    check: async (lab) => {
      const waiting = hook('PreSync', lab.world.job('h', 'never'));
      const name = await lab.app('a', [waiting, configMap('a')]);
      await lab.sync(name, { infos: [{ name: 'tiphys/platform', value: lab.project }] });
      await lab.running(name);
      const { outcome, terminations } = await remove(lab, name, {}, 600);
      expect([outcome, terminations]).toEqual(['removed', 1]);
    },
  },
];
