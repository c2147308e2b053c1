// The edges that an import proposes of the reference platform, held against those of its file: none is wrong, and each that is not found has
// a reason.

import { expect } from 'vitest';
import type { ImportReport } from '../../../src/import/report/import-report.ts';

export type Edge = readonly [dependent: string, dependency: string];

const written = ({ edges }: ImportReport): Edge[] =>
  edges
    .filter(({ outcome }) => outcome === 'written')
    .map(({ dependent, dependency }) => [dependent, dependency]);

/** Whether one reaches the other by these edges. */
function reachIn(edges: readonly Edge[]): (from: string, to: string) => boolean {
  const next = new Map<string, string[]>();
  for (const [from, to] of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const below = (from: string, seen: Set<string>): Set<string> => {
    for (const to of next.get(from) ?? []) if (!seen.has(to)) below(to, seen.add(to));
    return seen;
  };
  return (from, to) => below(from, new Set()).has(to);
}

/** Dependency -> dependents that nothing in the cluster connects with it: foundation first, says the RFC. */
const OPERATORS = [
  ...['argo-rollouts', 'external-secrets', 'kyverno', 'postgres-operator', 'redis-operator'],
  ...['tekton-pipelines'],
];
export const POLICY: Readonly<Record<string, readonly string[]>> = {
  metallb: ['ceph-operator', 'external-dns', ...OPERATORS],
  'cert-manager': ['external-dns', 'kargo', 'keda', ...OPERATORS],
  'sealed-secrets': ['external-dns', ...OPERATORS],
  'storage-classes': ['postgres-operator'],
  'metrics-server': ['keda'],
  // By the dependency of a whole stack on another one.
  'redis-platform': ['temporal', 'application-infrastructure-stack'],
  'postgres-identity': ['temporal', 'application-infrastructure-stack'],
  'postgres-platform': ['application-infrastructure-stack'],
};
/** What the software needs, and its stand-in does not name: a database, a class that is the default, who gives addresses. */
export const NOT_NAMED: Readonly<Record<string, readonly string[]>> = {
  metallb: ['ingress-nginx'],
  'ceph-cluster': ['storage-classes'],
  'storage-classes': ['kafka-cluster', 'kubevirt', 'postgres-identity', 'velero'],
  'postgres-identity': ['keycloak'],
  'postgres-platform': ['harbor', 'temporal'],
  'redis-platform': ['harbor'],
  'kafka-cluster': ['kafka-ui'],
  'tekton-pipelines': ['tekton-triggers'],
  prometheus: ['alloy', 'blackbox-exporter'],
  loki: ['alloy'],
  tempo: ['alloy'],
};

const reasonOf = ([dependent, dependency]: Edge, { edges }: ImportReport): string => {
  const pair = edges.find((one) => one.dependent === dependent && one.dependency === dependency);
  if (pair) return pair.outcome;
  if (POLICY[dependency]?.includes(dependent)) return 'policy';
  return NOT_NAMED[dependency]?.includes(dependent) ? 'not named' : 'NO REASON';
};

/** Nothing that is written is wrong, and what is not found has one of these reasons. */
export function expectTrue(
  { report, truth }: { readonly report: ImportReport; readonly truth: readonly Edge[] },
  reasons: Readonly<Record<string, readonly string[]>>,
): void {
  expect(report).toMatchObject({ unresolved: [], cycles: [], problems: [], exitStatus: 0 });
  const isTrue = reachIn(truth);
  const found = written(report);
  expect(found.filter(([one, other]) => !isTrue(one, other))).toEqual([]);
  const isFound = reachIn(found);
  const missing = truth.filter(([one, other]) => !isFound(one, other));
  const byReason: Record<string, string[]> = {};
  for (const edge of missing) {
    const reason = reasonOf(edge, report);
    byReason[reason] = [...(byReason[reason] ?? []), edge.join('->')].sort();
  }
  console.log(
    `${found.length} edges written, ${truth.length} in the file, not found: ${counts(byReason)}`,
    ...Object.entries(byReason).map(([reason, edges]) => `\n  ${reason}: ${edges.join(', ')}`),
  );
  expect(byReason).toEqual(reasons);
}

const counts = (byReason: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(byReason)
    .map(([reason, edges]) => `${edges.length} ${reason}`)
    .join(', ');

/** Of these dependents, as reasons are listed. */
export const pairs = (
  table: Readonly<Record<string, readonly string[]>>,
  truth: readonly Edge[],
): string[] =>
  truth
    .filter(([dependent, dependency]) => table[dependency]?.includes(dependent))
    .map((edge) => edge.join('->'))
    .sort();
