// Charts that were not rendered: what the catalogue knows of them stands in for their manifests.
import { knownChart } from '../catalogue.ts';
import type { KnownChart } from '../charts/known-chart.ts';
import type { ApplicationMaterial, KubernetesObject } from '../material.ts';
import type { Facts, Needed, Provided, Subjects } from './fact.ts';
import { kindNeed } from './kind-facts.ts';
import { isFields, label, walk } from './object.ts';
import { isOff, isOn, mergedValues } from './values-tree.ts';

const CRDS = /(?:^|[-/])crds?$/;
/** Values that switch the definitions of a chart on or off. */
const SWITCH = /^(?:installCRDs?|createCRDs?|createCustomResources?|installCustomResources?)$/i;
const SWITCH_BLOCK = /^(?:crds?|customResourceDefinitions?)$/i;

interface Use {
  readonly name: string;
  readonly known: KnownChart;
  /** Only the definitions of it. */
  readonly crdsOnly: boolean;
}

export function chartFacts({ application, objects }: Subjects): Facts {
  const values = mergedValues(application.values);
  const uses = usesOf(application).filter(({ name }) => !isRendered(name, application, objects));
  const installs = definitionsWanted(values);
  return {
    provides: uses.flatMap((use) => provided(use, installs)),
    needs: uses.flatMap((use) => needed(use, values)),
  };
}

/** By the names of its charts, of the repository that it is taken from, or of the application whose definitions it has. */
function usesOf({ name, charts, sources }: ApplicationMaterial): Use[] {
  const ownName = CRDS.test(name) ? [name.replace(CRDS, '')] : [];
  const found = new Map<string, Use>();
  const add = (chart: string, crdsOnly: boolean, repository?: string) => {
    const known = knownChart(chart, repository);
    if (known && !found.has(chart)) found.set(chart, { name: chart, known, crdsOnly });
  };
  for (const chart of charts) add(chart.name, CRDS.test(chart.name), chart.repository);
  for (const { repoURL, path = '' } of sources) {
    const repository =
      repoURL
        .replace(/\.git$/, '')
        .split('/')
        .at(-1) ?? '';
    if (CRDS.test(path)) add(repository, true, repoURL);
  }
  for (const stem of ownName) add(stem, true);
  return [...found.values()];
}

/** Helm's charts label what they make. */
function isRendered(
  chart: string,
  application: ApplicationMaterial,
  objects: readonly KubernetesObject[],
): boolean {
  if (application.content === 'manifests' && application.values.length === 0) return true;
  return objects.some((object) => label(object, 'helm.sh/chart')?.startsWith(`${chart}-`));
}

/** Whether the values want definitions; undefined where they say nothing. */
function definitionsWanted(values: unknown): boolean | undefined {
  let wanted: boolean | undefined;
  walk(values, (key, value, way) => {
    const inBlock =
      SWITCH_BLOCK.test(way.at(-1) ?? '') && /^(?:enabled?|install|create|deploy)$/i.test(key);
    if (SWITCH.test(key) || inBlock) wanted = (wanted ?? false) || isOn(value);
  });
  return wanted;
}

function provided({ name, known, crdsOnly }: Use, installs: boolean | undefined): Provided[] {
  const isSure = crdsOnly || (installs ?? !known.definesByValue);
  const rank = isSure ? 'assumed' : 'maybe';
  const groups = crdsOnly ? (known.defines ?? known.operates ?? []) : (known.defines ?? []);
  const operates = known.operates ?? (crdsOnly || CRDS.test(name) ? [] : groups);
  return [
    ...groups.map(
      (key): Provided => ({
        subject: key.includes('/') ? 'kind' : 'group',
        key,
        rank,
        crdsOnly,
      }),
    ),
    ...(crdsOnly ? [] : operates).map(
      (key): Provided => ({
        subject: 'operator',
        key,
        rank: 'assumed',
      }),
    ),
    ...(crdsOnly ? [] : classesOf(known)),
  ];
}

function classesOf({ ingressClass, storageClass }: KnownChart): Provided[] {
  const named = { IngressClass: ingressClass, StorageClass: storageClass };
  return Object.entries(named).flatMap(([kind, name]): Provided[] =>
    name === undefined ? [] : [{ subject: 'class', key: `${kind}/${name}`, rank: 'assumed' }],
  );
}

function needed({ name, known, crdsOnly }: Use, values: unknown): Needed[] {
  if (crdsOnly) return [];
  const kinds = (list: readonly string[], strength: 'hard' | 'soft', verb: string) =>
    list.map(
      (key): Needed => ({
        ...need(key),
        strength,
        text: `Chart ${name} ${verb} ${key}`,
        where: `chart ${name}`,
      }),
    );
  return [
    ...kinds(isLeftOut(known, values) ? [] : (known.uses ?? []), 'hard', 'makes objects of kind'),
    ...kinds([...(known.watches ?? []), ...(known.operates ?? [])], 'soft', 'watches'),
    ...switched(known, values).map(
      ([key, kind]): Needed => ({
        ...need(kind),
        strength: 'hard',
        text: `Value ${key} switches on ${kind}`,
        where: `values ${key}`,
      }),
    ),
  ];
}

function need(key: string): Pick<Needed, 'evidence' | 'wants' | 'confidence'> {
  const [group = '', kind = ''] = key.split('/');
  const { wants } = kindNeed({ group, kind });
  return {
    evidence: 'crd-by-values',
    wants: kind === '' ? wants.slice(-1) : wants,
    confidence: 'high',
  };
}

function isLeftOut({ unless = {} }: KnownChart, values: unknown): boolean {
  let found = false;
  walk(values, (key, value, way) => {
    const full = [...way, key].join('.');
    found ||= Object.entries(unless).some(
      ([end, off]) => isEnd(end, full) && (off ? isOn(value) : isOff(value)),
    );
  });
  return found;
}

const isEnd = (end: string, full: string) => full === end || full.endsWith(`.${end}`);

function switched({ switches = {} }: KnownChart, values: unknown): [key: string, kind: string][] {
  const found: [string, string][] = [];
  walk(values, (key, value, way) => {
    if (isFields(value) || !isOn(value)) return;
    const full = [...way, key].join('.');
    for (const [end, kind] of Object.entries(switches))
      if (isEnd(end, full)) found.push([full, kind]);
  });
  return found;
}
