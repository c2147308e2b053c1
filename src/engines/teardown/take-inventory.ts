// Reads what a teardown would find in the cluster. Argo CD compares at each change of an object; but right after an
// operation it may have compared with older objects, so that new ones are not seen.
import { TiphysError } from '../../errors.ts';
import { buildInventory } from '../../inventory/build-inventory.ts';
import { deleteOptionIn } from '../../inventory/fate.ts';
import type { Inventory, Maker, Policy } from '../../inventory/inventory.ts';
import { compareText, quote } from '../../model/names.ts';
import type { ApplicationAddress } from '../../model/platform.ts';
import { addressOf, keyOf, namespacesOf, viewsByKey } from '../../plan/node-address.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { shortName } from '../../plan/platform-graph.ts';
import type { ApplicationView, ManagedObject } from '../../ports/application-view.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ApplicationSetView, Cluster } from '../../ports/target.ts';
import { interrupted } from '../../session/interrupted.ts';
import { wrongProject } from '../check-cluster.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { listMakers, unexpectedOf, withUnexpected } from '../unexpected.ts';
import { type Placed, placed, type Unplaced } from './destinations.ts';
import { leftBehind } from './left-behind.ts';
import { madeNamespaces } from './made-namespaces.ts';
import { toldApart } from './told-apart.ts';

