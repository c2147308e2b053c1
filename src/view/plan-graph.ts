// The plan as a picture, for Graphviz and for Mermaid. Arrows point the way that work flows.
import { renderDuration } from '../model/duration.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';

export function renderDot(plan: Plan): string {
  const critical = new Set(plan.criticalPath);
  const text = JSON.stringify;
  const box = (node: PlanNode) => {
    const shape = node.kind === 'application' ? 'box' : 'ellipse';
    const style = critical.has(node.id) ? ', penwidth=3' : '';
    return `${text(node.id)} [label=${text(label(node, '\n'))}, shape=${shape}${style}];\n`;
  };
  const clusters = grouped(plan, box, (stack, boxes) => {
    return `  subgraph ${text(`cluster_${stack}`)} {\n    label=${text(stack)};\n${boxes}  }\n`;
  });
  const edges = edgesOf(plan).map(([from, to]) => `  ${text(from)} -> ${text(to)};\n`);
  return `digraph ${text(plan.platform)} {\n  rankdir=LR;\n${clusters}${edges.join('')}}\n`;
}

export function renderMermaid(plan: Plan): string {
  const numbers = new Map(plan.nodes.map((node, number) => [node.id, `n${number}`]));
  const critical = plan.criticalPath.map((id) => numbers.get(id)).join(',');
  const box = (node: PlanNode) => {
    const [left, right] = node.kind === 'application' ? ['["', '"]'] : ['(["', '"])'];
    return `${numbers.get(node.id)}${left}${label(node, '<br/>')}${right}\n`;
  };
  const groups = grouped(plan, box, (stack, boxes) => `  subgraph ${stack}\n${boxes}  end\n`);
  const edges = edgesOf(plan).map(([a, b]) => `  ${numbers.get(a)} --> ${numbers.get(b)}\n`);
  const mark = critical
    ? `  classDef critical stroke-width:3px\n  class ${critical} critical\n`
    : '';
  return `flowchart LR\n${groups}${edges.join('')}${mark}`;
}

/** The platform's own nodes first, then the stacks in the order of their names, each in a frame. */
function grouped(
  plan: Plan,
  box: (node: PlanNode) => string,
  frame: (stack: string, boxes: string) => string,
): string {
  const groups = new Map<string | null, PlanNode[]>();
  for (const node of plan.nodes) {
    const group = groups.get(node.stack);
    if (group) group.push(node);
    else groups.set(node.stack, [node]);
  }
  return [...groups]
    .sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
    .map(([stack, nodes]) => {
      const boxes = (indent: string) => nodes.map((node) => `${indent}${box(node)}`).join('');
      return stack === null ? boxes('  ') : frame(stack, boxes('    '));
    })
    .join('');
}

function label(node: PlanNode, lineBreak: string): string {
  const name = node.kind === 'application' ? (node.application ?? '') : node.kind;
  const time =
    node.expectedDuration > 0 ? `${lineBreak}${renderDuration(node.expectedDuration)}` : '';
  return `${name}${time}`;
}

function edgesOf(plan: Plan): [string, string][] {
  return plan.nodes.flatMap((node) =>
    node.dependsOn.map((dependency): [string, string] => [dependency, node.id]),
  );
}
