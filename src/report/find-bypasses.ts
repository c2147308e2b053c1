// Who has bypassed the order of the platform: a sync by another client that began before a dependency was Healthy. Only what is
// shown counts: where nothing says how a dependency was at that time, nothing is said. The definition: docs/decisions.md.
import { operationNodeOf } from '../plan/node-address.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';
import { shortName } from '../plan/platform-graph.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import {
  type Bypass,
  type ForeignSync,
  foreignSync,
  renderForeignSync,
} from '../run/foreign-sync.ts';
import type { NodeProgress } from '../run/run-state.ts';

export interface BypassParts {
  readonly plan: Pick<Plan, 'platform' | 'nodes'>;
  /** What was read of a node: of its Application, or of all Applications that it stands for. */
  readonly viewsOf: (node: PlanNode) => readonly ApplicationView[];
  /** What a run has seen; a validation has none. */
  readonly run?: Seen;
}

interface Seen {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly nodes: ReadonlyMap<string, NodeProgress>;
}

const UNHEALTHY: ReadonlySet<string> = new Set(['Progressing', 'Degraded', 'Missing']);
/** Seconds by which the clocks of Tiphys and Argo CD may differ. */
const CLOCKS = 5;

/** In the order of the plan. */
export function findBypasses(parts: BypassParts): Bypass[] {
  const { plan } = parts;
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  return plan.nodes.filter(isJudged).flatMap((node) => {
    const found = foreignSyncs(node, parts);
    const behind = found.length > 0 ? dependenciesOf(node, nodes) : [];
    return found.flatMap((sync): Bypass[] => {
      const second = Date.parse(sync.at) / 1000;
      const before = behind.filter((one) => wasNotHealthy(one, second, parts));
      return before.length > 0
        ? [{ ...sync, node: node.id, before: before.map(({ id }) => id) }]
        : [];
    });
  });
}

export function renderBypass({ application, before, ...sync }: Bypass): string {
  const names = before.map(shortName).join(', ');
  return `Application "${application}" was synced ${renderForeignSync(sync)}, not by Tiphys, before its dependency ${names} was healthy. Check that it works; this warning is repeated until its next sync`;
}

/** A parent has its gate at its close. */
const isJudged = ({ application, kind }: PlanNode): boolean =>
  application !== null && kind !== 'open';

type Named = ForeignSync & { readonly application: string };

/** What is shown now, and what the run found before it synced itself. */
function foreignSyncs(node: PlanNode, { plan, viewsOf, run }: BypassParts): Named[] {
  const shown = viewsOf(node).map((view) => [view.name, foreignSync(view, plan.platform)] as const);
  const known = run?.nodes.get(operationNodeOf(node));
  const found = [
    [node.application ?? '', known?.syncedBy] as const,
    ...(known?.members ?? []).map((one) => [one.application, one.syncedBy] as const),
  ];
  const all = [...found, ...shown].flatMap(([application, sync]): [string, Named][] =>
    sync ? [[`${application} ${sync.at}`, { ...sync, application }]] : [],
  );
  return [...new Map(all).values()];
}

/** Direct or not. An open is no gate: whether a parent is Healthy, its close says. */
function dependenciesOf(node: PlanNode, nodes: ReadonlyMap<string, PlanNode>): PlanNode[] {
  const behind = new Set([operationNodeOf(node)]);
  for (const id of behind) for (const other of nodes.get(id)?.dependsOn ?? []) behind.add(other);
  behind.delete(operationNodeOf(node));
  return [...nodes.values()].filter((one) => behind.has(one.id) && isJudged(one));
}

function wasNotHealthy(node: PlanNode, second: number, { viewsOf, run }: BypassParts): boolean {
  return (
    (run !== undefined && wasShut(node, second, run)) ||
    viewsOf(node).some((view) => wasUndeployed(view, second) || wasUnhealthy(view, second))
  );
}

/** The run began before, and had not opened its gate yet; for the time of a dwell it was as good as open. */
function wasShut({ id, gate }: PlanNode, second: number, { startedAt, nodes }: Seen): boolean {
  const node = nodes.get(id);
  if (!node || !(second * 1000 >= startedAt)) return false;
  // It is unknown how one was that this run did not look at, or had nothing to do with.
  if (node.outcome === 'skipped' || (node.outcome === 'unchanged' && !hasAsked(node))) return false;
  if (node.openedAt === undefined) return node.outcome === 'failed';
  return (second + gate.dwell + CLOCKS) * 1000 < Date.parse(node.openedAt);
}

const hasAsked = ({ durations }: NodeProgress): boolean => (durations?.approval ?? 0) > 0;

/** It was there and not deployed for the first time yet, or a sync of it by another client was in progress and has changed its health. */
function wasUndeployed(view: ApplicationView, second: number): boolean {
  const { createdAt, firstDeployedAt, operationState: last, health } = view;
  const wasThere = createdAt !== undefined && createdAt <= second;
  if (wasThere && firstDeployedAt !== undefined && firstDeployedAt > second) return true;
  if (!last || last.automated || last.startedAt === undefined) return false;
  const hasEnded = last.phase !== 'Running' && last.phase !== 'Terminating';
  const end = last.finishedAt ?? (hasEnded ? 0 : Number.POSITIVE_INFINITY);
  const hasRisen = health.status === 'Healthy' && secondOf(health.lastTransition) > last.startedAt;
  const isChanged = hasRisen || UNHEALTHY.has(health.status);
  return last.startedAt < second && second < end && isChanged;
}

/** It is as it was then. */
function wasUnhealthy({ health }: ApplicationView, second: number): boolean {
  return UNHEALTHY.has(health.status) && secondOf(health.lastTransition) < second;
}

/** One that is not known is neither before nor after anything. */
const secondOf = (text: string | undefined): number => Date.parse(text ?? '') / 1000;
