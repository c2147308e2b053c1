// Waiting at a gate until it opens, with the dwell, or until waiting makes no sense any more.
import {
  type ApplicationView,
  isWrong,
  type LiveResource,
  renderResource,
} from '../ports/application-view.ts';
import type { Evidence, Unmet } from '../run/verdict.ts';
import { operationIdOf } from '../session/identity.ts';
import { type AwaitedOperation, type GateInput, judge, type Verdict } from './gate.ts';
import {
  type Deadline,
  freshLook,
  isOver,
  type NodeContext,
  read,
  reporter,
  sleep,
} from './node-context.ts';
import { ResourceNews } from './resource-news.ts';
import type { AttemptFailure } from './sync-operation.ts';

export type GateResult =
  | { readonly kind: 'open'; readonly evidence: Evidence; readonly dwellMs: number }
  /** Git moved on: what was deployed is not what is wanted any more. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'failed'; readonly failure: AttemptFailure };

export interface GateWait {
  readonly uid: string;
  /** Undefined where none was needed; then there is no dwell either, since nothing changed. */
  readonly operation: AwaitedOperation | undefined;
  /** The comparison must have begun after this second. */
  readonly laterThan: number;
  readonly deadline: Deadline;
}

/** Between looks at something that changes without Argo CD telling of it. */
const LOOK_AGAIN_MS = [1_000, 2_000, 5_000] as const;

const SECOND_MS = 1_000;
const STILL_TO_COME: ReadonlySet<string> = new Set(['no-refresh-pending', 'compared-afterwards']);

export async function passGate(context: NodeContext, wait: GateWait): Promise<GateResult> {
  const news = new ResourceNews(context);
  try {
    return await pass(context, wait, news);
  } finally {
    news.close();
  }
}

async function pass(
  context: NodeContext,
  first: GateWait,
  news: ResourceNews,
): Promise<GateResult> {
  const report = reporter(context);
  const { degradedGrace } = context.node.gate;
  let wait = first;
  let degradedSince: number | undefined;
  let comparisons = 0;
  if (wait.operation) await sleep(context, untilAfter(context, wait.laterThan));
  for (let looks = 0; ; looks++) {
    const { application, verdict } = await lookAt(context, wait, undefined);
    if (verdict.open && !wait.operation) {
      // Without an operation to measure by: the second later comparison began after the first look, whatever was swallowed.
      if (++comparisons === 2) return { kind: 'open', evidence: verdict.evidence, dwellMs: 0 };
      wait = { ...wait, laterThan: verdict.evidence.reconciledAt };
      await sleep(context, SECOND_MS);
      continue;
    }
    if (verdict.open) {
      const steady = await dwell(context, wait, verdict.evidence);
      if (steady.open)
        return { kind: 'open', evidence: steady.evidence, dwellMs: dwellMs(context) };
      report(steady.unmet);
      // One that is never steady must not be looked at for ever.
      if (isOver(context, wait.deadline)) return failed(timedOut(steady.unmet), true);
      continue;
    }
    const { unmet } = verdict;
    if (unmet.condition === 'right-revision') return { kind: 'superseded' };
    if (FINAL.has(unmet.condition)) return failed(unmet, true);
    if (unmet.condition === 'right-operation' && wait.operation) {
      const other = successor(application);
      if (!other) return failed(unmet, false);
      wait = { ...wait, operation: other, laterThan: other.finishedAt };
      continue;
    }
    if (!STILL_TO_COME.has(unmet.condition)) comparisons = 0;
    report(unmet);
    const now = context.clock.monotonic();
    degradedSince = isDegraded(application) ? (degradedSince ?? now) : undefined;
    const patience = degradedSince === undefined ? Infinity : degradedSince + degradedGrace * 1000;
    if (isOver(context, patience)) return failed(await blame(context, unmet), false);
    if (isOver(context, wait.deadline)) return failed(timedOut(await blame(context, unmet)), true);
    const until = Math.min(wait.deadline, patience);
    if (application && !ASK.has(unmet.condition)) await news.wait(application, until);
    else await untilNextLook(context, looks, until);
  }
}

/** Comparisons are told apart by whole seconds: one in the second of the operation's end would prove nothing. */
function untilAfter({ clock }: NodeContext, second: number): number {
  return Math.min(SECOND_MS, Math.max(0, (second + 1) * SECOND_MS - clock.now()));
}

/** The condition's name in events: the gate is as good as open. */
export const DWELL = 'dwell';

const dwellMs = ({ node }: NodeContext): number => node.gate.dwell * 1000;

