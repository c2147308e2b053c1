// Proposed edges against a graph that was made by hand.
import type { Proposal, ProposedEdge } from '../src/import/proposal.ts';
import { DISPUTED, type GoldEdge, type GoldPlatform } from './import-gold.ts';

export interface Counts {
  predicted: number;
  true: number;
  eventual: number;
  wrong: number;
}

export interface Score {
  readonly platform: string;
  readonly written: Counts;
  readonly suggested: Counts;
  readonly precision: number;
  /** Of the hard edges, those that are written; and those that are at least suggested. */
  readonly recallOfHard: number;
  readonly recallOfHardWithSuggested: number;
  readonly recall: number;
  readonly wrongHard: readonly string[];
  readonly disputed: readonly string[];
  readonly wrong: readonly string[];
  readonly missed: readonly string[];
  readonly byEvidence: ReadonlyMap<string, Counts>;
}

type Verdict = 'true' | 'eventual' | 'wrong';
type Pair = { readonly dependent: string; readonly dependency: string };

const idOf = ({ dependent, dependency }: Pair) => `${dependent} ${dependency}`;
const empty = (): Counts => ({ predicted: 0, true: 0, eventual: 0, wrong: 0 });

export function scoreOf(gold: GoldPlatform, { edges }: Proposal): Score {
  const judge = judgeBy(gold);
  const counted = edges.filter(({ status }) => status !== 'reported');
  const written = counted.filter(({ status }) => status === 'written');
  const wrong = written.filter((edge) => judge(edge) === 'wrong');
  const disputed = wrong.filter((edge) => reasonOf(gold, edge) !== undefined);
  const wrongHard = wrong.filter((edge) => edge.strength === 'hard' && !disputed.includes(edge));
  const hard = gold.edges.filter(({ strength }) => strength === 'hard');
  const writtenCounts = countsOf(written, judge);
  return {
    platform: gold.name,
    written: writtenCounts,
    suggested: countsOf(
      counted.filter(({ status }) => status === 'suggested'),
      judge,
    ),
    precision: share(writtenCounts.true, writtenCounts.predicted),
    recallOfHard: recall(hard, gold, written),
    recallOfHardWithSuggested: recall(hard, gold, counted),
    recall: recall(gold.edges, gold, written),
    wrongHard: wrongHard.map(describe),
    disputed: disputed.map((edge) => `${describe(edge)}: ${reasonOf(gold, edge)}`),
    wrong: wrong.map(describe),
    missed: missedOf(gold, written, counted, edges),
    byEvidence: evidenceCounts(counted, judge),
  };
}

function judgeBy(gold: GoldPlatform): (edge: Pair) => Verdict {
  const good = new Set([...gold.edges, ...gold.oneOf.flat()].map(idOf));
  const eventual = new Set(gold.eventual.map(idOf));
  return (edge) => {
    if (good.has(idOf(edge))) return 'true';
    return eventual.has(idOf(edge)) ? 'eventual' : 'wrong';
  };
}

function countsOf(edges: readonly Pair[], judge: (edge: Pair) => Verdict): Counts {
  const counts = empty();
  for (const edge of edges) {
    counts.predicted += 1;
    counts[judge(edge)] += 1;
  }
  return counts;
}

const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole);

/** A group of which one is enough is found by any of it. */
function recall(wanted: readonly GoldEdge[], gold: GoldPlatform, edges: readonly Pair[]): number {
  const found = new Set(edges.map(idOf));
  const grouped = new Map(gold.oneOf.flatMap((group) => group.map((edge) => [idOf(edge), group])));
  const isFound = (edge: Pair) =>
    (grouped.get(idOf(edge)) ?? [edge]).some((other) => found.has(idOf(other)));
  return share(wanted.filter(isFound).length, wanted.length);
}

function missedOf(
  gold: GoldPlatform,
  written: readonly ProposedEdge[],
  counted: readonly ProposedEdge[],
  all: readonly ProposedEdge[],
): string[] {
  const [inFile, asked, seen] = [written, counted, all].map((edges) => new Set(edges.map(idOf)));
  return gold.edges
    .filter((edge) => !inFile?.has(idOf(edge)))
    .map((edge) => {
      const unseen = `no evidence in the material (visible: ${edge.visible ?? 'not said'})`;
      const seenOnly = seen?.has(idOf(edge)) ? 'reported as eventual' : unseen;
      const why = asked?.has(idOf(edge)) ? 'only suggested' : seenOnly;
      return `${edge.strength} ${edge.dependent} -> ${edge.dependency}: ${why}; ${edge.reason ?? ''}`;
    });
}

function evidenceCounts(
  edges: readonly ProposedEdge[],
  judge: (edge: Pair) => Verdict,
): Map<string, Counts> {
  const found = new Map<string, Counts>();
  for (const edge of edges) {
    for (const kind of new Set(edge.evidence.map((one) => one.kind))) {
      const counts = found.get(kind) ?? empty();
      counts.predicted += 1;
      counts[judge(edge)] += 1;
      found.set(kind, counts);
    }
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function reasonOf(gold: GoldPlatform, edge: Pair): string | undefined {
  return DISPUTED[`${gold.name} ${idOf(edge)}`];
}

function describe({ dependent, dependency, strength, evidence }: ProposedEdge): string {
  const kinds = [...new Set(evidence.map(({ kind }) => kind))].join(', ');
  return `${dependent} -> ${dependency} (${strength}; ${kinds})`;
}
