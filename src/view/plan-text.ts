// The plan as text: a row per application with its dependencies, and the critical path.
import { renderDuration } from '../model/duration.ts';
import { renderReference } from '../model/names.ts';
import type { Absent } from '../model/present.ts';
import { probeTarget } from '../model/probe.ts';
import type { Action, Plan, PlanNode } from '../plan/plan.ts';
import { shortName } from '../plan/platform-graph.ts';
import { renderLines, renderParts } from './lines.ts';
import { applicationText, stepOf } from './plan-step.ts';
import { plural, renderTable } from './table.ts';

/** Applications that this environment does not have. */
interface Elsewhere {
  readonly environment: string | undefined;
  readonly absent: readonly Absent[];
}

/** With `all`, also the Applications of the stacks and of the platform, and the step of each row. */
export function renderPlanText(
  plan: Plan,
  { all, elsewhere }: { all: boolean; elsewhere: Elsewhere },
): string {
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  const rows = plan.nodes.filter(
    ({ kind, application }) => kind === 'application' || (all && application !== null),
  );
  const isTimed = hasExpectedTimes(plan);
  const table = renderTable(
    [
      'LAYER',
      'APPLICATION',
      ...(all ? ['STEP'] : []),
      'STACK',
      'WAITS FOR',
      ...(isTimed ? ['EXPECTED'] : []),
      'SYNC / HEALTH TIMEOUT',
    ],
    rows.map((node) => [
      String(node.layer),
      applicationText(node),
      ...(all ? [stepOf(plan.action, node)] : []),
      node.stack ?? '-',
      awaited(node, nodes, plan.action).map(shortName).join(', ') || '-',
      ...(isTimed ? [renderDuration(node.expectedDuration)] : []),
      `${renderDuration(node.timeouts.sync)} / ${renderDuration(node.timeouts.health)}`,
    ]),
  );
  return renderParts([
    renderLines([heading(plan)]),
    table,
    renderLines(criticalPath(plan, nodes)),
    renderLines(requirements(plan)),
    renderLines(missing(elsewhere)),
    renderLines(approvals(plan)),
    renderLines(probes(plan)),
    renderLines([`hash ${plan.hash}`]),
  ]);
}

/** Expected durations are those of deployments, not of teardowns. */
const hasExpectedTimes = ({ action }: Plan): boolean => action === 'deploy';

function heading(plan: Plan): string {
  const applications = plan.nodes.filter((node) => node.kind === 'application');
  const stacks = new Set(plan.nodes.flatMap(({ stack }) => stack ?? []));
  const parents = new Set(parentsOf(plan).map((node) => node.application));
  const layers = new Set(applications.map((node) => node.layer));
  const scope = plan.scope.join(', ') === 'platform' ? '' : ` (scope ${plan.scope.join(', ')})`;
  const size = [
    plural(applications.length, 'application'),
    ...(parents.size > 0 ? [plural(parents.size, 'parent')] : []),
    plural(stacks.size, 'stack'),
    plural(layers.size, 'layer'),
    ...(hasExpectedTimes(plan) ? [`about ${renderDuration(plan.expectedDuration)}`] : []),
  ];
  return `Plan to ${VERBS[plan.action]} "${plan.platform}"${scope}: ${size.join(', ')}`;
}

/** Stacks' own Applications and the root: synced or deleted too, but not rows of the table. */
function parentsOf(plan: Plan): PlanNode[] {
  return plan.nodes.filter(
    ({ kind, application }) => kind !== 'application' && application !== null,
  );
}

const VERBS = { deploy: 'deploy', teardown: 'tear down' } as const;

/** The dependencies of an application, of its stack and of the enclosing stacks. */
function awaited(
  { dependsOn }: PlanNode,
  nodes: ReadonlyMap<string, PlanNode>,
  action: Action,
): string[] {
  // Only what contains a node comes before it in this way.
  const container = action === 'deploy' ? 'open' : 'close';
  const ids = dependsOn.flatMap((id) => {
    const other = nodes.get(id);
    return other?.kind === container ? awaited(other, nodes, action) : [id];
  });
  return [...new Set(ids)].sort();
}

function criticalPath(plan: Plan, nodes: ReadonlyMap<string, PlanNode>): string[] {
  const path = plan.criticalPath.flatMap((id) => nodes.get(id) ?? []);
  const steps = path.filter(({ kind }) => kind === 'application');
  if (!hasExpectedTimes(plan)) {
    const names = steps.map(({ id }) => shortName(id));
    return names.length > 0 ? [`Longest chain: ${names.join(' -> ')}`] : [];
  }
  const parents = path.filter(({ kind }) => kind !== 'application');
  const texts = steps.map(
    (node) => `${shortName(node.id)} ${renderDuration(node.expectedDuration)}`,
  );
  const rest = parents.reduce((sum, node) => sum + node.expectedDuration, 0);
  const more = rest > 0 ? `, and ${renderDuration(rest)} for parents` : '';
  return texts.length > 0 ? [`Critical path: ${texts.join(' -> ')}${more}`] : [];
}

function approvals({ nodes }: Plan): string[] {
  const lines = nodes.flatMap(({ id, gate }) =>
    gate.approval === undefined ? [] : [`Requires approval: ${shortName(id)} (${gate.approval})`],
  );
  return lines.length > 0 ? [...lines, 'Expected durations do not include approvals.'] : [];
}

function probes({ nodes }: Plan): string[] {
  return nodes.flatMap(({ id, gate }) =>
    gate.probe === undefined ? [] : [`Probe: ${shortName(id)} (${probeTarget(gate.probe)})`],
  );
}

function requirements(plan: Plan): string[] {
  if (plan.requires.length === 0) return [];
  const state = plan.action === 'deploy' ? 'must already be healthy' : 'must already be deleted';
  return [`Outside the scope, ${state}: ${plan.requires.map(shortName).join(', ')}`];
}

/** A stack represents its applications. */
function missing({ environment, absent }: Elsewhere): string[] {
  const whole = absent.filter((one) => one.with === undefined);
  if (whole.length === 0) return [];
  const names = whole.map(({ reference }) => shortName(renderReference(reference)));
  return [`Not in environment "${environment}": ${names.join(', ')}`];
}
