// The end of a teardown, for every engine. Deletes what no Application owns: namespaces that Argo CD created, and CRDs if
// requested. Only approved ones, by uid, and only when they are empty. Then it reports the remaining objects, and what
// that means.
import { EXIT, type ExitStatus, TiphysError } from '../../errors.ts';
import { inCluster, type ReachedCluster } from '../../inventory/inventory.ts';
import type { Plan } from '../../plan/plan.ts';
import { type ResourceName, renderResource } from '../../ports/application-view.ts';
import type { ListedObject, ObjectReads, Unlisted } from '../../ports/cluster-objects.ts';
import type { Place } from '../../ports/target.ts';
import { outcomesOf } from '../../report/tally.ts';
import type { RunEnd } from '../../run/events.ts';
import { exitStatusOf } from '../../run/exit-status.ts';
import { type Leftover, leftover } from '../../run/leftover.ts';
import { Abandoned } from '../../session/abandoned.ts';
import type { Session } from '../../session/session.ts';
import type { Writes } from '../../session/writes/writes.ts';
import { assertReached } from './destinations.ts';
import { findLeftovers } from './find-leftovers.ts';
import { forgetApproval } from './stored-inventory.ts';
import type { TeardownSpec } from './teardown-spec.ts';

interface LastLook {
  readonly spec: TeardownSpec;
  readonly session: Session;
  /** Whether a node's Application is gone. */
  readonly isGone: (id: string) => boolean;
  /** Resolves when everything that could recreate something is on hold. */
  readonly held: () => Promise<void>;
  readonly signal: AbortSignal;
  /** They stay, as announced. */
  readonly snapshots: readonly Leftover[];
}

/** One cluster whose clean-up was approved. */
interface RestOf {
  /** '' is the cluster that runs Argo CD. */
  readonly cluster: string;
  /** Undefined: the cluster that runs Argo CD. */
  readonly where: ReachedCluster | undefined;
  readonly place: Place;
}

/** Whether everything could be read. What was deleted is gone, even if the rest is unknown. */
export async function lookAtTheRest(look: LastLook): Promise<boolean> {
  const { clusters = [] } = look.spec.approved;
  const looked: boolean[] = [];
  for (const where of [undefined, ...clusters]) looked.push(await lookAt(where, look));
  return looked.every((one) => one);
}

/** An unreadable cluster does not prevent the clean-up of the others. */
async function lookAt(where: ReachedCluster | undefined, look: LastLook): Promise<boolean> {
  const cluster = where?.cluster ?? '';
  try {
    const place = look.session.target.at(cluster);
    if (where) await assertReached(where, place);
    await removeAndTell({ cluster, where, place }, look);
    return true;
  } catch (error) {
    // The run was told to quit: its end is reported elsewhere.
    if (error instanceof Abandoned) return false;
    if (!(error instanceof TiphysError)) throw error;
    const message = `remaining objects${where ? ` in ${cluster}` : ''} could not be read: ${error.message}`;
    look.session.warn(message);
    return false;
  }
}

/** Deletes what no Application owns once everything that may need it is gone. Then reports the remaining objects. */
async function removeAndTell(rest: RestOf, look: LastLook): Promise<void> {
  const { session, signal, held } = look;
  const { cluster, place } = rest;
  const dependenciesReady = async () => assertAllGone(look);
  const writes = session.writes({ dependenciesReady, held, signal });
  const saved = look.snapshots.filter((one) => (one.cluster ?? '') === cluster);
  const kept = [...(await removeTheRest(rest, look, writes)), ...saved];
  const known = new Set(kept.map(({ resource }) => renderResource(resource)));
  const searched = { ...place, namespace: session.target.namespace };
  const found = (await findLeftovers(look.spec.approved, cluster, searched)).filter(
    ({ resource }) => !known.has(renderResource(resource)),
  );
  for (const one of [...kept, ...found]) session.emit({ type: 'object.left', ...one });
}

/** What no Application owns may serve any of them. */
function assertAllGone({ spec, isGone }: LastLook): void {
  const there = spec.approved.applications.filter(({ id }) => !isGone(id));
  if (there.length === 0) return;
  const message = `${there.map(({ name }) => name).join(', ')} still exists`;
  throw new TiphysError([{ code: 'dependents-exist', message }]);
}

/** Something is left, however little was deleted. If nothing is left, the approval is used up. */
export async function teardownStatus(
  session: Pick<Session, 'state' | 'identity' | 'forgetText'>,
  plan: Plan,
  end: RunEnd,
  isLookedAt: boolean,
): Promise<ExitStatus> {
  const { nodes, leftovers } = session.state;
  const status = exitStatusOf({ outcomes: outcomesOf(plan, nodes), end });
  const isClean = isLookedAt && leftovers.every(({ announced }) => announced);
  if (status === EXIT.ok && isClean) await forgetApproval(session);
  const isLeft = status === EXIT.failure || (status === EXIT.ok && !isClean);
  return isLeft ? EXIT.partial : status;
}

