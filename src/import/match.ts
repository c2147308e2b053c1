// Who provides what is needed. Of several providers, one with hardly anything but CustomResourceDefinitions counts first, then the
// surest; where several are as sure, all of them count, with low confidence. An application needs none that it creates or is created by.
import type { Facts, Needed, Provided, Rank, Target } from './facts/fact.ts';
import type { Confidence, ImportNote, UnresolvedNeed } from './proposal.ts';
import type { Family } from './tree.ts';

export interface Match {
  readonly dependent: string;
  readonly dependency: string;
  readonly need: Needed;
  readonly evidence: string;
  readonly confidence: Confidence;
}

export interface Matching {
  readonly matches: readonly Match[];
  readonly unresolved: readonly UnresolvedNeed[];
  readonly notes: readonly ImportNote[];
}

interface Provider {
  readonly application: string;
  readonly rank: Rank;
  readonly crdsOnly: boolean;
}

const RANKS: readonly Rank[] = ['shown', 'runtime', 'assumed', 'maybe'];
/** Only one can be meant: where several would do, nothing is known. */
const ONE_ONLY = new Set(['place', 'namespace', 'operator', 'webhook', 'family', 'family-crds']);
/** Any part of it that the application has is enough. */
const OWN_IS_ENOUGH = new Set(['place', 'namespace', 'operator', 'webhook']);
/** One need may have so many providers; more are a mistake somewhere else. */
const PROVIDERS_MAX = 20;

export function matchNeeds(
  facts: ReadonlyMap<string, Facts>,
  family: Family,
  hints: ReadonlyMap<string, readonly Provided[]>,
): Matching {
  const index = providersByTarget(facts, hints);
  const found = {
    matches: [] as Match[],
    unresolved: [] as UnresolvedNeed[],
    notes: [] as ImportNote[],
  };
  for (const [application, { needs }] of facts) {
    for (const need of merged(needs)) resolve(application, need, index, family, found);
  }
  return found;
}

function providersByTarget(
  facts: ReadonlyMap<string, Facts>,
  hints: ReadonlyMap<string, readonly Provided[]>,
): Map<string, Map<string, Provider>> {
  const index = new Map<string, Map<string, Provider>>();
  for (const [application, { provides }] of facts) {
    for (const { subject, key, rank, crdsOnly = false } of [
      ...provides,
      ...(hints.get(application) ?? []),
    ]) {
      const id = idOf({ subject, key });
      const providers = index.get(id) ?? new Map<string, Provider>();
      const known = providers.get(application);
      if (!known || RANKS.indexOf(rank) < RANKS.indexOf(known.rank))
        providers.set(application, { application, rank, crdsOnly });
      index.set(id, providers);
    }
  }
  return index;
}

function idOf({ subject, key }: Target): string {
  return `${subject} ${key}`;
}

/** The same need of many objects is one need, with the first of them by name and the number of the others. */
function merged(needs: readonly Needed[]): Needed[] {
  const groups = new Map<string, { need: Needed; where: Set<string> }>();
  for (const need of needs) {
    const id = `${need.evidence} ${need.strength} ${need.confidence} ${need.text} ${need.wants.map(idOf).join(' ')}`;
    const group = groups.get(id) ?? { need, where: new Set() };
    group.where.add(need.where);
    groups.set(id, group);
  }
  return [...groups.values()].map(({ need, where }) => {
    const [first = ''] = [...where].sort();
    const more = where.size - 1;
    return { ...need, where: more === 0 ? first : `${first} and ${more} more` };
  });
}

interface Found {
  readonly matches: Match[];
  readonly unresolved: UnresolvedNeed[];
  readonly notes: ImportNote[];
}

