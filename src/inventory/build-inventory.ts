// What was found in the cluster -> inventory. Pure: the same findings give the same bytes.
import { API_VERSION } from '../model/api-version.ts';
import { compareText, quote } from '../model/names.ts';
import { hashOf } from '../plan/canonical.ts';
import type { Plan } from '../plan/plan.ts';
import { shortName } from '../plan/platform-graph.ts';
import {
  type ApplicationView,
  renderResource,
  type UnreadableApplication,
} from '../ports/application-view.ts';
import {
  deletedObjects,
  type Fated,
  type Found,
  fatesOf,
  isApplication,
  isGoingDefinition,
  nameOf,
} from './fate.ts';
import { deadlocks, finalizersOf } from './finalizers.ts';
import {
  emptied,
  isClaim,
  lostVolumes,
  misled,
  surprises,
  unread,
  unsaved,
  unsearched,
} from './findings.ts';
import {
  type Definition,
  type Finding,
  type Inventory,
  type InventoryApplication,
  inCluster,
  type LeftApplication,
  type Maker,
  type Policy,
  type ReachedCluster,
  type SnapshottedClaim,
  type UnexpectedApplication,
} from './inventory.ts';
import { type FoundNamespace, namespacesOf } from './namespaces.ts';
import { leftForPrimitives } from './primitives.ts';
import { earlyRegistrations } from './registrations.ts';
import { tooEarly } from './too-early.ts';

export interface Findings {
  readonly plan: Plan;
  readonly policy: Policy;
  /** Argo CD's own. */
  readonly argocdNamespace: string;
  /** In the plan's order, without what stays. */
  readonly found: readonly Found[];
  /** What stays. */
  readonly left: readonly LeftApplication[];
  readonly gone: readonly string[];
  /** Nodes whose Applications are there and cannot be read. */
  readonly unreadable: readonly Unreadable[];
  /** Those that Argo CD made for Applications. */
  readonly namespaces: readonly FoundNamespace[];
  readonly makers: readonly Maker[];
  /** Those of the makers that nobody of the platform can stop. */
  readonly outsiders: readonly Maker[];
  /** Nodes outside of the scope that depend on it and exist. */
  readonly dependents: readonly string[];
  /** Applications of the platform that are there, outside of the scope. */
  readonly outside: readonly ApplicationView[];
  readonly unexpected: readonly UnexpectedApplication[];
  /** Clusters that are looked at and do not know VolumeSnapshots; '' is Argo CD's own. */
  readonly withoutSnapshots: readonly string[];
  /** Clusters beside Argo CD's own that are looked at. */
  readonly clusters: readonly ReachedCluster[];
  /** Why objects do not say which Application has them; undefined: they do. */
  readonly untracked: string | undefined;
}

interface Unreadable extends UnreadableApplication {
  readonly id: string;
}

export function buildInventory(findings: Findings): Inventory {
  const { plan, policy, gone, makers, unexpected, argocdNamespace } = findings;
  const found = fatesOf(plan, findings.found, policy);
  const body = {
    apiVersion: API_VERSION,
    kind: 'Inventory',
    platform: plan.platform,
    plan: plan.hash,
    volumes: policy.volumes,
    applications: found.map((one) => applicationOf(one, found)),
    gone,
    ...(findings.left.length > 0 ? { left: findings.left } : {}),
    unexpected: policy.includeUnexpected ? unexpected : [],
    makers,
    namespaces: namespacesOf(findings.namespaces, found, policy, argocdNamespace),
    snapshots: policy.volumes === 'snapshot' ? snapshotsOf(found) : [],
    definitions: policy.crds ? definitionsOf(found) : [],
    ...(findings.clusters.length > 0 ? { clusters: findings.clusters } : {}),
    refusals: refusalsOf(findings, found),
    warnings: [
      ...deadlocks(plan, found),
      ...emptied(found),
      ...found.flatMap(surprises),
      ...unsearched(findings.untracked),
      ...findings.left.map(leftForPrimitives),
    ],
  } as const;
  return { ...body, operations: operationsOf(found), hash: hashOf(body) };
}

