// The platform, which is deployed, is to be torn down. Whoever gives the command has looked at the inventory and approved it, and does so again where
// the cluster has become another one.

import { teardown as tearDown } from '../../src/engines/embedded/run-teardown.ts';
import { approvedBy, isUnderWay } from '../../src/engines/teardown/approved-inventory.ts';
import { takeInventory } from '../../src/engines/teardown/take-inventory.ts';
import { TiphysError } from '../../src/errors.ts';
import { CAUTIOUS, type Inventory } from '../../src/inventory/inventory.ts';
import { buildPlan } from '../../src/plan/build-plan.ts';
import type { Report } from '../../src/report/run-report.ts';
import { API } from '../../src/simulator/argocd/application.ts';
import { Demolished, Silence } from './checks/demolition.ts';
import { Leases } from './checks/lease.ts';
import { Liveness } from './checks/liveness.ts';
import { Writes } from './checks/writes.ts';
import { expectedSeconds } from './expected.ts';
import { membersOf } from './graph.ts';
import { REPOSITORY } from './land.ts';
import type { Command } from './life.ts';
import { CLASS_NAMES } from './mishaps.ts';
import { compiledOf, type Mission, type MissionParts } from './mission.ts';
import { type World, type WorldOptions, worldOf } from './seeded-world.ts';
import { NAMESPACE } from './shape.ts';

const STRANGER = 'theirs';
const NEIGHBOURS = 'of-neighbours';
const SECOND = 1_000;
/** Seconds in which nothing may come back. */
const PATIENCE = 300;
const STUCK_AFTER = 120;
/** Seconds for one application to go. */
const GOING = 15;
const NOTHING_TO_DO = { exitStatus: 0, nodes: [], held: [] } as unknown as Report;

/** They befall operations, and a teardown asks for none. */
const OF_OPERATIONS = new Set<string>([
  'B7 requests overlooked',
  'D4 hook hangs',
  'D5 ends slowly',
  'D6 operations orphaned',
  'D16 sync fails',
]);
export const TEARDOWN_CLASSES = CLASS_NAMES.filter((name) => !OF_OPERATIONS.has(name));

/** Everything syncs by itself, so that it is there when the command is given. */
export function deployedWorldOf(seed: number, options: WorldOptions): World {
  const world = worldOf(seed, options);
  const automated = new Set(world.reading.gates.keys());
  const { faults, fates } = world.mishaps;
  const mishaps = { faults: faults.filter((fault) => !OF_OPERATIONS.has(fault.class)), fates };
  const whole = { mishaps, scope: undefined, planned: membersOf(world.reading, undefined) };
  return {
    ...world,
    ...whole,
    automated,
    wasDeployed: true,
    heldBefore: false,
    changed: new Set(),
  };
}

export function teardown({ world, rehearsal, accuse }: MissionParts): Mission {
  const { time, objects } = rehearsal;
  const now = () => time.now;
  const get = (kind: string, name: string) => objects.get(API, kind, NAMESPACE, name);
  const inNamespace = (name: string, cluster: string) =>
    (cluster === '' ? objects : rehearsal.cluster(cluster))
      .all()
      .flatMap(({ kind, metadata }) => (metadata.namespace === name ? [kind] : []));
  const demolished = new Demolished(world, { now, inNamespace }, accuse);
  const writes = new Writes(world, get, accuse, ['delete', 'terminate', 'other']);
  const liveness = new Liveness(world, now, accuse, 'teardown');
  let stranger: string | undefined;

  const begin = () => {
    for (const object of strangersOf(world)) objects.create(object);
    for (const object of passingNeighbour(world)) {
      const made = objects.create(object);
      time.after(world.end * SECOND, () => objects.remove(made));
    }
    stranger = demolished.uidOf(STRANGER);
  };
  /** Nothing is left, nothing comes back, and what is others' is as it was. */
  const afterwards = async () => {
    await time.sleep(PATIENCE * SECOND);
    const left = demolished.left();
    if (left.length > 0) accuse('L4', `it is done, and there is ${left.join(', ')}`);
    if (demolished.uidOf(STRANGER) !== stranger) accuse('S4', `${STRANGER} is not there any more`);
    const lost = strangersOf(world).filter(
      ({ apiVersion, kind, metadata }) =>
        !objects.get(apiVersion, kind, metadata.namespace, metadata.name),
    );
    for (const { kind } of lost) accuse('S4', `somebody else's ${kind} is not there any more`);
  };
  return {
    ...{ begin, afterwards, close: () => {} },
    command: commandOf(world, (inventory) => demolished.approve(inventory)),
    witnesses: [
      demolished,
      new Silence(NEIGHBOURS, accuse),
      writes,
      new Leases(now, accuse),
      liveness,
    ],
    expected: expectedSeconds(world) + GOING * world.reading.gates.size,
    counts: () => ({
      ...{ requests: liveness.requests, busiest: liveness.busiest, deceived: 0 },
      ...{ operations: writes.count, excused: 0, isBreakable: false },
    }),
  };
}

