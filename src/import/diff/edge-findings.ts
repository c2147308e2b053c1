// Edges that the evidence shows and the file does not.
import type { ProposedEdge } from '../proposal.ts';
import type { DiffFinding, Level } from './diff-finding.ts';
import type { FileGraph, FileNode } from './file-graph.ts';

export function edgeFindings(edges: readonly ProposedEdge[], graph: FileGraph): DiffFinding[] {
  return edges.flatMap((edge): DiffFinding[] => {
    const from = graph.nodes.get(edge.dependent);
    const to = graph.nodes.get(edge.dependency);
    if (edge.status === 'reported' || !from || !to || from.owner === to.owner) return [];
    if (isOrdered(from, to, graph)) return [];
    return [finding(edge, from, isOrdered(to, from, graph))];
  });
}

/** Also where both are a stack and something inside it: that starts after the stack starts, and the stack ends after it. */
function isOrdered(from: FileNode, to: FileNode, { waits }: FileGraph): boolean {
  return (
    waits(from.begins, to.ends) || (waits(from.begins, to.begins) && waits(to.ends, from.ends))
  );
}

function finding(edge: ProposedEdge, from: FileNode, isTurned: boolean): DiffFinding {
  const { dependent, dependency, evidence, strength } = edge;
  const asked = edge.status === 'suggested';
  const level: Level = asked ? 'information' : strength === 'hard' ? 'error' : 'warning';
  const turned = `${dependent} needs ${dependency}, and the file has it the other way round`;
  const missing = `${dependent} needs ${dependency}, and nothing in the file makes it wait`;
  const perhaps = `${dependent} may need ${dependency}, and nothing in the file makes it wait`;
  return {
    level,
    kind: asked ? 'suggested' : isTurned ? 'contradicted' : 'missing',
    application: dependent,
    dependency,
    message: isTurned ? turned : asked ? perhaps : missing,
    evidence,
    place: { owner: from.owner },
  };
}
