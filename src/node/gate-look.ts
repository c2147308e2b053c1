// One look at a gate: a fresh comparison, the live objects if they matter, and the verdict.
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
  /** Undefined if no operation was needed; then there is no dwell either, because nothing changed. */
  readonly operation: AwaitedOperation | undefined;
  /** The comparison must have started after this second. */
  readonly laterThan: number;
  readonly time: StoppableTime;
  /**
   * Set by the caller that opens the gate for a run. Without it there is no probe, and its absence does not keep the gate
   * shut.
   */
  readonly probe?: GateProbe | undefined;
}

/** A fresh comparison, the live objects if they matter, and the verdict. Undefined: the Application is gone. */
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

/** A child that is not in the plan also keeps its parent's gate shut, and no other message would point to it. */
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

/** Reads live objects and decisions only when every other condition holds. */
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

/** Names the resource to blame if health is the problem. An unreadable resource tree changes nothing. */
export async function blame({ session, node }: LookContext, unmet: Unmet): Promise<Unmet> {
  if (unmet.condition !== 'healthy') return unmet;
  const culprit = await session.target.applications.culprit(addressOf(node)).catch(() => undefined);
  return culprit ? { ...unmet, ...culprit } : unmet;
}

/** The interval of looks at something whose changes Argo CD does not report. */
const LOOK_AGAIN_MS = [1_000, 2_000, 5_000] as const;

/** Freshness and generations have to be polled; the watch reports everything else. */
export async function untilNextLook(
  context: LookContext,
  looks: number,
  until: Deadline,
): Promise<void> {
  const step = LOOK_AGAIN_MS[Math.min(looks, LOOK_AGAIN_MS.length - 1)] ?? 0;
  await sleep(context, Math.min(step, Math.max(0, until - context.session.clock.monotonic())));
}