function commandOf(world: World, approve: (inventory: Inventory) => void): Command {
  const compiled = compiledOf(world);
  const deployment = buildPlan(compiled, { action: 'deploy' });
  const whole = buildPlan(compiled, { action: 'teardown' });
  let approved: Inventory | undefined;
  return async (parts) => {
    const { target, clock, abort } = parts;
    const policy = { ...CAUTIOUS, keepNamespaces: hasNeighbour(world) };
    const looking = { plan: whole, whole, policy, target, clock };
    const found = await takeInventory({ ...looking, concurrency: 5, signal: abort });
    if (!approved) approve(found);
    approved ??= found;
    const expected = { hash: approved.hash, inventory: undefined };
    const isGone = found.applications.length === 0;
    if (isGone && !(await isUnderWay(expected, found, target.store))) return NOTHING_TO_DO;
    try {
      const carried = await approvedBy(expected, found, target.store);
      return await tearDown({
        ...{ plan: whole, whole, deployment, approved: carried, unsafe: new Set<string>() },
        ...{ concurrency: whole.concurrency, stuckAfter: STUCK_AFTER, ...parts },
      });
    } catch (error) {
      const isAnother = error instanceof TiphysError && error.diagnostics.some(isOfApproval);
      if (isAnother) approved = undefined;
      throw error;
    }
  };
}

const isOfApproval = ({ code }: { readonly code: string }): boolean =>
  code === 'teardown-differs' || code === 'teardown-refused';

/** Somebody else has something in the namespace that the platform's workloads are in. */
const hasNeighbour = ({ seed }: World): boolean => seed % 2 === 0;

/** An Application of the same project; in some worlds something in the same namespace, too. Nobody may touch them. */
function strangersOf(world: World) {
  const { reading } = world;
  const application = {
    ...{ apiVersion: API, kind: 'Application' },
    metadata: { name: STRANGER, namespace: NAMESPACE },
    spec: {
      project: [...reading.projects.values()][0],
      source: { repoURL: REPOSITORY, path: STRANGER, targetRevision: 'main' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'theirs' },
    },
  };
  const metadata = { name: STRANGER, namespace: 'apps' };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata };
  const beside = hasNeighbour(world) ? [application, secret] : [application];
  return world.isLarge ? [...beside, ...distantStrangers(world)] : beside;
}

const GATEWAY = 'gateway.networking.k8s.io';

/** In some worlds: what only a version tells of that is not the preferred one of its group. It is there as long as things go wrong. */
function passingNeighbour({ isLarge, seed }: World) {
  const metadata = { name: 'passing', namespace: 'apps' };
  const grant = { apiVersion: `${GATEWAY}/v1beta1`, kind: 'ReferenceGrant', metadata };
  return isLarge && seed % 4 === 1 ? [grant] : [];
}

/** What is easily taken for the platform's: it has the name of an application in a label. */
function distantStrangers({ workloads }: World) {
  const [name = ''] = workloads.keys();
  const labels = { 'app.kubernetes.io/instance': name };
  const of = (apiVersion: string, kind: string, namespace: string) => ({
    ...{ apiVersion, kind, metadata: { name: NEIGHBOURS, namespace, labels } },
  });
  return [
    { ...of('apps/v1', 'Deployment', 'theirs'), spec: { replicas: 1 } },
    of(`${GATEWAY}/v1`, 'Gateway', 'theirs'),
  ];
}
