// At the end of a run, in every engine: each open gate is judged again. Nothing waits for the last ones any more, and
// an application that became unhealthy unseen must not be reported as Healthy.
import type { Evidence } from '../gate/evidence.ts';
import { withoutQuestions } from '../model/settings.ts';
import { causeFor, type Judged, judgedOf, tellingOf } from '../node/generated-members.ts';
import { hasFallen, judgeFallen } from '../node/judge-again.ts';
import type { LookContext } from '../node/node-context.ts';
import { viewsIn } from '../plan/generated.ts';
import { keyOf, namespacesOf, viewsByKey } from '../plan/node-address.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import { findBypasses, renderBypass } from '../report/find-bypasses.ts';
import { type Cause, type Emit, isThrough } from '../run/events.ts';
import type { Session } from '../session/session.ts';
import { NOTHING_DONE } from './node-results.ts';

export interface JudgeAtEndParts {
  readonly plan: Plan;
  readonly session: Pick<Session, 'state' | 'target' | 'warn'>;
  readonly emit: Emit;
  readonly contextOf: (node: PlanNode) => Promise<LookContext>;
  /** The maximum number of seconds for an unhealthy application to become Healthy again. */
  readonly most?: number;
}

/** How many times one may become unhealthy and recover while others are waited for. */
const ROUNDS = 5;

/**
 * An unhealthy application gets the same time as during the run; if it stays unhealthy, it has failed. Others that become
 * unhealthy meanwhile count as well.
 */
export async function judgeAtEnd(parts: JudgeAtEndParts): Promise<void> {
  const causes = new Map<string, Cause>();
  const failed = ({ owner: { id } }: Judged, cause: Cause) => {
    // For a member, the first unhealthy Application is named.
    if (causes.has(id)) return;
    causes.set(id, cause);
    parts.emit({ ...NOTHING_DONE, node: id, outcome: 'failed', cause });
  };
  const judge = async (judged: Judged) => {
    const cause = await whyFallen(judged, parts);
    if (cause) failed(judged, cause);
  };
  for (let round = 0; ; round++) {
    const listed = await listNow(parts);
    const { fallen, behind } = listed ? lookAt(listed, parts) : { fallen: [], behind: [] };
    if (round === 0) for (const one of behind) parts.session.warn(behindNow(one));
    if (round === 0 && listed) tellBypasses(listed, parts);
    const left = fallen.filter(({ owner }) => !causes.has(owner.id));
    if (left.length === 0) break;
    if (round < ROUNDS) await Promise.all(left.map(judge));
    else for (const one of left) failed(one, causeFor(one, unsteady(one)));
  }
  skipJoins(parts, causes);
}

const unsteady = ({ node }: Judged): Cause => ({
  node: node.id,
  message: `it does not stay Healthy: it became unhealthy ${ROUNDS + 1} times at the end of the run`,
});

const behindNow = ({ node }: Judged): string =>
  `Application "${node.application}" is OutOfSync at a newer commit than this run has deployed`;

/** What is unhealthy by now, and what is only behind Git. */
function lookAt(listed: Listed, parts: JudgeAtEndParts): { fallen: Judged[]; behind: Judged[] } {
  const views = viewsByKey(listed);
  const gates = parts.plan.nodes.flatMap(gatesOf(parts.session));
  const viewOf = (node: PlanNode) => views.get(keyOf(node));
  const bad = gates.filter(({ node, evidence }) => hasFallen(node, evidence, viewOf(node)));
  const isBehind = ({ node, evidence }: Judged) => isMerelyBehind(viewOf(node), evidence);
  return { fallen: bad.filter((one) => !isBehind(one)), behind: bad.filter(isBehind) };
}

/** The open gates of a node, according to the run. */
const gatesOf =
  ({ state }: JudgeAtEndParts['session']) =>
  (node: PlanNode): Judged[] => {
    const known = state.nodes.get(node.id);
    if (node.application === null || node.kind === 'open') return [];
    if (!known || !isThrough(known.outcome)) return [];
    return judgedOf(node, known.evidence, known.members);
  };

/** A newer commit was pushed: what was deployed is Healthy, and the next run deploys the newer commit. */
function isMerelyBehind(now: ApplicationView | undefined, { uid, revisions }: Evidence): boolean {
  if (!now || now.uid !== uid || now.deleting || now.health.status !== 'Healthy') return false;
  const { status, revisions: newer } = now.sync;
  return status === 'OutOfSync' && newer.join() !== revisions.join();
}

/** A repeated end of a Workflow knows what the earlier one reported. */
function tellBypasses(listed: Listed, { plan, session, emit }: JudgeAtEndParts): void {
  const { started, nodes, bypasses: told } = session.state;
  const run = { startedAt: Date.parse(started?.time ?? ''), nodes };
  for (const bypass of findBypasses({ plan, viewsOf: viewsIn(listed), run })) {
    const { node, application, at } = bypass;
    if (told.some((one) => one.application === application && one.at === at)) continue;
    emit({ type: 'run.warning', node, message: renderBypass(bypass), bypass });
  }
}

type Listed = readonly ApplicationView[];

/** Directly from the cluster: a watch may be behind, and nothing else would show it. */
async function listNow({ plan, session }: JudgeAtEndParts): Promise<Listed | undefined> {
  try {
    return await session.target.applications.list(namespacesOf(plan));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    session.warn(`it is unknown whether everything is still Healthy at the end: ${why}`);
    return undefined;
  }
}

async function whyFallen(
  judged: Judged,
  { emit, contextOf, most = Number.POSITIVE_INFINITY }: JudgeAtEndParts,
): Promise<Cause | undefined> {
  const { node, owner, evidence } = judged;
  const health = Math.min(node.timeouts.health, most);
  try {
    // The end neither waits for people nor probes: what was approved before may be something else by now, and still
    // Healthy.
    const gate = withoutQuestions(node.gate);
    const context = await contextOf({ ...node, gate, timeouts: { ...node.timeouts, health } });
    const again = await judgeFallen(context, evidence, tellingOf(judged, emit));
    return 'cause' in again ? causeFor(judged, again.cause) : undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      node: owner.id,
      message: `its gate no longer holds and cannot be judged again: ${why}`,
    };
  }
}

/** A join has no gate: it is as good as what it joins. */
function skipJoins({ plan, session, emit }: JudgeAtEndParts, causes: Map<string, Cause>): void {
  for (const { id, application, dependsOn } of plan.nodes) {
    // A node that was skipped before already has its cause.
    if (!isThrough(session.state.nodes.get(id)?.outcome)) continue;
    const before = dependsOn.find((one) => causes.has(one));
    const cause = before === undefined ? undefined : causes.get(before);
    if (!cause || application !== null) continue;
    causes.set(id, cause);
    emit({ ...NOTHING_DONE, node: id, outcome: 'skipped', cause });
  }
}