function resolve(
  application: string,
  need: Needed,
  index: ReadonlyMap<string, ReadonlyMap<string, Provider>>,
  family: Family,
  found: Found,
): void {
  const target = need.wants.find((wanted) => index.has(idOf(wanted)));
  const providers = target && index.get(idOf(target));
  if (!target || !providers) {
    if (!need.guess) found.unresolved.push(unresolvedNeed(application, need));
    return;
  }
  const own = providers.get(application);
  if (own && (own.rank === 'shown' || OWN_IS_ENOUGH.has(target.subject))) return;
  const best = operatorAmong(bestOf([...providers.values()]), need, index);
  if (best.some((provider) => provider.application === application)) return;
  const relative = best.find((provider) => family.areRelated(application, provider.application));
  if (relative) {
    if (need.strength !== 'eventual')
      found.notes.push(relativeNote(application, relative.application, need));
    return;
  }
  if (best.length > 1 && (ONE_ONLY.has(target.subject) || best.length > PROVIDERS_MAX)) return;
  if (best.length > 1 && !need.guess) found.notes.push(severalNote(application, best, need));
  for (const provider of best) {
    const confidence = isShared(target, provider, index)
      ? 'medium'
      : confidenceOf(need, target, provider, best.length);
    if (need.guess && confidence === 'low') continue;
    const { application: dependency } = provider;
    const evidence = evidenceOf(need, target, provider);
    found.matches.push({ dependent: application, dependency, need, evidence, confidence });
  }
}

function bestOf(providers: readonly Provider[]): Provider[] {
  const ofCrds = providers.filter(({ crdsOnly }) => crdsOnly);
  const left = ofCrds.length > 0 ? ofCrds : providers;
  const best = Math.min(...left.map(({ rank }) => RANKS.indexOf(rank)));
  return left.filter(({ rank }) => RANKS.indexOf(rank) === best);
}

/** Some ship a copy of another one's definitions: the one that also reconciles the kind counts. */
function operatorAmong(
  best: readonly Provider[],
  { wants }: Needed,
  index: ReadonlyMap<string, ReadonlyMap<string, Provider>>,
): readonly Provider[] {
  const plural = wants.find(({ subject }) => subject === 'plural');
  if (best.length === 1 || !plural) return best;
  const operators = index.get(idOf({ subject: 'operator', key: plural.key }));
  const found = best.filter(({ application }) => operators?.has(application));
  return found.length === 1 ? found : best;
}

function confidenceOf(need: Needed, target: Target, provider: Provider, count: number): Confidence {
  if (count > 1) return 'low';
  if (target.subject === 'namespace') return provider.rank === 'shown' ? 'high' : need.confidence;
  if (target.subject === 'place' && provider.rank === 'maybe')
    return need.confidence === 'high' && target.key.includes('/') ? 'high' : 'medium';
  if (provider.rank === 'maybe' && !provider.crdsOnly) return 'low';
  return need.confidence;
}

/** Several applications live in the namespace, and one of them happens to make it. */
function isShared(
  { subject, key }: Target,
  { application, rank }: Provider,
  index: ReadonlyMap<string, ReadonlyMap<string, Provider>>,
): boolean {
  if (subject !== 'namespace' || rank === 'shown') return false;
  const inhabitants = index.get(idOf({ subject: 'place', key })) ?? new Map();
  return [...inhabitants.keys()].some((other) => other !== application);
}

function evidenceOf(need: Needed, target: Target, provider: Provider): string {
  const isRuntime = provider.rank === 'runtime' || target.subject === 'group-suffix';
  return need.evidence === 'crd' && isRuntime ? 'crd-at-runtime' : need.evidence;
}

function unresolvedNeed(application: string, need: Needed): UnresolvedNeed {
  return { application, kind: need.evidence, what: need.text, where: [need.where] };
}

function relativeNote(application: string, relative: string, need: Needed): ImportNote {
  const text = `${application} needs something of ${relative}, and one of them creates the other: ${need.text}`;
  return { kind: 'parent-has-resources', application, text };
}

function severalNote(application: string, best: readonly Provider[], need: Needed): ImportNote {
  const names = best
    .map((provider) => provider.application)
    .sort()
    .join(', ');
  return {
    kind: 'several-providers',
    application,
    text: `${need.text}; any of ${names} may provide it`,
  };
}
