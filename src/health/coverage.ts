// Which kinds of a platform have a health check, from which source, and what to do about the others.
import { API_VERSION } from '../model/api-version.ts';
import type { CustomKind, StatusShape } from '../ports/cluster-kinds.ts';
import { draftCheck } from './draft.ts';
import { type Check, type Kind, kindName } from './health-check.ts';
import { healthKey } from './render.ts';
import { type HealthSource, hasNothingToWaitFor, healthSource } from './sources.ts';

/** A kind, and where it is used. */
export interface KindUse extends Kind {
  readonly applications: readonly string[];
}

/** The kinds that applications use. */
export function kindUses(found: Iterable<readonly [Kind, application: string]>): KindUse[] {
  const uses = new Map<string, Kind & { readonly applications: Set<string> }>();
  for (const [{ group, kind }, application] of found) {
    const name = kindName({ group, kind });
    const use = uses.get(name) ?? { group, kind, applications: new Set() };
    uses.set(name, use);
    use.applications.add(application);
  }
  return [...uses.values()].map((use) => ({ ...use, applications: [...use.applications].sort() }));
}

export interface CoverageInput {
  readonly platform: string;
  readonly uses: readonly KindUse[];
  /** The entries of argocd-cm; for manifests, the future entries: the rendered checks. */
  readonly settings: ReadonlyMap<string, string>;
  /** Undefined if nothing is known about custom kinds: each may have a status. */
  readonly custom: readonly CustomKind[] | undefined;
  readonly checks: readonly Check[];
  /** group/Kind, and why it needs no check. */
  readonly accepted: readonly { readonly kind: string; readonly reason: string }[];
}

export interface KindCoverage {
  readonly kind: string;
  readonly source: HealthSource | 'ours';
  readonly state: 'covered' | 'nothing-to-wait-for' | 'accepted' | 'uncovered';
  /** Why it is accepted, or what is wrong. */
  readonly reason: string | null;
  readonly applications: readonly string[];
  /** What to do, if it is uncovered. */
  readonly suggestion: string | null;
  /** A draft of a check. */
  readonly draft: string | null;
}

export interface Coverage {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'HealthCoverage';
  readonly platform: string;
  readonly uncovered: number;
  readonly kinds: readonly KindCoverage[];
}

export function coverageOf(input: CoverageInput): Coverage {
  const kinds = [...input.uses]
    .sort((a, b) => (kindName(a) < kindName(b) ? -1 : 1))
    .map((use) => kindCoverage(use, input));
  const uncovered = kinds.filter(({ state }) => state === 'uncovered').length;
  const { platform } = input;
  return { apiVersion: API_VERSION, kind: 'HealthCoverage', platform, uncovered, kinds };
}

function kindCoverage(use: KindUse, input: CoverageInput): KindCoverage {
  const kind = kindName(use);
  const source = sourceOf(use, input);
  const row = { kind, source, applications: use.applications, suggestion: null, draft: null };
  if (source !== 'none') return { ...row, state: 'covered', reason: null };
  const accepted = input.accepted.find((one) => one.kind === kind);
  if (accepted) return { ...row, state: 'accepted', reason: accepted.reason };
  const known = shapeOf(use, input.custom);
  const shape = known ?? 'other';
  if (shape === 'none') return { ...row, state: 'nothing-to-wait-for', reason: null };
  const own = input.checks.some((check) => kindName(check) === kind);
  const draft = own ? undefined : draftCheck(shape);
  return {
    ...row,
    state: 'uncovered',
    reason: own
      ? 'its check is not in argocd-cm'
      : `${known ? 'it has a status' : 'it may have a status'}, but no health check`,
    suggestion: suggestionFor(kind, own, draft !== undefined),
    draft: draft ?? null,
  };
}

function sourceOf(use: KindUse, { settings, checks }: CoverageInput): KindCoverage['source'] {
  const source = healthSource(use, settings);
  if (source !== 'argocd-cm') return source;
  const own = checks.find((check) => kindName(check) === kindName(use));
  return own && settings.get(healthKey(use))?.trimEnd() === own.script.trimEnd() ? 'ours' : source;
}

/** Undefined if its CustomResourceDefinition was not seen. */
function shapeOf(use: KindUse, custom: readonly CustomKind[] | undefined): StatusShape | undefined {
  if (hasNothingToWaitFor(use)) return 'none';
  const known = custom?.find(({ group, kind }) => group === use.group && kind === use.kind);
  return known?.status;
}

function suggestionFor(kind: string, own: boolean, draft: boolean): string {
  if (own) return 'Add it with `tiphys health render`.';
  const accept = `accept it in the platform file: health: {accepted: [{kind: ${kind}, reason: ...}]}`;
  if (!draft) return `Write a check, or ${accept}.`;
  return `Start with \`tiphys health coverage --draft ${kind}\`, or ${accept}.`;
}
