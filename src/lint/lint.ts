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
    ...linted.flatMap((one) => (order ? besideGraph(one.findings, order) : one.findings)),
    ...(order ? lintWaves(material, order.known, order.comesAfter) : []),
    ...notes.filter(({ kind }) => kind === 'namespace-by-accident').map(namespaceFinding),
  ];
  return {
    ...{ apiVersion: API_VERSION, kind: 'LintReport' },
    applications: material.applications.length,
    unchecked: uncheckedIn(material),
    findings: findings.sort(byPlace),
    kept: linted.flatMap(({ kept }) => kept).sort(byPlace),
    problems: material.problems,
  };
}

function uncheckedIn({ applications, problems }: Material): string[] {
  const troubled = new Set(problems.map(({ subject }) => subject));
  return applications
    .filter(({ name, content }) => content !== 'manifests' || troubled.has(name))
    .map(({ name }) => name)
    .sort(compareText);
}

type Order = NonNullable<LintInput['order']>;

/** A wait can stand for several dependencies. It is removed only if the file has all of them: then only the removal is left to do. */
function besideGraph(findings: readonly LintFinding[], order: Order): LintFinding[] {
  const isMissing = ({ rule, edge }: LintFinding) =>
    rule === 'wait-for-application' && !!edge && !order.comesAfter(edge.dependent, edge.dependency);
  return findings.map((finding): LintFinding => {
    const { rule, edge, application, object } = finding;
    if (rule !== 'wait-for-application' || !edge) return finding;
    if (isMissing(finding)) return { ...finding, patch: null };
    const missing = findings.find((one) => one.object === object && isMissing(one));
    if (missing) return { ...finding, fix: missing.fix, patch: null };
    const fix = `Remove it: the graph lets ${application} wait for ${edge.dependency}.`;
    return { ...finding, fix };
  });
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
