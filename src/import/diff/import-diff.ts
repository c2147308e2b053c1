// A platform file against the evidence: what it lacks, contradicts, has without proof, and what came or went.
import { API_VERSION } from '../../model/api-version.ts';
import type { PlatformGraph } from '../../plan/platform-graph.ts';
import type { ApplicationMaterial } from '../material.ts';
import type { Proposal } from '../proposal.ts';
import type { DiffFinding, FindingKind, Level } from './diff-finding.ts';
import { edgeFindings } from './edge-findings.ts';
import { type FileGraph, fileGraph } from './file-graph.ts';
import { unprovedFindings } from './unproved.ts';

export interface ImportDiff {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'ImportDiff';
  readonly platform: string;
  readonly from: string;
  readonly file: string;
  /** 0: they agree; 2: they differ. Information is no difference. */
  readonly exitStatus: 0 | 2;
  readonly counts: Readonly<Record<Level, number>>;
  /** References that no application provides: what the evidence does not see. */
  readonly unresolved: number;
  readonly findings: readonly DiffFinding[];
}

export interface DiffInput {
  readonly compiled: PlatformGraph;
  readonly proposal: Proposal;
  readonly applications: readonly ApplicationMaterial[];
  readonly from: string;
  readonly file: string;
}

const LEVELS: readonly Level[] = ['error', 'warning', 'information'];
const KINDS: readonly FindingKind[] = [
  ...(['missing', 'contradicted', 'gone', 'new', 'suggested', 'unproved'] as const),
];

export function diffPlatform(input: DiffInput): ImportDiff {
  const { compiled, proposal, applications, from, file } = input;
  const graph = fileGraph(compiled, applications);
  const findings = [
    ...edgeFindings(proposal.edges, graph),
    ...goneFindings(graph),
    ...newFindings(proposal, graph),
    ...unprovedFindings(proposal.edges, compiled.platform, graph),
  ].sort(byWeight);
  const count = (level: Level) => findings.filter((one) => one.level === level).length;
  const counts = {
    error: count('error'),
    warning: count('warning'),
    information: count('information'),
  };
  return {
    apiVersion: API_VERSION,
    kind: 'ImportDiff',
    platform: compiled.platform.name,
    from,
    file,
    exitStatus: counts.error + counts.warning > 0 ? 2 : 0,
    counts,
    unresolved: proposal.unresolved.length,
    findings,
  };
}

function byWeight(a: DiffFinding, b: DiffFinding): number {
  const text = ({ application, dependency = '' }: DiffFinding) => `${application} ${dependency}`;
  return (
    LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) ||
    KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
    (text(a) < text(b) ? -1 : 1)
  );
}

function goneFindings({ gone }: FileGraph): DiffFinding[] {
  return gone.map(({ name, owner }) => ({
    level: 'warning',
    kind: 'gone',
    application: name,
    message: `${name} is in the file, and was not found`,
    evidence: [],
    place: { owner },
  }));
}

/** Only what an import would write: what is on other clusters is none of the file's business. */
function newFindings({ stacks, root }: Proposal, { nodes }: FileGraph): DiffFinding[] {
  const names = stacks.flatMap(({ application, applications }) => [
    ...(application === undefined ? [] : [application]),
    ...applications.map(({ name }) => name),
  ]);
  const all = new Set([...(root === undefined ? [] : [root]), ...names]);
  return [...all]
    .filter((name) => !nodes.has(name))
    .map((name) => ({
      level: 'warning',
      kind: 'new',
      application: name,
      message: `${name} was found, and is not in the file`,
      evidence: [],
    }));
}
