// What an import found and what became of it, as data: the JSON report, and what text and HTML are made from.
import { buildGraph, idOf } from '../../graph/graph.ts';
import { impliedDependencies } from '../../graph/implied.ts';
import { API_VERSION } from '../../model/api-version.ts';
import { compareText } from '../../model/names.ts';
import { type DecidedPair, pairKey } from '../decisions.ts';
import type { OrderEstimate } from '../estimate.ts';
import type { Layout, LayoutProblem } from '../layout/layout.ts';
import type {
  BrokenCycle,
  ImportNote,
  Proposal,
  ProposedEdge,
  ProposedStack,
  UnresolvedNeed,
} from '../proposal.ts';

/**
 * written: in the file; suggested: as a comment; refused: proposed, but the file cannot have it; eventual: heals automatically;
 * rejected: by import.yaml; reported: none of these, such as what was dropped to break a cycle.
 */
export type EdgeOutcome =
  | 'written'
  | 'suggested'
  | 'refused'
  | 'eventual'
  | 'rejected'
  | 'reported';

export interface ReportedEdge extends ProposedEdge {
  readonly outcome: EdgeOutcome;
  /** Other written edges say the same. */
  readonly implied: boolean;
}

interface Estimates {
  readonly evidence: OrderEstimate;
  /** Where applications have waves. */
  readonly waves: OrderEstimate | null;
  /** How many of the applications have a duration from their history; the others have that of their class. */
  readonly applicationsFromHistory: number;
}

export interface ImportReport {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'ImportReport';
  readonly platform: string;
  /** What was read. */
  readonly from: string;
  /** The platform file that was written; null: none. */
  readonly file: string | null;
  readonly order: 'evidence' | 'waves';
  readonly exitStatus: 0 | 2;
  readonly summary: Readonly<Record<EdgeOutcome, number>> & {
    /** Parents included. */
    readonly applications: number;
    /** The root, and the Applications of stacks. */
    readonly parents: number;
    /** Of the file. */
    readonly stacks: number;
    /** Dependencies in the file that are the order of waves. */
    readonly ofWaves: number;
    readonly implied: number;
    readonly unresolved: number;
    readonly cycles: number;
    readonly problems: number;
  };
  readonly unresolved: readonly UnresolvedNeed[];
  readonly edges: readonly ReportedEdge[];
  readonly cycles: readonly BrokenCycle[];
  readonly notes: readonly ImportNote[];
  /** What could not be written, and why. */
  readonly problems: readonly LayoutProblem[];
  /** Decisions of import.yaml about what is no longer proposed. */
  readonly staleDecisions: readonly DecidedPair[];
  readonly estimates: Estimates;
  readonly stacks: readonly ProposedStack[];
  readonly waves: Readonly<Record<string, number>>;
}

export interface ReportParts {
  readonly proposal: Proposal;
  readonly from: string;
  readonly file: string | undefined;
  readonly order: 'evidence' | 'waves';
  /** By evidence, in any order of the file. */
  readonly layout: Layout;
  /** Of the file. */
  readonly written: Layout;
  readonly stale: readonly DecidedPair[];
  readonly estimates: Estimates;
}

export function buildImportReport(parts: ReportParts): ImportReport {
  const { proposal, from, file, order, layout, stale, estimates } = parts;
  const edges = reportedEdges(proposal.edges, layout);
  const unresolved = [...proposal.unresolved].sort(
    (a, b) => compareText(a.application, b.application) || compareText(a.what, b.what),
  );
  const isHard = proposal.cycles.some(({ dropped }) => dropped === undefined);
  const isUnread = proposal.notes.some(({ kind }) => kind === READ_PROBLEM);
  const { stacks, problems } = parts.written;
  const applications = applicationsIn(proposal.stacks, proposal.root).length;
  return {
    apiVersion: API_VERSION,
    kind: 'ImportReport',
    platform: layout.platform,
    from,
    file: file ?? null,
    order,
    exitStatus: isHard || isUnread || problems.length > 0 ? 2 : 0,
    summary: {
      applications,
      parents: applications - proposal.stacks.flatMap((stack) => stack.applications).length,
      stacks: stacks.length,
      ofWaves: stacks.flatMap(({ dependsOn }) => dependsOn).filter(({ edge }) => !edge).length,
      ...countsOf(edges),
      implied: edges.filter(({ implied }) => implied).length,
      unresolved: unresolved.length,
      cycles: proposal.cycles.length,
      problems: problems.length,
    },
    unresolved,
    edges,
    cycles: proposal.cycles,
    notes: proposal.notes,
    problems,
    staleDecisions: stale,
    estimates,
    stacks: proposal.stacks,
    waves: proposal.waves,
  };
}

/** The kind of note that says what could not be read. */
const READ_PROBLEM = 'read-problem';

/** All Applications of the proposal, parents included. */
export function applicationsIn(
  stacks: readonly ProposedStack[],
  root?: string | undefined,
): string[] {
  const named = stacks.flatMap(({ application, applications }) => [
    ...(application === undefined ? [] : [application]),
    ...applications.map(({ name }) => name),
  ]);
  return [...(root === undefined ? [] : [root]), ...named];
}

function reportedEdges(edges: readonly ProposedEdge[], layout: Layout): ReportedEdge[] {
  const entries = layout.stacks.flatMap((stack) => [
    ...stack.dependsOn,
    ...stack.applications.flatMap(({ dependsOn }) => dependsOn),
  ]);
  const written = entries.flatMap(({ edge, isWritten }) => (edge && isWritten ? [edge] : []));
  const inFile = new Set(written.map(pairKey));
  const implied = impliedPairs(written);
  return [...edges]
    .sort(
      (a, b) => compareText(a.dependent, b.dependent) || compareText(a.dependency, b.dependency),
    )
    .map((edge) => ({
      ...edge,
      outcome: outcomeOf(edge, inFile),
      implied: implied.has(pairKey(edge)),
    }));
}

function outcomeOf(edge: ProposedEdge, inFile: ReadonlySet<string>): EdgeOutcome {
  if (edge.status === 'written') return inFile.has(pairKey(edge)) ? 'written' : 'refused';
  if (edge.status === 'suggested') return 'suggested';
  if (edge.decision === 'rejected') return 'rejected';
  return edge.strength === 'eventual' ? 'eventual' : 'reported';
}

/** Between Applications, under any name in the file. */
function impliedPairs(written: readonly ProposedEdge[]): ReadonlySet<string> {
  const nodes = new Map<string, string[]>();
  for (const { dependent, dependency } of written) {
    nodes.set(dependent, [...(nodes.get(dependent) ?? []), dependency]);
    if (!nodes.has(dependency)) nodes.set(dependency, []);
  }
  const graph = buildGraph(nodes);
  const pairs = impliedDependencies(graph).flatMap((targets, node) =>
    targets.map((target) =>
      pairKey({ dependent: idOf(graph, node), dependency: idOf(graph, target) }),
    ),
  );
  return new Set(pairs);
}

function countsOf(edges: readonly ReportedEdge[]): Record<EdgeOutcome, number> {
  const counts = { written: 0, suggested: 0, refused: 0, eventual: 0, rejected: 0, reported: 0 };
  for (const { outcome } of edges) counts[outcome]++;
  return counts;
}
