// The screen during a run: what is in progress and since when, what it waits for, and the remaining time.
import { renderDuration } from '../model/duration.ts';
import type { Plan } from '../plan/plan.ts';
import { shortName } from '../plan/platform-graph.ts';
import type { ShownPlan } from '../plan/timed-plan.ts';
import type { NodeProgress, RunState } from '../run/run-state.ts';
import { renderWait } from './event-text.ts';
import type { Piece, Text } from './lines.ts';
import { pendingDependencies } from './pending-dependencies.ts';
import { hasExpectedTimes } from './plan-step.ts';
import { bad, busy, faint, strong } from './tone.ts';
import { shortened } from './width.ts';

export interface Screen {
  /** Wall-clock time in milliseconds. */
  readonly now: number;
  readonly columns: number;
  readonly rows: number;
}

export function renderProgress(plan: ShownPlan, state: RunState, screen: Screen): Text[] {
  const running = [...state.nodes.values()].filter(isRunning);
  const room = Math.max(1, screen.rows - 4);
  const lines = [
    head(plan, state, running, screen.now),
    ...runningLines(running, room, screen.now),
    ...waiting(plan, state, room).map(faint),
  ];
  return lines.map((text) => shortened(text, screen.columns));
}

function head(
  plan: ShownPlan,
  state: RunState,
  running: readonly NodeProgress[],
  now: number,
): Text {
  const nodes = plan.nodes.filter(({ kind }) => kind === 'application');
  const finished = nodes
    .map(({ id }) => state.nodes.get(id))
    .filter((node) => node?.phase === 'finished');
  const failed = finished.filter((node) => node?.outcome === 'failed').length;
  const skipped = finished.filter((node) => node?.outcome === 'skipped').length;
  const asking = running.filter(({ unmet }) => unmet?.condition === 'approved').length;
  const done = `${finished.length - failed - skipped} of ${nodes.length} ${plan.action === 'teardown' ? 'deleted' : 'healthy'}`;
  const parts: Piece[] = [
    strong(done),
    `${running.length} in progress`,
    ...(asking > 0 ? [busy(`${asking} waiting for approval`)] : []),
    ...(failed > 0 ? [bad(`${failed} failed`)] : []),
    ...(skipped > 0 ? [faint(`${skipped} skipped`)] : []),
    ...estimate(plan, state, now),
  ];
  return parts.flatMap((part, at) => (at > 0 ? [', ', part] : [part]));
}

/** Names and times below each other. */
function runningLines(running: readonly NodeProgress[], room: number, now: number): Text[] {
  const shown = running.length > room ? running.slice(0, room - 1) : running;
  const rows = shown.map((node) => ({
    name: shortName(node.id),
    since: elapsed(node.startedAt, now),
    what: whatText(node, now),
  }));
  const widest = (of: 'name' | 'since') => Math.max(0, ...rows.map((row) => row[of].length));
  const [names, times] = [widest('name'), widest('since')];
  const lines = rows.map(({ name, since, what }): Text => {
    const lead = ['  ', busy(name.padEnd(names)), '  ', since.padStart(times)];
    return what === '' ? lead : [...lead, `  ${what}`];
  });
  const left = running.length - shown.length;
  return left > 0 ? [...lines, `  and ${left} more in progress`] : lines;
}

/** Its attempt, if it is not the first, and what it waits for since when. */
function whatText(node: NodeProgress, now: number): string {
  const { id, attempts, attemptsMax, retryAt, unmet, unmetSince } = node;
  const of = attemptsMax === undefined ? '' : ` of ${attemptsMax}`;
  if (retryAt !== undefined) {
    const left = renderDuration(Math.max(0, Math.ceil((timeOf(retryAt) - now) / 1000)));
    return `attempt ${attempts}${of} failed, next attempt in ${left}`;
  }
  const parts = [
    ...(attempts > 1 ? [`attempt ${attempts}${of}`] : []),
    ...(unmet ? [`waiting${ofLate(unmetSince, now)}: ${renderWait(id, unmet)}`] : []),
  ];
  return parts.join(', ');
}

/** The next applications and their pending dependencies. */
function waiting(plan: Plan, state: RunState, room: number): string[] {
  const unmetOf = pendingDependencies(plan, state);
  const next = plan.nodes
    .filter(({ id, kind }) => kind === 'application' && !state.nodes.has(id))
    .map((node) => ({ id: node.id, unmet: unmetOf(node) }))
    // Ready ones first; of the others, the plan has each after its dependencies.
    .sort((a, b) => Number(a.unmet.length > 0) - Number(b.unmet.length > 0))
    .slice(0, Math.min(room, NEXT_MAX));
  const texts = next.map(({ id, unmet }) => {
    const after = unmet.length > 0 ? ` (waits for ${unmet.map(shortName).join(', ')})` : '';
    return `${shortName(id)}${after}`;
  });
  return texts.length > 0 ? [`next: ${texts.join('; ')}`] : [];
}

const NEXT_MAX = 3;

/** The names of what is in progress. */
export function inProgress(state: RunState): string[] {
  const running = [...state.nodes.values()].filter(isRunning);
  return [...new Set(running.map(({ id }) => shortName(id)))];
}

function isRunning(node: NodeProgress): boolean {
  return node.phase === 'running' && node.startedAt !== undefined;
}

/** Nothing in the first second: it would only flicker. */
function ofLate(since: string | undefined, now: number): string {
  const passed = elapsed(since, now);
  return passed === '0s' ? '' : ` ${passed}`;
}

const elapsed = (since: string | undefined, now: number): string =>
  renderDuration(Math.max(0, Math.round((now - timeOf(since)) / 1000)));

/**
 * The expected duration of the critical path's nodes that have not finished. An estimate, unless past runs have shown how long
 * each of them takes.
 */
function estimate(plan: ShownPlan, state: RunState, now: number): string[] {
  if (!hasExpectedTimes(plan)) return [];
  const expected = new Map(plan.nodes.map((node) => [node.id, node.expectedDuration]));
  let left = 0;
  let isGuess = false;
  for (const id of plan.criticalPath) {
    const node = state.nodes.get(id);
    const duration = expected.get(id) ?? 0;
    if (node?.phase === 'finished' || duration === 0) continue;
    left += remaining(duration, node, now);
    isGuess ||= !plan.measured?.has(id);
  }
  const mark = isGuess ? ' (estimate)' : '';
  return left > 0 ? [`about ${renderDuration(Math.round(left))} remaining${mark}`] : [];
}

/** In seconds. A new attempt takes as long as the first. */
function remaining(duration: number, node: NodeProgress | undefined, now: number): number {
  if (node?.retryAt !== undefined) return Math.max(0, timeOf(node.retryAt) - now) / 1000 + duration;
  const passed = node?.startedAt ? (now - timeOf(node.startedAt)) / 1000 : 0;
  return Math.max(0, duration - passed);
}

function timeOf(text: string | undefined): number {
  return text === undefined ? Number.NaN : Date.parse(text);
}
