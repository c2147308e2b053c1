// What an Application wants and what Argo CD last compared it to, as texts that are equal when the two mean the same.
//
// The spec is what a person wrote; `status.sync.comparedTo` went through Argo CD's Go types, which leave out what is
// empty, add structures that are always there, and turn a hydrated source into the one that is synced. So everything
// empty is left out of both, except inside free values, where false, 0 and "" were meant.
import type { RawApplication } from './schema.ts';

/** Fields with keys or values of the user's own. */
const FREE: ReadonlySet<string> = new Set([
  'valuesObject',
  'commonLabels',
  'commonAnnotations',
  'options',
  'map',
  'string',
]);

type Source = Readonly<Record<string, unknown>>;

interface Comparable {
  readonly source?: Source | undefined;
  readonly sources: readonly Source[];
  readonly destination?: unknown;
  readonly ignoreDifferences: readonly unknown[];
}

export function wantedText({ spec }: RawApplication): string {
  return comparisonText(spec, sourcesOf(spec));
}

/** Empty while it has never been compared, which is equal to nothing that is wanted. */
export function comparedText({ status }: RawApplication): string {
  const compared = status?.sync?.comparedTo;
  return compared ? comparisonText(compared, plainSources(compared)) : '';
}

/** The sources that are synced, in the order in which revisions are counted. */
export function sourcesOf(spec: RawApplication['spec']): readonly Source[] {
  const { sourceHydrator: hydrator } = spec;
  if (!hydrator) return plainSources(spec);
  const { repoURL, targetBranch, path } = hydrator.syncSource;
  // Argo CD 3.5 and later can write to another repository than the one it reads.
  return [{ repoURL: repoURL || hydrator.drySource.repoURL, targetRevision: targetBranch, path }];
}

/** `sources` counts, where both are there, as it does for Argo CD. */
function plainSources({ source, sources }: Comparable): readonly Source[] {
  if (sources.length > 0) return sources;
  return source ? [source] : [];
}

function comparisonText(
  { destination, ignoreDifferences }: Comparable,
  sources: readonly Source[],
): string {
  return canonical({ sources, destination, ignoreDifferences }) ?? 'null';
}

/** As JSON, written at once: every view of an Application needs two. Keys sorted, empty things left out; undefined where nothing is left. */
function canonical(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    // A place in a list counts, even if what is there is empty.
    if (value.length === 0) return undefined;
    return `[${value.map((item) => canonical(item) ?? 'null').join()}]`;
  }
  if (!isObject(value)) return isZero(value) ? undefined : JSON.stringify(value);
  let members = '';
  for (const key of Object.keys(value).sort()) {
    const member = FREE.has(key) ? sorted(value[key]) : canonical(value[key]);
    if (member !== undefined && member !== 'null') members += `,${JSON.stringify(key)}:${member}`;
  }
  return members === '' ? undefined : `{${members.slice(1)}}`;
}

function isZero(value: unknown): boolean {
  return value === '' || value === false || value === 0 || value === null || value === undefined;
}

/** The same with everything left in. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sorted(value[key])}`).join()}}`;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