function applicationOf(one: Fated, all: readonly Fated[]): InventoryApplication {
  const { name, namespace, project, uid, deleting, remoteCluster = null } = one.view;
  const balancers = deletedObjects(one).filter(({ isLoadBalancer }) => isLoadBalancer);
  return {
    id: one.id,
    name,
    namespace,
    project,
    uid,
    destination: remoteCluster,
    ...(remoteCluster !== null && one.place.isSeen ? { cluster: one.place.cluster } : {}),
    deleting,
    deletes: byName(one.deletes),
    keeps: byName(one.keeps),
    finalizers: finalizersOf(one, all).sort((a, b) =>
      compareText(renderResource(a.resource), renderResource(b.resource)),
    ),
    loadBalancers: byName(balancers.map(nameOf)),
  };
}

function refusalsOf(findings: Findings, found: readonly Fated[]): Finding[] {
  const { policy, left, dependents, unexpected, withoutSnapshots } = findings;
  const isTaken = ({ madeBy }: UnexpectedApplication) => !left.some(({ name }) => name === madeBy);
  return [
    ...dependents.map(outside),
    ...findings.unreadable.map(malformed),
    ...findings.outsiders.map(unstoppable),
    ...(policy.includeUnexpected ? [] : unexpected.filter(isTaken).map(unforeseen)),
    // For every destination: one that is not certain to be Argo CD's own cluster can still be that one.
    ...found.flatMap(({ view, deletes }) =>
      deletes
        .filter((one) => isApplication(one) && !unexpected.some(({ name }) => name === one.name))
        .map(({ name }) => unforeseen({ name, madeBy: view.name })),
    ),
    ...tooEarly(findings.plan, found),
    ...earlyRegistrations(findings.plan, found, findings.argocdNamespace, findings.outside),
    ...found.flatMap(unread),
    ...found.flatMap((one) => lostVolumes(one, policy.volumes)),
    ...unsaved(policy.volumes, withoutSnapshots),
    ...found.flatMap(misled),
  ];
}

function outside(id: string): Finding {
  return {
    code: 'dependent-outside',
    node: id,
    message: `${quote(shortName(id))} is still there, depends on the scope and is not in it.`,
    hint: 'Take it along with --with-dependents.',
  };
}

function malformed({ id, name, namespace, why }: Unreadable): Finding {
  return {
    code: 'application-unreadable',
    node: id,
    message: `Application ${quote(name)} is there and cannot be read: ${why}.`,
    hint: `Look at it with \`kubectl -n ${namespace} get application ${name} -o yaml\`, and fix it or delete it yourself.`,
  };
}

function unstoppable({ name, makes }: Maker): Finding {
  return {
    code: 'maker-outside',
    node: null,
    message: `Application ${quote(name)} is not of the platform, and would make again: ${makes.join(', ')}.`,
    hint: 'Take these out of its Git, or stop its automated sync, before the teardown.',
  };
}

function unforeseen({ name, madeBy }: Pick<UnexpectedApplication, 'name' | 'madeBy'>): Finding {
  return {
    code: 'application-unexpected',
    node: null,
    message: `Application ${quote(name)} is made by ${quote(madeBy)} and would go with it, but is not in the platform file.`,
    hint: 'Put it into the platform file, so that it has a place in the order, or take it along with --include-unexpected.',
  };
}

/** Those that go because of something else are refused: nothing may be left to take a snapshot of in time. */
function snapshotsOf(found: readonly Fated[]): SnapshottedClaim[] {
  return found.filter(isSeen).flatMap(({ id, deletes, place }) => {
    const claims = deletes.filter((one) => isClaim(one) && one.why === null);
    return byName(claims).map((claim) => ({
      ...nameOf(claim),
      node: id,
      ...inCluster(place.cluster),
    }));
  });
}

function definitionsOf(found: readonly Found[]): Definition[] {
  const all = found.filter(isSeen).flatMap((one) =>
    (one.objects ?? []).flatMap((object) => {
      const { uid, defines } = object;
      if (!defines || !isGoingDefinition(object, one)) return [];
      return [{ ...nameOf(object), uid, node: one.id, defines, ...inCluster(one.place.cluster) }];
    }),
  );
  return byName(all);
}

const isSeen = ({ place }: Found): boolean => place.isSeen;

function operationsOf(found: readonly Found[]): string[] {
  const isRunning = ({ operation, operationState }: Found['view']) =>
    operation !== undefined || ['Running', 'Terminating'].includes(operationState?.phase ?? '');
  return found.filter(({ view }) => isRunning(view)).map(({ id }) => id);
}

function byName<T extends Parameters<typeof renderResource>[0]>(resources: readonly T[]): T[] {
  return [...resources].sort((a, b) => compareText(renderResource(a), renderResource(b)));
}
