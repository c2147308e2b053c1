// Everything that lint looks for, in what was read of a platform.
import type { Material } from '../import/material.ts';
import type { ImportNote } from '../import/proposal.ts';
import { API_VERSION } from '../model/api-version.ts';
import { compareText } from '../model/names.ts';
import type { LintFinding, LintReport } from './finding.ts';
import { lintWaits } from './lint-waits.ts';
import { type ComesAfter, lintWaves } from './lint-waves.ts';
import { Providers } from './providers.ts';

export interface LintInput {
  readonly material: Material;
  /** What import noticed: namespaces by accident are among it. */
  readonly notes: readonly ImportNote[];
  /** The order of the platform file, where there is one. */
  readonly order?: { readonly known: ReadonlySet<string>; readonly comesAfter: ComesAfter };
}

export function lintPlatform({ material, notes, order }: LintInput): LintReport {
  const providers = new Providers(material.applications);
  const linted = material.applications.map((application) => lintWaits(application, providers));
  const findings = [
    ...linted.flatMap((one) => one.findings).map((finding) => withoutWrittenEdge(finding, order)),
    ...(order ? lintWaves(material, order.known, order.comesAfter) : []),
    ...notes.filter(({ kind }) => kind === 'namespace-by-accident').map(namespaceFinding),
  ];
  return {
    ...{ apiVersion: API_VERSION, kind: 'LintReport' },
    applications: material.applications.length,
    findings: findings.sort(byPlace),
    kept: linted.flatMap(({ kept }) => kept).sort(byPlace),
    problems: material.problems,
  };
}

/** The file may have the dependency already: then only the removal is left to do. */
function withoutWrittenEdge(finding: LintFinding, order: LintInput['order']): LintFinding {
  const { edge, application } = finding;
  if (finding.rule !== 'wait-for-application' || !edge) return finding;
  if (!order?.comesAfter(edge.dependent, edge.dependency)) return finding;
  return {
    ...finding,
    fix: `Remove it: the graph lets ${application} wait for ${edge.dependency}.`,
  };
}

function namespaceFinding({ application, text }: ImportNote): LintFinding {
  return {
    ...{
      rule: 'namespace-by-accident',
      level: 'warning',
      application: application ?? '',
      object: null,
    },
    message: text,
    fix: 'Add CreateNamespace=true to spec.syncPolicy.syncOptions of this Application.',
    edge: null,
    patch: null,
  };
}

type Placed = { readonly application: string; readonly object: string | null };

function byPlace(a: Placed, b: Placed): number {
  return compareText(a.application, b.application) || compareText(a.object ?? '', b.object ?? '');
}
