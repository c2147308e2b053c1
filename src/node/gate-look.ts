// One look at a gate: a fresh comparison, the live objects where they matter, and the verdict on them.
import type { AwaitedOperation, GateInput } from '../gate/conditions.ts';
import type { Evidence } from '../gate/evidence.ts';
import { judge } from '../gate/gate.ts';
import type { Unmet, Verdict } from '../gate/verdict.ts';
import { addressOf } from '../plan/node-address.ts';
import {
  type ApplicationView,
  isOutOfSync,
  isWrong,
  type LiveResource,
  renderResource,
} from '../ports/application-view.ts';
import { readDecision } from './await-decision.ts';
import type { GateProbe } from './gate-probe.ts';
import { type Deadline, freshLook, type LookContext, read, sleep } from './node-context.ts';
import type { StoppableTime } from './sync-time.ts';

export interface GateWait {
  readonly uid: string;
  /** Undefined where none was needed; then there is no dwell either, since nothing changed. */
  readonly operation: AwaitedOperation | undefined;
  /** The comparison must have begun after this second. */
  readonly laterThan: number;
  readonly time: StoppableTime;
  /** Given by whoever opens the gate for a run. Without it nothing is probed, and that keeps it shut no longer. */
  readonly probe?: GateProbe | undefined;
}

/** A fresh comparison, the live objects where it is worth it, and the verdict on them. Undefined: the Application is gone. */
export async function lookAt(
  context: LookContext,
  wait: GateWait,
  before: Evidence | undefined,
): Promise<Look | undefined> {
  const { deadline } = wait.time;
  const application = await freshLook(context, deadline);
  if (!application) return undefined;
  const verdict = await judgeWithLive(
    context,
    deadline,
    inputOf(context, wait, application, before),
  );
  return { application, verdict: naming(context, application, verdict) };
}

export const DELETED: Unmet = { condition: 'same-object', message: 'the Application was deleted' };

interface Look {
  readonly application: ApplicationView;
  readonly verdict: Verdict;
}

export function inputOf(
  { node }: LookContext,
  { uid, operation, laterThan, probe }: GateWait,
  application: ApplicationView,
  before: Evidence | undefined,
): Omit<GateInput, 'live' | 'decision'> {
  const probed: GateInput['probe'] = probe ? probe.resultOn(application) : 'unread';
  const settings = node.gate;
  return { application, uid, settings, operation, laterThan, before, probe: probed };
}

/** A child that nobody planned keeps the gate of its parent shut as well, and nobody would look there. */
function naming(context: LookContext, { resources }: ApplicationView, verdict: Verdict): Verdict {
  if (verdict.open || context.node.kind !== 'close') return verdict;
  if (verdict.unmet.condition !== 'healthy' && verdict.unmet.condition !== 'synced') return verdict;
  const child = resources.find(
    (it) => it.kind === 'Application' && isWrong(it) && !context.walk.isExpected(it.name),
  );
  if (!child) return verdict;
  const state = isOutOfSync(child.status) ? child.status : child.health?.status;
  const message = `Application "${child.name}", which is not in the platform file, is ${state}`;
  const resource = renderResource(child);
  return { open: false, unmet: { condition: 'unexpected-child', message, resource } };
}

/** The live objects and people's decisions are asked for only when everything else holds. */
export async function judgeWithLive(
  context: LookContext,
  deadline: Deadline,
  input: Omit<GateInput, 'live' | 'decision'>,
): Promise<Verdict> {
  const first = judge({ ...input, live: [], decision: 'unread', probe: 'unread' });
  if (!first.open) return first;
  const { applications } = context.session.target;
  const live: readonly LiveResource[] = await read(context, deadline, () =>
    applications.liveResources(addressOf(context.node)),
  );
  if (input.settings.approval === undefined) return judge({ ...input, live, decision: undefined });
  const decision = await read(context, deadline, () => readDecision(context, input.application));
  return judge({ ...input, live, decision });
}

/** Names the resource that is to blame, where health is the matter. A tree that cannot be read changes nothing. */
export async function blame({ session, node }: LookContext, unmet: Unmet): Promise<Unmet> {
  if (unmet.condition !== 'healthy') return unmet;
  const culprit = await session.target.applications.culprit(addressOf(node)).catch(() => undefined);
  return culprit ? { ...unmet, ...culprit } : unmet;
}

/** Between looks at something that changes without Argo CD telling of it. */
const LOOK_AGAIN_MS = [1_000, 2_000, 5_000] as const;

/** Freshness and generations have to be asked for; everything else is told. */
export async function untilNextLook(
  context: LookContext,
  looks: number,
  until: Deadline,
): Promise<void> {
  const step = LOOK_AGAIN_MS[Math.min(looks, LOOK_AGAIN_MS.length - 1)] ?? 0;
  await sleep(context, Math.min(step, Math.max(0, until - context.session.clock.monotonic())));
}
