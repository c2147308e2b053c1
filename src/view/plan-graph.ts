// The plan as a graph, for Graphviz and Mermaid. Arrows point from a dependency to its dependent. A stack without its own
// Application starts and ends in an unnamed dot, which keeps the number of arrows small.
import { renderDuration } from '../model/duration.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';
import { applicationText, stepOf } from './plan-step.ts';

export function renderDot(plan: Plan): string {
  const critical = new Set(plan.criticalPath);
  const numberOf = numbered(plan);
  const text = JSON.stringify;
  const box = (node: PlanNode) => {
    const style = critical.has(node.id) ? ', penwidth=3' : '';
    return `${numberOf(node.id)} [label=${text(label(plan, node, '\n'))}, shape=${DOT[shapeOf(node)]}${style}];\n`;
  };
  const clusters = grouped(plan, box, (stack, boxes) => {
    return `  subgraph ${text(`cluster_${stack}`)} {\n    label=${text(stack)};\n${boxes}  }\n`;
  });
  const edges = edgesOf(plan).map(([from, to]) => `  ${numberOf(from)} -> ${numberOf(to)};\n`);
  return `digraph ${text(plan.platform)} {\n  rankdir=LR;\n${clusters}${edges.join('')}}\n`;
}

export function renderMermaid(plan: Plan): string {
  const numberOf = numbered(plan);
  const critical = plan.criticalPath.map(numberOf).join(',');
  const box = (node: PlanNode) => {
    const [left, right] = MERMAID[shapeOf(node)];
    return `${numberOf(node.id)}${left}${label(plan, node, '<br/>') || ' '}${right}\n`;
  };
  const groups = grouped(plan, box, (stack, boxes) => `  subgraph ${stack}\n${boxes}  end\n`);
  const edges = edgesOf(plan).map(([a, b]) => `  ${numberOf(a)} --> ${numberOf(b)}\n`);
  const mark = critical
    ? `  classDef critical stroke-width:3px\n  class ${critical} critical\n`
    : '';
  return `flowchart LR\n${groups}${edges.join('')}${mark}`;
}

/** What a graph calls a node: its id is for programs, and Graphviz shows it as a title. */
function numbered({ nodes }: Plan): (id: string) => string {
  const numbers = new Map(nodes.map(({ id }, number) => [id, `n${number}`]));
  return (id) => numbers.get(id) ?? '';
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

type Shape = 'application' | 'parent' | 'join';

function shapeOf({ kind, application }: PlanNode): Shape {
  if (kind === 'application') return kind;
  return application === null ? 'join' : 'parent';
}

const DOT: Readonly<Record<Shape, string>> = {
  application: 'box',
  parent: 'ellipse',
  join: 'point',
};

const MERMAID: Readonly<Record<Shape, readonly [string, string]>> = {
  application: ['["', '"]'],
  parent: ['(["', '"])'],
  join: ['(("', '"))'],
};

/** Empty for a join. */
function label({ action }: Plan, node: PlanNode, lineBreak: string): string {
  const { kind, application, expectedDuration } = node;
  if (application === null) return '';
  const name =
    kind === 'application' ? applicationText(node) : `${application}: ${stepOf(action, node)}`;
  return expectedDuration > 0 ? `${name}${lineBreak}${renderDuration(expectedDuration)}` : name;
}

function edgesOf(plan: Plan): [string, string][] {
  return plan.nodes.flatMap((node) =>
    node.dependsOn.map((dependency): [string, string] => [dependency, node.id]),
  );
}