/** Names the resource that is to blame, where health is the matter. A tree that cannot be read changes nothing. */
export async function blame({ applications, address }: NodeContext, unmet: Unmet): Promise<Unmet> {
  if (unmet.condition !== 'healthy') return unmet;
  const culprit = await applications.culprit(address).catch(() => undefined);
  return culprit ? { ...unmet, ...culprit } : unmet;
}

const FINAL: ReadonlySet<string> = new Set(['same-object', 'not-deleting', 'reconciled-at-all']);

/** A fresh comparison, the live objects where it is worth it, and the verdict on them. */
async function lookAt(
  context: NodeContext,
  { uid, operation, laterThan, deadline }: GateWait,
  before: Evidence | undefined,
): Promise<{ application: ApplicationView | undefined; verdict: Verdict }> {
  const application = await freshLook(context, deadline);
  if (!application) {
    const unmet = { condition: 'same-object', message: 'the Application was deleted' };
    return { application, verdict: { open: false, unmet } };
  }
  const settings = context.node.gate;
  const input = { application, uid, settings, operation, laterThan, before };
  const verdict = await judgeWithLive(context, deadline, input);
  return { application, verdict: naming(context, application, verdict) };
}

/** A child that nobody planned keeps the gate of its parent shut as well, and nobody would look there. */
function naming(context: NodeContext, { resources }: ApplicationView, verdict: Verdict): Verdict {
  if (verdict.open || context.node.kind !== 'close') return verdict;
  if (verdict.unmet.condition !== 'healthy' && verdict.unmet.condition !== 'synced') return verdict;
  const child = resources.find(
    (it) => it.kind === 'Application' && isWrong(it) && !context.isExpected(it.name),
  );
  if (!child) return verdict;
  const state = child.status === 'Synced' ? child.health?.status : child.status;
  const message = `Application "${child.name}", which is not in the platform file, is ${state}`;
  const resource = renderResource(child);
  return { open: false, unmet: { condition: 'unexpected-child', message, resource } };
}

/** The live objects are asked for only when everything else holds. */
export async function judgeWithLive(
  context: NodeContext,
  deadline: Deadline,
  input: Omit<GateInput, 'live'>,
): Promise<Verdict> {
  const first = judge({ ...input, live: [] });
  if (!first.open) return first;
  const { applications, address } = context;
  const live: readonly LiveResource[] = await read(context, deadline, () =>
    applications.liveResources(address),
  );
  return judge({ ...input, live });
}

async function dwell(context: NodeContext, wait: GateWait, before: Evidence): Promise<Verdict> {
  const message = `it must stay so for ${context.node.gate.dwell}s`;
  context.emit({
    type: 'node.waiting',
    node: context.node.id,
    unmet: { condition: DWELL, message },
  });
  await sleep(context, dwellMs(context));
  for (let looks = 0; ; looks++) {
    const { verdict } = await lookAt(context, wait, before);
    // Two looks within one second cannot be told apart.
    const tooSoon = !verdict.open && verdict.unmet.condition === 'compared-again';
    if (!tooSoon || looks === LOOK_AGAIN_MS.length) return verdict;
    await sleep(context, LOOK_AGAIN_MS[looks] ?? 0);
  }
}

/** Another operation that came after ours is as good, if it succeeded; whether at the right revision, the gate says. */
function successor(application: ApplicationView | undefined): AwaitedOperation | undefined {
  const state = application?.operationState;
  if (state?.phase !== 'Succeeded' || state.finishedAt === undefined) return undefined;
  return { id: operationIdOf(state), finishedAt: state.finishedAt, revisions: state.revisions };
}

function isDegraded(application: ApplicationView | undefined): boolean {
  return application?.health.status === 'Degraded';
}

/** Freshness and generations have to be asked for; everything else is told. */
async function untilNextLook(context: NodeContext, looks: number, until: Deadline): Promise<void> {
  const step = LOOK_AGAIN_MS[Math.min(looks, LOOK_AGAIN_MS.length - 1)] ?? 0;
  await sleep(context, Math.min(step, Math.max(0, until - context.clock.monotonic())));
}

const ASK: ReadonlySet<string> = new Set([
  'no-refresh-pending',
  'compared-afterwards',
  'compared-to-the-spec',
  'no-error',
  'all-present',
  'generations-observed',
  'jobs-finished',
]);

function timedOut(unmet: Unmet): Unmet {
  return { ...unmet, message: `not Healthy within its timeout; ${unmet.message}` };
}

function failed({ message, resource }: Unmet, final: boolean): GateResult {
  return { kind: 'failed', failure: { message, resource, final } };
}
