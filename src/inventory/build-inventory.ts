// Builds the inventory from what was found in the cluster. Pure: the same findings give the same bytes.
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
  /** The namespace of Argo CD. */
  readonly argocdNamespace: string;
  /** In plan order, without what stays. */
  readonly found: readonly Found[];
  /** What stays. */
  readonly left: readonly LeftApplication[];
  readonly gone: readonly string[];
  /** Nodes whose Applications exist and cannot be read. */
  readonly unreadable: readonly Unreadable[];
  /** Namespaces that Argo CD created for Applications. */
  readonly namespaces: readonly FoundNamespace[];
  readonly makers: readonly Maker[];
  /** Creators outside the platform, which it cannot stop. */
  readonly outsiders: readonly Maker[];
  /** Dependents outside the scope that exist. */
  readonly dependents: readonly string[];
  /** Existing Applications of the platform outside the scope. */
  readonly outside: readonly ApplicationView[];
  readonly unexpected: readonly UnexpectedApplication[];
  /** Read clusters without VolumeSnapshots; '' is the one that runs Argo CD. */
  readonly withoutSnapshots: readonly string[];
  /** Other clusters that are read. */
  readonly clusters: readonly ReachedCluster[];
  /** Why objects do not name their Application; undefined: they do. */
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
    // For every destination: one that is not known to be another cluster can still be Argo CD's own.
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
    message: `${quote(shortName(id))} still exists, depends on the scope and is not in it.`,
    hint: 'Include it with --with-dependents.',
  };
}

function malformed({ id, name, namespace, why }: Unreadable): Finding {
  return {
    code: 'application-unreadable',
    node: id,
    message: `Application ${quote(name)} exists and cannot be read: ${why}.`,
    hint: `Inspect it with \`kubectl -n ${namespace} get application ${name} -o yaml\`, and fix or delete it manually.`,
  };
}

function unstoppable({ name, makes }: Maker): Finding {
  return {
    code: 'maker-outside',
    node: null,
    message: `Application ${quote(name)} is not part of the platform, and would recreate: ${makes.join(', ')}.`,
    hint: 'Remove these from its Git, or disable its automated sync, before the teardown.',
  };
}

function unforeseen({ name, madeBy }: Pick<UnexpectedApplication, 'name' | 'madeBy'>): Finding {
  return {
    code: 'application-unexpected',
    node: null,
    message: `Application ${quote(name)} is created by ${quote(madeBy)} and would be deleted with it, but is not in the platform file.`,
    hint: 'Add it to the platform file, so that it has a place in the order, or include it with --include-unexpected.',
  };
}

/** Claims that are deleted because of another object are refused: there may be no time left for a snapshot. */
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
