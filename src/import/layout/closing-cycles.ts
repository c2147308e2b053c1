// Which references of a file close a cycle and must be taken out. Proposals have none between applications unless the platform has one
// that cannot be broken; waiting for whole stacks can close more.
import { shortestCycle } from '../../graph/cycle.ts';
import { buildGraph, type Graph, idOf } from '../../graph/graph.ts';
import { topologicalOrder } from '../../graph/order.ts';
import { compareText } from '../../model/names.ts';
import { closeOf, nodeOf, openOf, shortName } from '../../plan/platform-graph.ts';
import { pairKey } from '../decisions.ts';
import { CONFIDENCES, STRENGTHS } from '../proposal.ts';
import type { Reference } from './dependency-references.ts';
import type { LaidStack } from './layout.ts';

/** After so many rounds, everything that still lies on cycles is taken out at once. */
const ROUNDS_MAX = 50;

/** Why a reference was taken out, by the reference. */
export type TakenOut = ReadonlyMap<Reference, string>;

export function closingCycles(
  stacks: readonly LaidStack[],
  references: readonly Reference[],
): TakenOut {
  const takenOut = new Map<Reference, string>();
  for (let round = 0; ; round++) {
    const left = references.filter((one) => !takenOut.has(one));
    const graph = graphOf(stacks, left);
    const order = topologicalOrder(graph);
    if (order.length === graph.ids.length) return takenOut;
    if (round === ROUNDS_MAX) {
      for (const one of onCycles(graph, order, left))
        takenOut.set(one, 'it lies on one of many cycles');
      continue;
    }
    const cycle = shortestCycle(graph) ?? [];
    const weakest = weakestOn(cycle, left);
    if (!weakest) throw new Error(`No reference to take out of ${cycle.join(' -> ')}.`);
    const shown = [...new Set([...cycle, cycle[0] ?? ''].map(shortName))];
    takenOut.set(weakest, `it would close the cycle ${[...shown, shown[0]].join(' -> ')}`);
  }
}

const fromOf = ({ owner }: Reference): string =>
  owner.kind === 'parent' ? openOf(owner.stack) : nodeOf(owner.name);
const toOf = ({ target }: Reference): string =>
  target.kind === 'parent' ? closeOf(target.stack) : nodeOf(target.name);

/** As the plan has it: members between open and close of their stack, stacks between those of the one around. */
function graphOf(stacks: readonly LaidStack[], references: readonly Reference[]): Graph {
  const nodes = new Map<string, string[]>();
  for (const { name, applications } of stacks) {
    const members = applications.map((application) => nodeOf(application.name));
    nodes.set(openOf(name), []);
    nodes.set(closeOf(name), [openOf(name), ...members]);
    for (const member of members) nodes.set(member, [openOf(name)]);
  }
  for (const { name, parent } of stacks) {
    if (parent === undefined) continue;
    nodes.get(openOf(name))?.push(openOf(parent));
    nodes.get(closeOf(parent))?.push(closeOf(name));
  }
  for (const one of references) nodes.get(fromOf(one))?.push(toOf(one));
  return buildGraph(nodes);
}

/** Whole stacks first: their wait is wider than the evidence. */
const weight = ({ owner, target, edge }: Reference): number =>
  (owner.kind === 'member' && target.kind === 'member' ? 100 : 0) +
  STRENGTHS.indexOf(edge.strength) * 10 +
  CONFIDENCES.indexOf(edge.confidence);

function weakestOn(
  cycle: readonly string[],
  references: readonly Reference[],
): Reference | undefined {
  const steps = new Set(cycle.map((id, at) => `${id} ${cycle[(at + 1) % cycle.length]}`));
  const [weakest] = references
    .filter((one) => steps.has(`${fromOf(one)} ${toOf(one)}`))
    .sort((a, b) => weight(a) - weight(b) || compareText(pairKey(a.edge), pairKey(b.edge)));
  return weakest;
}

function onCycles(graph: Graph, order: Uint32Array, references: readonly Reference[]): Reference[] {
  const fine = new Set([...order].map((node) => idOf(graph, node)));
  return references.filter((one) => !fine.has(fromOf(one)) && !fine.has(toOf(one)));
}