export interface InventoryRequest {
  readonly plan: Plan;
  /** The plan of the whole platform, for any scope. */
  readonly whole: Plan;
  readonly policy: Policy;
  readonly target: Cluster;
  readonly clock: Clock;
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

export async function takeInventory(request: InventoryRequest): Promise<Inventory> {
  const { whole, policy, target } = request;
  refuseGenerated(whole);
  const namespaces = namespacesOf(whole);
  const broken = new Map<string, string>();
  const listed = await target.applications.list(namespaces, ({ namespace, name, why }) =>
    broken.set(`${namespace}/${name}`, why),
  );
  const sets = await listMakers(listed, namespaces, target);
  const views = viewsByKey(listed);
  const unexpected = unexpectedOf(request.plan, listed, sets).sort(byName);
  const plan = policy.includeUnexpected ? withUnexpected(request.plan, unexpected) : request.plan;
  const nodes = plan.nodes.filter(({ application }) => application !== null);
  const existing = nodes.flatMap((node) => {
    const view = views.get(keyOf(node));
    return view ? [{ node, view }] : [];
  });
  const wrong = existing.flatMap(({ node, view }) => wrongProject(node, view));
  if (wrong.length > 0) throw new TiphysError(wrong);
  const obeys = await obeysOwnOptions(
    existing.map(({ view }) => view),
    target,
  );
  const read = await mapConcurrently(existing, request, ({ node, view }) =>
    find(node, view, request, obeys),
  );
  const all = await placed(read, target);
  const found = await toldApart(all.found, target);
  const left = await leftBehind(plan, whole, found, policy, target);
  const staying = new Set(left.map(({ id }) => id));
  const places = { ...all, found: found.filter(({ id }) => !staying.has(id)) };
  const going = places.found.map(({ view }) => view);
  const makers = makersOf(going, listed, sets);
  return buildInventory({
    plan,
    policy,
    argocdNamespace: target.namespace,
    found: places.found,
    left,
    clusters: places.clusters,
    unexpected,
    namespaces: await madeNamespaces(places, listed, target),
    withoutSnapshots: policy.volumes === 'snapshot' ? await withoutSnapshots(places, target) : [],
    untracked: await untracked(target),
    gone: nodes
      .filter((node) => !views.has(keyOf(node)) && !broken.has(keyOf(node)))
      .map(({ id }) => id),
    unreadable: nodes.flatMap((node) => {
      const why = broken.get(keyOf(node));
      return why === undefined ? [] : [{ id: node.id, ...addressOf(node), why }];
    }),
    makers,
    outsiders: makers.filter((maker) => isOutside(maker, whole)),
    outside: outsideOf(plan, whole).flatMap((node) => views.get(keyOf(node)) ?? []),
    dependents: whole.nodes
      .filter(({ id }) => plan.requires.includes(id))
      .filter((node) => views.has(keyOf(node)) || broken.has(keyOf(node)))
      .map(({ id }) => id),
  });
}

function outsideOf(plan: Plan, whole: Plan): PlanNode[] {
  const inside = new Set(plan.nodes.flatMap((node) => (node.application ? keyOf(node) : [])));
  return whole.nodes.filter((node) => node.application !== null && !inside.has(keyOf(node)));
}

/** Approved Applications could not be told from those that its generator creates in the meantime. */
function refuseGenerated({ nodes }: Plan): void {
  const generated = nodes.filter((node) => node.generated);
  if (generated.length === 0) return;
  const names = generated.map(({ id }) => quote(shortName(id))).join(', ');
  const message = `A platform with generated members cannot be torn down: ${names}.`;
  const hint =
    'Delete their generators and Applications, then remove these members from the platform file.';
  throw new TiphysError([{ code: 'generated-invalid', message, hint }]);
}

/** From this version on, an Application's own sync option `Delete` applies to all its resources. */
const SINCE = [3, 4] as const;

/** If the version is unknown, nothing counts as kept that may be deleted. */
async function obeysOwnOptions(
  views: readonly ApplicationView[],
  target: Cluster,
): Promise<boolean> {
  if (views.every(({ syncOptions }) => deleteOptionIn(syncOptions) === undefined)) return false;
  const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(await target.argocdVersion()) ?? [];
  return Number(major) > SINCE[0] || (Number(major) === SINCE[0] && Number(minor) >= SINCE[1]);
}

/** For the clusters that are read; '' is the one that runs Argo CD. */
async function withoutSnapshots({ clusters }: Placed, target: Cluster): Promise<string[]> {
  const all = ['', ...clusters.map(({ cluster }) => cluster)];
  const served = await Promise.all(all.map((one) => target.at(one).snapshots.served()));
  return all.filter((_, at) => !served[at]);
}

const TRACKING = 'application.resourceTrackingMethod';

/** Why objects do not name their Application in annotations; undefined: they do. */
async function untracked({ kinds }: Cluster): Promise<string | undefined> {
  try {
    const method = (await kinds.settings()).get(TRACKING);
    return method === 'label' ? `Argo CD tracks by label (${TRACKING})` : undefined;
  } catch (error) {
    const code = error instanceof TiphysError ? error.diagnostics[0]?.code : undefined;
    if (code !== 'cluster-forbidden') throw error;
    return `no permission to read Argo CD's tracking method (${TRACKING})`;
  }
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  compareText(a.name, b.name);

/** Seconds after an operation's end from which a comparison is trusted. */
const SETTLED = 5;
const LOOKS = 15;
const COMPARISON_POLL_MS = 1_000;
const LONGEST_MS = 8_000;

/** `obeys`: an Application's own sync option counts. */
async function find(
  node: PlanNode,
  listed: ApplicationView,
  request: InventoryRequest,
  obeys: boolean,
): Promise<Unplaced> {
  const { name, namespace } = listed;
  const instance = namespace === request.target.namespace ? name : `${namespace}_${name}`;
  const seen = await read(addressOf(node), listed, request).catch((error: unknown) => {
    if (!(error instanceof TiphysError) || request.signal.aborted) throw error;
    return { view: listed, objects: undefined, problem: error.message };
  });
  const deleteOption = obeys ? deleteOptionIn(seen.view.syncOptions) : undefined;
  return { id: node.id, instance, ...seen, deleteOption };
}

/** Looks again while Argo CD's view may be older than its last operation. */
async function read(
  address: ApplicationAddress,
  listed: ApplicationView,
  { target: { applications }, clock, signal }: InventoryRequest,
): Promise<Pick<Unplaced, 'view' | 'objects' | 'problem'>> {
  let view = listed;
  let pause = COMPARISON_POLL_MS;
  for (let looks = 0; ; looks++) {
    if (isSettled(view)) {
      const objects = await applications.managedObjects(address);
      // What is still missing in the end was deleted by someone.
      if (pause > LONGEST_MS || hasAll(objects, view)) return { view, objects, problem: undefined };
      pause *= 2;
    } else if (looks >= LOOKS) return { view, objects: undefined, problem: UNSETTLED };
    if (looks > 0) await clock.sleep(pause, signal);
    if (signal.aborted) throw interrupted();
    view = (await applications.refresh(address)) ?? view;
  }
}

/** Seconds after which Argo CD has seen everything that an operation created. */
const LONG_AGO = 60;
const UNSETTLED = 'an operation has ended, and Argo CD has not compared it since then.';

/** Terminating or skipped Applications are no longer compared. A running operation is listed as such. */
function isSettled({ operationState, reconciledAt, deleting, skipped }: ApplicationView): boolean {
  const ended = operationState?.finishedAt;
  if (deleting || skipped || ended === undefined) return true;
  return reconciledAt !== undefined && reconciledAt >= ended + SETTLED;
}

/** Each kind reaches Argo CD's cache separately: a part of what the last operation created may be visible. */
function hasAll(
  objects: readonly ManagedObject[],
  { operationState, reconciledAt = 0, deleting, skipped }: ApplicationView,
): boolean {
  if (deleting || skipped) return true;
  // Objects that an earlier part of this teardown deleted were created long ago.
  if (reconciledAt - (operationState?.finishedAt ?? 0) > LONG_AGO) return true;
  const made = operationState?.results.filter(({ status, hook }) => status === 'Synced' && !hook);
  return (made ?? []).every(({ resource: { group, kind, namespace, name } }) =>
    objects.some(
      (one) =>
        one.kind === kind &&
        one.group === group &&
        one.name === name &&
        // A sync result has the Application's namespace for cluster-scoped objects.
        ['', namespace].includes(one.namespace),
    ),
  );
}

/** ApplicationSets that own them, and Applications that have them in their Git with automated sync. */
function makersOf(
  views: readonly ApplicationView[],
  listed: readonly ApplicationView[],
  sets: readonly ApplicationSetView[],
): Maker[] {
  const makers = new Map<string, Maker>();
  for (const view of views) {
    const { name, namespace, applicationSet } = view;
    const owner = sets.find((one) => one.name === applicationSet && one.namespace === namespace);
    const parent = listed.find((other) => other.name === view.trackedBy && other.name !== name);
    const maker = owner ?? (parent?.automated ? parent : undefined);
    if (!maker) continue;
    const kind = owner ? 'ApplicationSet' : 'Application';
    const key = `${kind} ${maker.namespace}/${maker.name}`;
    const makes = [...(makers.get(key)?.makes ?? []), name].sort();
    makers.set(key, { kind, name: maker.name, namespace: maker.namespace, uid: maker.uid, makes });
  }
  return [...makers].sort(([a], [b]) => compareText(a, b)).map(([, maker]) => maker);
}

/** A parent outside the platform file is not held by its runs. */
function isOutside({ kind, name, namespace }: Maker, whole: Plan): boolean {
  const isIt = ({ application, argocd }: PlanNode) =>
    application === name && argocd?.namespace === namespace;
  return kind === 'Application' && !whole.nodes.some(isIt);
}
