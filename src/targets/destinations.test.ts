import { expect, test } from 'vitest';
import { MACHINE } from '../../test/fakes/machine.ts';
import { FakeTransport, json } from '../../test/fakes/transport.ts';
import { VirtualClock } from '../../test/fakes/virtual-clock.ts';
import { places, waysThrough } from './destinations.ts';
import { kubernetesApi } from './kubernetes/api.ts';
import { Discovery } from './kubernetes/discovery.ts';
import { kubernetesPlace } from './kubernetes/place.ts';

const KUBECONFIG = JSON.stringify({
  ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'hub' },
  clusters: [{ name: 'hub', cluster: { server: 'http://127.0.0.1:1' } }],
  users: [{ name: 'hub', user: { token: 'any' } }],
  contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'hub' } }],
});
const contexts = new Map([['https://spoke', 'spoke']]);
const world = { clock: new VirtualClock(), random: () => 0.5 };

const namespace = (uid: string) =>
  new FakeTransport(() => json({ metadata: { name: 'kube-system', uid } }));

function reached(ways: Parameters<typeof places>[0], own = namespace('hub')) {
  const api = kubernetesApi(own, world);
  return places(ways, kubernetesPlace(api, new Discovery(api)), world, {});
}

test('a context that the kubeconfig lacks is told of when its cluster is asked for, not before', async () => {
  const ways = waysThrough(
    contexts,
    { ...MACHINE, kubeconfigText: KUBECONFIG },
    world.clock,
    () => {},
  );
  const { at, contexts: known } = reached(ways);
  expect(known).toEqual(contexts);
  await expect(at('https://spoke').identity()).rejects.toThrow(
    'The kubeconfig has no context "spoke".',
  );
});

test('a pod has no contexts: each would be the cluster that it is in', () => {
  const inCluster = { host: '10.0.0.1', port: '443' };
  const ways = waysThrough(contexts, { ...MACHINE, inCluster }, world.clock, () => {});
  expect(reached(ways).contexts).toEqual(new Map());
});

test('each cluster is asked through its own way, and one without a context not at all', async () => {
  const spoke = namespace('spoke');
  const own = namespace('hub');
  const { at } = reached(new Map([['a', { context: 'c', transport: spoke }]]), own);
  expect([await at('').identity(), await at('a').identity()]).toEqual(['hub', 'spoke']);
  expect(at('a')).toBe(at('a'));
  expect([own.requests.length, spoke.requests.length]).toEqual([1, 1]);
  expect(() => at('b')).toThrow('The cluster b has no context.');
});
