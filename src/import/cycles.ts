// Cycles: the weakest edge of each is dropped, and named. A cycle of hard edges is an error of the platform: all of its edges
// become suggestions, since only its owners can say which of them is wrong.
import { shortestCycle } from '../graph/cycle.ts';
import { buildGraph } from '../graph/graph.ts';
import { type BrokenCycle, CONFIDENCES, type ProposedEdge, STRENGTHS } from './proposal.ts';
import type { Family } from './tree.ts';

/** A tangle that has more cycles than this is not resolved one by one. */
const CYCLES_MAX = 200;

export interface Untangled {
  readonly edges: readonly ProposedEdge[];
  readonly cycles: readonly BrokenCycle[];
}

type Entries = Map<string, Set<string>>;

export function breakCycles(
  edges: readonly ProposedEdge[],
  names: readonly string[],
  family: Family,
): Untangled {
  const status = new Map<ProposedEdge, ProposedEdge['status']>();
  const byWay = new Map<string, ProposedEdge>();
  for (const edge of edges) {
    if (edge.status !== 'reported') byWay.set(wayOf(edge, family), edge);
  }
  const entries = structure(names, family);
  for (const edge of byWay.values())
    entries.get(open(edge.dependent))?.add(end(edge.dependency, family));
  const cycles: BrokenCycle[] = [];
  for (let tangle = peel(entries); tangle.size > 0; tangle = peel(tangle)) {
    const cycle = shortestCycle(buildGraph(tangle)) ?? [];
    const ways = cycle.map((from, at) => `${from} ${cycle[(at + 1) % cycle.length]}`);
    const among = ways.flatMap((way) => byWay.get(way) ?? []);
    const isOver = cycles.length >= CYCLES_MAX || among.length === 0;
    const taken = isOver ? edgesWithin(tangle, byWay) : breakOne(among);
    for (const edge of taken) {
      status.set(edge, taken.length === 1 && !isAllHard(among) ? 'reported' : 'suggested');
      tangle.get(open(edge.dependent))?.delete(end(edge.dependency, family));
    }
    cycles.push(brokenCycle(cycle, among, taken));
    if (taken.length === 0) break;
  }
  const left = edges.map((edge) => ({ ...edge, status: status.get(edge) ?? edge.status }));
  return { edges: left, cycles };
}

/** Children start after their parent; a parent with everything below it ends after them. */
function structure(names: readonly string[], family: Family): Entries {
  const entries: Entries = new Map();
  for (const name of names) {
    entries.set(open(name), new Set());
    entries.set(end(name, family), new Set());
  }
  const known = new Set(names);
  for (const name of names) {
    const [parent] = family.ancestors(name);
    if (parent === undefined || !known.has(parent)) continue;
    entries.get(open(name))?.add(open(parent));
    entries.get(end(parent, family))?.add(end(name, family));
  }
  return entries;
}

const open = (name: string) => `open ${name}`;
const end = (name: string, family: Family) =>
  family.children(name).length > 0 ? `close ${name}` : open(name);

function wayOf({ dependent, dependency }: ProposedEdge, family: Family): string {
  return `${open(dependent)} ${end(dependency, family)}`;
}

/** What remains without those that wait for nothing, or that nothing waits for. */
function peel(entries: Entries): Entries {
  return reversed(peelEnds(reversed(peelEnds(entries))));
}

function peelEnds(entries: Entries): Entries {
  const left = new Map([...entries].map(([id, ids]) => [id, new Set(ids)]));
  const dependents = reversed(entries);
  const queue = [...left].filter(([, ids]) => ids.size === 0).map(([id]) => id);
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    left.delete(id);
    for (const other of dependents.get(id) ?? []) {
      const ids = left.get(other);
      if (ids?.delete(id) && ids.size === 0) queue.push(other);
    }
  }
  return left;
}

function reversed(entries: Entries): Entries {
  const found: Entries = new Map([...entries.keys()].map((id) => [id, new Set()]));
  for (const [id, ids] of entries) {
    for (const other of ids) found.set(other, (found.get(other) ?? new Set()).add(id));
  }
  return found;
}

function breakOne(among: readonly ProposedEdge[]): readonly ProposedEdge[] {
  if (isAllHard(among)) return among;
  const [weakest] = [...among].sort((one, other) => (weight(one) < weight(other) ? -1 : 1));
  return weakest ? [weakest] : [];
}

/** What is only suggested is not sure enough to call a platform impossible, or to doubt what is written. */
function isAllHard(among: readonly ProposedEdge[]): boolean {
  return among.every(({ strength, status }) => strength === 'hard' && status === 'written');
}

/** The weakest first: DNS names, then the lowest confidence, then what runs against the waves, then what is not hard. */
function weight({ evidence, confidence, waves, strength, dependent, dependency }: ProposedEdge) {
  const byAddress = evidence.every(({ kind }) => kind === 'dns' || kind === 'telemetry-dns');
  return [
    byAddress ? 0 : 1,
    CONFIDENCES.indexOf(confidence),
    waves === 'against' ? 0 : 1,
    STRENGTHS.indexOf(strength),
    dependent,
    dependency,
  ].join('\0');
}

/** Only those that are not sure, while there are any. */
function edgesWithin(tangle: Entries, byWay: ReadonlyMap<string, ProposedEdge>): ProposedEdge[] {
  const found: ProposedEdge[] = [];
  for (const [from, ids] of tangle) {
    for (const to of ids) {
      const edge = byWay.get(`${from} ${to}`);
      if (edge) found.push(edge);
    }
  }
  const unsure = found.filter(({ status }) => status !== 'written');
  return unsure.length > 0 ? unsure : found;
}

function brokenCycle(
  cycle: readonly string[],
  among: readonly ProposedEdge[],
  taken: readonly ProposedEdge[],
): BrokenCycle {
  const all = cycle.map((id) => id.slice(id.indexOf(' ') + 1));
  const names = all.filter((name, at) => name !== all[(at + 1) % all.length]);
  const [dropped] = taken;
  if (!dropped || taken.length > 1 || isAllHard(among)) return { cycle: names };
  const { dependent, dependency } = dropped;
  return { cycle: names, dropped: { dependent, dependency } };
}