/** What was approved for deletion once nothing is left in it, or of its kind. */
interface Candidate {
  readonly resource: ResourceName;
  readonly uid: string;
  readonly contents: () => Promise<readonly ListedObject[] | Unlisted>;
  readonly where: 'in it' | 'of its kind';
}

const OBJECT_POLL_MS = 1_000;
const SETTLED_MS = 30_000;
/** One look at a namespace lists every served kind. */
const LONGEST_PAUSE_MS = 8_000;

/** Objects that should have been deleted and remain. */
async function removeTheRest(
  rest: RestOf,
  look: LastLook,
  writes: Pick<Writes, 'removeObject'>,
): Promise<Leftover[]> {
  const { applications, namespaces, definitions } = look.spec.approved;
  const { objects } = rest.place;
  const isHere = (one: { readonly cluster?: string }) => (one.cluster ?? '') === rest.cluster;
  if (!applications.every(({ id }) => look.isGone(id))) return [];
  const going = [
    namespaces
      .filter((one) => one.why === null && isHere(one))
      .map(({ name, uid }): Candidate => {
        const resource = { group: '', kind: 'Namespace', namespace: '', name };
        return { resource, uid, contents: () => contentsOf(name, objects), where: 'in it' };
      }),
    definitions.filter(isHere).map(({ defines, uid, group, kind, name }): Candidate => {
      const resource = { group, kind, namespace: '', name };
      return { resource, uid, contents: () => ofKind(defines, objects), where: 'of its kind' };
    }),
  ];
  const left: Leftover[] = [];
  for (const candidates of going) {
    const whys = await Promise.all(candidates.map((one) => removeIfEmpty(one, rest, look, writes)));
    for (const [at, { resource }] of candidates.entries()) {
      const why = whys[at];
      if (why !== undefined) left.push(leftover(resource, why, false, rest.where));
    }
  }
  return left;
}

async function contentsOf(namespace: string, objects: ObjectReads) {
  const found = await objects.contents(namespace);
  if (!('unlisted' in found)) return found;
  return { unlisted: `its contents are unknown: ${found.unlisted}` };
}

async function ofKind(kind: Pick<ResourceName, 'group' | 'kind'>, objects: ObjectReads) {
  const found = await objects.list(kind);
  return found === 'unknown'
    ? { unlisted: 'no permission to read the objects of its kind' }
    : found;
}

/** Why it stays; undefined: it is gone. */
async function removeIfEmpty(
  { resource, uid, contents, where }: Candidate,
  rest: RestOf,
  look: LastLook,
  writes: Pick<Writes, 'removeObject'>,
): Promise<string | undefined> {
  const all = await settled(contents, look);
  if ('unlisted' in all) return all.unlisted;
  const [first, ...others] = all;
  if (!first) return await remove(resource, uid, rest, look, writes);
  const more = others.length > 0 ? ` and ${others.length} more are` : ' is';
  return `${renderResource(first)}${more} ${where}`;
}

/** Kubernetes' garbage collector gets a moment for objects of deleted owners. */
async function settled(read: Candidate['contents'], { session: { clock }, signal }: LastLook) {
  const end = clock.monotonic() + SETTLED_MS;
  for (let pause = OBJECT_POLL_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const all = await read();
    if ('unlisted' in all) return all;
    const left = all.filter((one) => !isNobodys(one));
    const isOver = clock.monotonic() >= end || signal.aborted;
    if (isOver || left.length === 0) return left;
    await clock.sleep(Math.min(pause, end - clock.monotonic()), signal);
  }
}

async function remove(
  resource: ResourceName,
  uid: string,
  { cluster, place: { objects } }: RestOf,
  { session, spec, signal }: LastLook,
  writes: Pick<Writes, 'removeObject'>,
): Promise<string | undefined> {
  const { clock, emit } = session;
  const now = await objects.get(resource);
  if (now === undefined) return undefined;
  if (now === 'unknown') return 'no permission to read it';
  if (now.uid !== uid) return 'it was recreated after the approval';
  const result = await writes.removeObject(cluster, resource, uid);
  if (result.kind === 'refused' && result.reason !== 'not-found') return result.message;
  emit({ type: 'object.delete-requested', resource, ...inCluster(cluster) });
  for (const end = clock.monotonic() + spec.stuckAfter * 1000; clock.monotonic() < end; ) {
    const there = await objects.get(resource);
    if (there === undefined || there === 'unknown' || there.uid !== uid) {
      emit({ type: 'object.removed', resource, ...inCluster(cluster) });
      return undefined;
    }
    await clock.sleep(OBJECT_POLL_MS, signal);
    if (signal.aborted) break;
  }
  return 'it is not deleted in time';
}

/** What Kubernetes creates in every namespace, what only records the past, and what gives a teardown its read access. */
function isNobodys({ group, kind, name }: ListedObject): boolean {
  const own = ['/ConfigMap/kube-root-ca.crt', '/ServiceAccount/default', LOOKING];
  return kind === 'Event' || own.includes(`${group}/${kind}/${name}`);
}

/** The binding by which Secrets of this namespace are listed, as docs/workflows.md says. */
const LOOKING = 'rbac.authorization.k8s.io/RoleBinding/tiphys-teardown';
