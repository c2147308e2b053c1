// Where the applications stand in the picture: a column a layer, what belongs together side by side.
import { buildGraph, idOf, neighbours } from '../../graph/graph.ts';
import { longestBefore, topologicalOrder } from '../../graph/order.ts';
import type { ReportedEdge } from '../../import/report/import-report.ts';

export interface Placed {
  readonly name: string;
  readonly column: number;
  readonly row: number;
}

const SWEEPS = 4;

/** By written edges alone: these have no cycle. */
export function placeApplications(
  names: readonly string[],
  edges: readonly ReportedEdge[],
): ReadonlyMap<string, Placed> {
  const nodes = new Map(names.map((name): [string, string[]] => [name, []]));
  for (const { dependent, dependency, outcome } of edges) {
    if (outcome === 'written' && nodes.has(dependency)) nodes.get(dependent)?.push(dependency);
  }
  const graph = buildGraph(nodes);
  const layers = longestBefore(graph, topologicalOrder(graph), () => 1);
  const columns: number[][] = [];
  for (const node of graph.ids.keys()) {
    const layer = layers[node] ?? 0;
    columns[layer] = [...(columns[layer] ?? []), node];
  }
  const rows = new Float64Array(graph.ids.length);
  const number = () => {
    for (const column of columns) for (const [row, node] of column.entries()) rows[node] = row;
  };
  number();
  // Each node moves to the middle of its neighbours, from the left and from the right in turn.
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const edgesOf = sweep % 2 === 0 ? graph.dependencies : graph.dependents;
    const middle = (node: number) => mean([...neighbours(edgesOf, node)], rows) ?? rows[node] ?? 0;
    for (const column of columns) {
      const middles = new Map(column.map((node) => [node, middle(node)]));
      column.sort((a, b) => (middles.get(a) ?? 0) - (middles.get(b) ?? 0) || a - b);
    }
    number();
  }
  return new Map(
    [...graph.ids.keys()].map((node) => {
      const name = idOf(graph, node);
      return [name, { name, column: layers[node] ?? 0, row: rows[node] ?? 0 }];
    }),
  );
}

function mean(nodes: readonly number[], rows: Float64Array): number | undefined {
  if (nodes.length === 0) return undefined;
  return nodes.reduce((sum, node) => sum + (rows[node] ?? 0), 0) / nodes.length;
}
