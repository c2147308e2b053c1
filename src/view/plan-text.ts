// The plan for people: a row for each application, what it waits for, and the chain that decides the time.
import { renderDuration } from '../model/duration.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';
import { plural, renderTable } from './table.ts';

/** With `all`, also the nodes that open and close the stacks and the platform. */
export function renderPlanText(plan: Plan, { all }: { all: boolean }): string {
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  const rows = plan.nodes.filter((node) => all || node.kind === 'application');
  const table = renderTable(
    ['LAYER', all ? 'NODE' : 'APPLICATION', 'STACK', 'WAITS FOR', 'EXPECTED', 'TIMEOUTS'],
    rows.map((node) => [
      String(node.layer),
      all ? node.id : (node.application ?? ''),
      node.stack ?? '-',
      (all ? node.dependsOn : awaited(node, nodes)).map(shortName).join(', ') || '-',
      renderDuration(node.expectedDuration),
      `${renderDuration(node.timeouts.sync)} / ${renderDuration(node.timeouts.health)}`,
    ]),
  );
  return [
    heading(plan),
    table,
    criticalPath(plan, nodes),
    requirements(plan),
    `hash ${plan.hash}\n`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function heading(plan: Plan): string {
  const applications = plan.nodes.filter((node) => node.kind === 'application');
  const stacks = new Set(applications.map((node) => node.stack));
  const layers = new Set(applications.map((node) => node.layer));
  const scope = plan.scope.join(', ') === 'platform' ? '' : ` (scope ${plan.scope.join(', ')})`;
  const size = [
    plural(applications.length, 'application'),
    plural(stacks.size, 'stack'),
    plural(layers.size, 'layer'),
    `about ${renderDuration(plan.expectedDuration)}`,
  ];
  return `Plan to ${VERBS[plan.action]} "${plan.platform}"${scope}: ${size.join(', ')}\n`;
}

const VERBS = { deploy: 'deploy', teardown: 'tear down' } as const;

/** What an application waits for, with what its stack waits for. */
function awaited(node: PlanNode, nodes: ReadonlyMap<string, PlanNode>): string[] {
  const ids = new Set<string>();
  for (const id of node.dependsOn) {
    const joins = nodes.get(id)?.stack === node.stack && !id.startsWith('app:');
    const found = joins ? (nodes.get(id)?.dependsOn ?? []) : [id];
    for (const other of found) if (!other.endsWith(':platform')) ids.add(other);
  }
  return [...ids].sort();
}

/** app:x -> x; open:stack:x and close:stack:x -> stack:x */
export function shortName(id: string): string {
  return id.replace(/^app:|^(?:open|close):(?=stack:)/, '');
}

function criticalPath(plan: Plan, nodes: ReadonlyMap<string, PlanNode>): string {
  const steps = plan.criticalPath
    .filter((id) => nodes.get(id)?.kind === 'application')
    .map((id) => `${shortName(id)} ${renderDuration(nodes.get(id)?.expectedDuration ?? 0)}`);
  return steps.length > 0 ? `Critical path: ${steps.join(' -> ')}\n` : '';
}

function requirements(plan: Plan): string {
  if (plan.requires.length === 0) return '';
  const state = plan.action === 'deploy' ? 'must be Healthy already' : 'must be gone already';
  return `Outside of the scope, ${state}: ${plan.requires.map(shortName).join(', ')}\n`;
}
