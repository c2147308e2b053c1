// What a teardown does in a cluster that Argo CD does not run in: there, and not to what has the same name elsewhere.
import { expect, test } from 'vitest';
import { failure } from '../../../test/fakes/failure.ts';
import { foundApplication, inventoryOf } from '../../../test/fakes/inventory.ts';
import { inMemory, listedObject } from '../../../test/fakes/objects.ts';
import { planOf, World } from '../../../test/fakes/run-world.ts';
import { sessionIn } from '../../../test/fakes/session.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import { namespacesOf } from '../../plan/node-address.ts';
import { type ResourceName, renderResource } from '../../ports/application-view.ts';
import type { ListedObject } from '../../ports/cluster-objects.ts';
import type { ClusterRight, Target } from '../../ports/target.ts';
import { ClaimSnapshots } from './claim-snapshots.ts';
import { lookAtTheRest } from './teardown-end.ts';
import { teardownPreflight } from './teardown-preflight.ts';
import { removeNode } from './teardown-spec.ts';

const PLAN = planOf('a:');
const SPOKE = { cluster: 'spoke', context: 'ctx', uid: 'uid-spoke' };
const OWN: ResourceName = { group: '', kind: 'Namespace', namespace: '', name: 'own' };
const THINGS: ResourceName = {
  ...{ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition', namespace: '' },
  name: 'things.x',
};
const CLAIM: ResourceName = {
  ...{ group: '', kind: 'PersistentVolumeClaim', namespace: 'own', name: 'data' },
};
const there = { destination: 'https://spoke', cluster: 'spoke', deletes: [] };
const NAMESPACE = { name: 'own', uid: 'uid-own', why: null };
const DEFINITION = {
  ...{ ...THINGS, uid: 'uid-things.x', node: 'app:a', defines: { group: 'x', kind: 'Thing' } },
};
const APPROVED = {
  clusters: [SPOKE],
  applications: [foundApplication('a', there)],
  namespaces: [{ ...NAMESPACE, cluster: 'spoke' }],
  definitions: [{ ...DEFINITION, cluster: 'spoke' }],
} satisfies Partial<Inventory>;

/** One of two clusters that have the same. */
class Site {
  readonly removed: string[] = [];
  readonly created: string[] = [];
  readonly asked: string[] = [];
  mayNot = '';
  identity: string;
  there: readonly ListedObject[] = [OWN, THINGS].map((one) => listedObject(one));

  constructor(identity: string) {
    this.identity = identity;
  }

  get place(): Pick<Target, 'objects' | 'residue' | 'snapshots' | 'identity'> & {
    rights: Pick<Target['rights'], 'inCluster'>;
  } {
    const now = () => inMemory({ objects: this.there });
    return {
      objects: {
        get: (resource) => now().objects.get(resource),
        list: (kind, namespace) => now().objects.list(kind, namespace),
        contents: (namespace) => now().objects.contents(namespace),
        remove: async ({ kind, name }) => {
          this.removed.push(`${kind} ${name}`);
          this.there = this.there.filter((one) => one.kind !== kind || one.name !== name);
          return { kind: 'done' };
        },
        prepareFinalizerRemoval: async () => async () => ({ kind: 'done' }),
      },
      residue: now().residue,
      snapshots: {
        served: async () => true,
        get: async ({ name }) =>
          this.created.includes(name) ? { ready: true, error: undefined } : undefined,
        create: async ({ name }) => {
          this.created.push(name);
          return { kind: 'done' };
        },
      },
      identity: async () => this.identity,
      rights: {
        inCluster: async ({ verb, resource }: ClusterRight) => {
          this.asked.push(`${verb} ${resource}`);
          return resource !== this.mayNot;
        },
      },
    };
  }
}

function sites() {
  const world = new World({ a: {} });
  const [own, spoke] = [new Site('uid-hub'), new Site('uid-spoke')];
  world.part.objects = own.place.objects;
  world.part.rights = { ...world.target.rights, ...own.place.rights };
  world.part.at = (cluster) => ({ '': own, spoke })[cluster]?.place ?? expect.fail(cluster);
  return { world, own, spoke };
}

const specOf = (approved: Inventory) => ({
  ...{ deployment: PLAN, approved, stuckAfter: 20, unsafe: new Set<string>() },
});
const signal = new AbortController().signal;
const held = async () => undefined;

async function looked(
  { world }: ReturnType<typeof sites>,
  part: Partial<Inventory> = {},
  snapshots: Parameters<typeof lookAtTheRest>[0]['snapshots'] = [],
) {
  const session = await sessionIn(world, PLAN);
  const spec = specOf(inventoryOf({ ...APPROVED, ...part }));
  const look = { spec, session, isGone: () => true, held, signal, snapshots };
  const isLookedAt = await world.clock.until(lookAtTheRest(look));
  return { isLookedAt, events: world.events };
}

test('what was approved there goes there', async () => {
  const both = sites();
  const { isLookedAt, events } = await looked(both);
  expect([isLookedAt, both.own.removed]).toEqual([true, []]);
  expect(both.spoke.removed).toEqual(['Namespace own', 'CustomResourceDefinition things.x']);
  expect(events.map((event) => [event.type, 'cluster' in event && event.cluster])).toEqual([
    ['object.delete-requested', 'spoke'],
    ['object.removed', 'spoke'],
    ['object.delete-requested', 'spoke'],
    ['object.removed', 'spoke'],
  ]);
});

test('what was approved here goes here', async () => {
  const both = sites();
  const part = { namespaces: [NAMESPACE], definitions: [DEFINITION] };
  expect((await looked(both, part)).isLookedAt).toBe(true);
  expect([both.own.removed.length, both.spoke.removed]).toEqual([2, []]);
});

test('nothing goes where the context reaches another cluster; the others are cleaned up', async () => {
  const both = sites();
  both.spoke.identity = 'uid-another';
  const namespaces = [NAMESPACE, ...APPROVED.namespaces];
  const { isLookedAt, events } = await looked(both, { namespaces });
  expect([isLookedAt, both.own.removed, both.spoke.removed]).toEqual([
    false,
    ['Namespace own'],
    [],
  ]);
  expect(events.at(-1)).toMatchObject({
    message: expect.stringMatching(/^remaining objects in spoke could not be read: .*"ctx"/),
  });
});

test('what is left there is told with the command that reaches it, snapshots too', async () => {
  const both = sites();
  both.spoke.there = [...both.spoke.there, listedObject(CLAIM)];
  const snapshots = new ClaimSnapshots(both.world.target, {
    clusters: [SPOKE],
    snapshots: [
      { ...CLAIM, node: 'app:a', cluster: 'spoke' },
      { ...CLAIM, node: 'app:a', name: 'hub' },
    ],
  });
  both.spoke.created.push('data-r1', 'hub-r1');
  both.own.created.push('hub-r1');
  const { events } = await looked(both, {}, await snapshots.find('r1'));
  const left = events.flatMap((event) => (event.type === 'object.left' ? [event] : []));
  expect(
    left.map(({ cluster, resource, command }) => [cluster, renderResource(resource), command]),
  ).toEqual([
    [undefined, 'snapshot.storage.k8s.io/VolumeSnapshot own/hub-r1', expect.any(String)],
    ['spoke', 'Namespace own', 'kubectl --context ctx delete namespace own'],
    [
      'spoke',
      'snapshot.storage.k8s.io/VolumeSnapshot own/data-r1',
      expect.stringContaining('--context ctx -n own'),
    ],
  ]);
});

test('rights are asked for where they are needed', async () => {
  const { world, own, spoke } = sites();
  spoke.mayNot = 'namespaces';
  const makers = [
    { kind: 'ApplicationSet', name: 's', namespace: 'argocd', uid: 'u', makes: ['a'] } as const,
  ];
  const snapshots = [{ ...CLAIM, node: 'app:a', cluster: 'spoke' }];
  const approved = inventoryOf({ ...APPROVED, makers, snapshots });
  expect(await failure(teardownPreflight(PLAN, approved, world.target))).toMatchObject({
    diagnostics: [{ message: 'The user of the context "ctx" cannot delete namespaces.' }],
  });
  expect(own.asked).toEqual(['patch appprojects', 'delete applicationsets']);
  expect(spoke.asked).toEqual([
    'delete namespaces',
    'list secrets',
    'delete customresourcedefinitions',
    'create volumesnapshots',
  ]);
});

test('a context that reaches another cluster is refused before the first write', async () => {
  const { world, spoke } = sites();
  spoke.identity = 'uid-another';
  const refused = await failure(teardownPreflight(PLAN, inventoryOf(APPROVED), world.target));
  expect(refused).toMatchObject({ diagnostics: [{ code: 'teardown-differs' }] });
  expect(spoke.asked).toEqual([]);
});

test('an Application is gone when nothing of it is left there; its claims are saved there', async () => {
  const { world, own, spoke } = sites();
  own.there = [listedObject(CLAIM)];
  spoke.there = [listedObject(CLAIM)];
  let isThere = true;
  world.applications.get = async (address) =>
    isThere ? await world.honest.get(address) : undefined;
  world.last = (honest) => (address) => (isThere ? honest(address) : undefined);
  world.applications.remove = async () => {
    isThere = false;
    void world.clock.sleep(12_000).then(() => {
      spoke.there = [];
    });
    return { kind: 'done' };
  };
  const snapshots = [{ ...CLAIM, node: 'app:a', cluster: 'spoke' }];
  const applications = [
    foundApplication('a', { ...there, deletes: [{ ...CLAIM, why: null, uid: 'uid-data' }] }),
  ];
  const approved = inventoryOf({ ...APPROVED, applications, snapshots });
  const session = await sessionIn(world, PLAN);
  const watch = await session.watch(namespacesOf(PLAN));
  const node = PLAN.nodes.find(({ id }) => id === 'app:a') ?? expect.fail('no a');
  const parts = { session, node, watch, emit: session.emit, signal, held };
  const saved = new ClaimSnapshots(world.target, approved);
  const removed = removeNode(parts, PLAN, specOf(approved), saved);
  expect((await world.clock.until(removed)).outcome).toBe('removed');
  expect([own.created, spoke.created]).toEqual([[], ['data-r1']]);
  // Looked at each five seconds: what is in Argo CD's own cluster is not waited for.
  expect(world.clock.monotonic()).toBeGreaterThanOrEqual(12_000);
  expect(own.there).toHaveLength(1);
});
