// The screen during a run: what is in progress and since when, what it waits for, and the remaining time.
import { renderDuration } from '../model/duration.ts';
import type { Plan } from '../plan/plan.ts';
import { shortName } from '../plan/platform-graph.ts';
import type { NodeProgress, RunState } from '../run/run-state.ts';
import { renderWait } from './event-text.ts';
import { printable } from './lines.ts';

export interface Screen {
  /** Wall-clock time in milliseconds. */
  readonly now: number;
  readonly columns: number;
  readonly rows: number;
}

export function renderProgress(plan: Plan, state: RunState, screen: Screen): string[] {
  const nodes = plan.nodes.filter(({ kind }) => kind === 'application');
  const progress = nodes.map(({ id }) => state.nodes.get(id));
  const finished = progress.filter((node) => node?.phase === 'finished');
  const failed = finished.filter(
    (node) => node?.outcome === 'failed' || node?.outcome === 'skipped',
  );
  const running = [...state.nodes.values()].filter(isRunning);
  const asking = running.filter(({ unmet }) => unmet?.condition === 'approved');
  const head = [
    `${finished.length - failed.length} of ${nodes.length} ${plan.action === 'teardown' ? 'deleted' : 'healthy'}`,
    `${running.length} in progress`,
    ...(asking.length > 0 ? [`${asking.length} waiting for approval`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed or skipped`] : []),
    ...estimate(plan, state, screen.now),
  ];
  const room = Math.max(1, screen.rows - 4);
  const lines = running.slice(0, room).map((node) => line(node, screen.now));
  return [head.join(', '), ...lines, ...waiting(plan, state, room)].map((text) =>
    printable(text).slice(0, screen.columns),
  );
}

/** The next applications and their pending dependencies. */
function waiting(plan: Plan, state: RunState, room: number): string[] {
  const isOpen = (id: string) => {
    const node = plan.nodes.find((one) => one.id === id);
    return node?.application === null || state.nodes.get(id)?.phase === 'finished';
  };
  const next = plan.nodes
    .filter(({ id, kind }) => kind === 'application' && !state.nodes.has(id))
    .map(({ id, dependsOn }) => ({ id, unmet: dependsOn.filter((other) => !isOpen(other)) }))
    .sort((a, b) => a.unmet.length - b.unmet.length)
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

function line(node: NodeProgress, now: number): string {
  const since = renderDuration(Math.max(0, Math.round((now - timeOf(node.startedAt)) / 1000)));
  return `  ${shortName(node.id)} ${since}${node.unmet ? `  ${renderWait(node.id, node.unmet)}` : ''}`;
}

/** The expected duration of the critical path's nodes that have not finished. */
function estimate(plan: Plan, state: RunState, now: number): string[] {
  const expected = new Map(plan.nodes.map((node) => [node.id, node.expectedDuration]));
  let left = 0;
  for (const id of plan.criticalPath) {
    const node = state.nodes.get(id);
    if (node?.phase === 'finished') continue;
    const passed = node?.startedAt ? (now - timeOf(node.startedAt)) / 1000 : 0;
    left += Math.max(0, (expected.get(id) ?? 0) - passed);
  }
  return left > 0 ? [`about ${renderDuration(Math.round(left))} remaining`] : [];
}

function timeOf(text: string | undefined): number {
  return text === undefined ? Number.NaN : Date.parse(text);
}
