// One line per event, for logs and terminals that are not redrawn.

import type { Unmet } from '../gate/verdict.ts';
import { renderDuration } from '../model/duration.ts';
import { shortName } from '../plan/platform-graph.ts';
import { type ResourceName, renderResource } from '../ports/application-view.ts';
import { type Cause, isOfTheRun, type RunEvent, THE_RUN } from '../run/events.ts';
import { renderStartedBy } from '../run/started-by.ts';
import { printable } from './lines.ts';

type AttemptFailed = Extract<RunEvent, { readonly type: 'node.attempt-failed' }>;

/** Undefined for an event without a line. */
export function renderEvent(event: RunEvent): string | undefined {
  const text = describeEvent(event);
  if (text === undefined) return undefined;
  const clock = event.time.slice(11, 19);
  const node = 'node' in event && event.node !== undefined ? `${shortName(event.node)}: ` : '';
  return printable(`${clock} ${node}${text}`);
}

/** Without its time and its node. Undefined for an event without a line. */
export function describeEvent(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'run.started': {
      const verb = event.resumed ? 'resumed' : 'started';
      const by = event.startedBy ? `, started by ${renderStartedBy(event.startedBy)}` : '';
      return `run ${event.run} ${verb}: ${event.action} of "${event.platform}"${by}`;
    }
    case 'run.finished':
      return `run ${event.run} finished${event.reason ? `: ${event.reason}` : ''}`;
    case 'run.warning':
      return `warning: ${event.message}`;
    case 'hold.changed':
      return event.held.length === 0
        ? `hold lifted in project ${event.project}`
        : `on hold in project ${event.project}: ${heldText(event.held)}`;
    case 'node.started':
      return undefined;
    case 'node.sync-requested':
      return [
        `sync requested${event.application === undefined ? '' : ` of ${event.application}`}`,
        ...(event.attempt > 1 ? [`attempt ${event.attempt}`] : []),
      ].join(', ');
    case 'node.delete-requested':
      return 'deletion requested';
    case 'node.finalizers-removed':
      return `finalizers removed from ${renderResource(event.resource)}: ${event.finalizers.join(', ')}`;
    case 'node.snapshot-requested':
      return `snapshot ${event.name} of ${renderResource(event.claim)} requested`;
    case 'object.delete-requested':
      return `${withCluster(event)}: deletion requested`;
    case 'object.removed':
      return `${withCluster(event)}: deleted`;
    case 'object.left':
      // The report has them all.
      return undefined;
    case 'run.waiting':
      return `waiting: ${renderUnmet(event.unmet)}`;
    case 'node.waiting':
      return `waiting: ${renderWait(event.node, event.unmet)}`;
    case 'node.attempt-failed':
      return attemptText(event);
    case 'gate.opened':
      return event.evidence?.approval ? `approved by ${event.evidence.approval.by}` : undefined;
    case 'gate.closed':
      return `no longer healthy: ${renderWait(event.node, event.unmet)}`;
    case 'node.finished': {
      const { node, outcome, cause, attempts } = event;
      if (outcome === 'healthy' && isOpen(node)) return undefined;
      if (!cause) return outcomeText(outcome);
      const why = withResource(cause.message, cause.resource);
      const elsewhere = cause.node !== node && cause.node !== THE_RUN;
      if (elsewhere) return `${outcome}: ${shortName(cause.node)} failed: ${why}`;
      const tries = outcome === 'failed' && attempts > 1 ? ` after ${attempts} attempts` : '';
      return `${outcomeText(outcome, cause)}${tries}: ${why}`;
    }
  }
}

/** Attempt 0 is a sync from before this run, which this run only waited for. */
function attemptText({ attempt, message, resource, retry }: AttemptFailed): string {
  if (attempt === 0)
    return `not healthy after an earlier sync: ${withResource(message, resource)}; syncing again`;
  const of = retry ? ` of ${retry.attempts}` : '';
  const next = retry ? `; next attempt in ${renderDuration(retry.inSeconds)}` : '';
  return `attempt ${attempt}${of} failed: ${withResource(message, resource)}${next}`;
}

export const NOT_FINISHED = 'not finished';

/** Data says `removed`, and `failed` also of a node that its run left in progress. */
export function outcomeText(outcome: string, cause?: Cause | null): string {
  if (outcome === 'failed' && cause && isOfTheRun(cause)) return NOT_FINISHED;
  return outcome === 'removed' ? 'deleted' : outcome;
}

const HELD_MAX = 5;

function heldText(held: readonly string[]): string {
  if (held.length > HELD_MAX) return `${held.length} applications`;
  return held.join(', ');
}

/** With the command to run, if it waits for approval. */
export function renderWait(node: string, unmet: Unmet): string {
  const what = renderUnmet(unmet);
  return unmet.condition === 'approved' ? `${what}; \`tiphys approve ${shortName(node)}\`` : what;
}

/** The first half of a parent: it finishes when its members can start. The health of the parent is the outcome of its close. */
const isOpen = (node: string): boolean => node.startsWith('open:');

export function renderUnmet({ message, resource }: Unmet): string {
  return withResource(message, resource);
}

function withResource(message: string, resource: string | undefined): string {
  return resource ? `${resource}: ${message}` : message;
}

function withCluster(event: {
  readonly resource: ResourceName;
  readonly cluster?: string;
}): string {
  const where = event.cluster === undefined ? '' : ` in ${event.cluster}`;
  return `${renderResource(event.resource)}${where}`;
}
