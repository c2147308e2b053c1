// Generators of ApplicationSets -> parameters. Those that need more than the folder are named, not guessed.
import { lookUp } from '../../model/lookup.ts';
import { documentsIn, isFields } from './documents.ts';
import { type FolderFiles, foldersOf, isManifest, matchesPath } from './folder-files.ts';
import { selects } from './selector.ts';
import { fill, type Parameters } from './template.ts';

/** Of one ApplicationSet: more of them are a mistake, or an attack. */
const PARAMETERS_MAX = 10_000;
const DEPTH_MAX = 4;

export interface Expansion {
  readonly files: FolderFiles;
  readonly isGo: boolean;
  /** Told of everything that cannot be expanded. */
  readonly problem: (message: string) => void;
}

export function parametersOf(
  generator: unknown,
  expansion: Expansion,
  depth = 0,
): readonly Parameters[] {
  if (!isFields(generator) || depth > DEPTH_MAX) return [];
  if (generator.template !== undefined && depth > 0) {
    expansion.problem('A generator has its own template, which is not supported.');
  }
  const kind = Object.keys(generator).find((key) => key !== 'selector' && key !== 'template');
  if (kind === undefined) {
    expansion.problem('One of its generators is empty.');
    return [];
  }
  const expand = lookUp(EXPANDERS, kind);
  if (!expand) {
    expansion.problem(`Its generator "${kind}" cannot be expanded from files.`);
    return [];
  }
  const found = expand(generator[kind], expansion, depth);
  const selected = found.filter((parameters) => selects(generator.selector, parameters));
  if (selected.length > PARAMETERS_MAX) {
    expansion.problem(
      `It generates more than ${PARAMETERS_MAX} Applications; the others are left out.`,
    );
  }
  return selected.slice(0, PARAMETERS_MAX);
}

type Expander = (given: unknown, expansion: Expansion, depth: number) => readonly Parameters[];

const EXPANDERS: Readonly<Record<string, Expander>> = {
  list: (given, { problem }) => {
    if (isFields(given) && given.elementsYaml !== undefined) {
      problem('elementsYaml of a list generator is not supported.');
    }
    return fieldsIn(isFields(given) ? given.elements : []);
  },
  git: (given, expansion) => (isFields(given) ? fromGit(given, expansion) : []),
  clusters: (given, { problem }) => {
    if (!isFields(given) || !isFields(given.selector)) return [ownCluster(given)];
    problem('The clusters that its generator "clusters" selects cannot be known from files.');
    return [];
  },
  matrix: (given, expansion, depth) => matrix(childrenOf(given), expansion, depth),
  merge: (given, expansion, depth) => {
    const keys =
      isFields(given) && Array.isArray(given.mergeKeys) ? given.mergeKeys.map(String) : [];
    return merge(childrenOf(given), keys, expansion, depth);
  },
};

const fieldsIn = (list: unknown): readonly Parameters[] =>
  Array.isArray(list) ? list.filter(isFields) : [];

const childrenOf = (given: unknown): readonly unknown[] =>
  isFields(given) && Array.isArray(given.generators) ? given.generators : [];

/** Which other clusters there are, only Argo CD knows. Its own is always one of them, unless there is a selector. */
function ownCluster(given: unknown): Parameters {
  const values = isFields(given) && isFields(given.values) ? given.values : {};
  const server = 'https://kubernetes.default.svc';
  return { name: 'in-cluster', nameNormalized: 'in-cluster', server, project: '', values };
}

function fromGit(given: Parameters, { files, problem }: Expansion): readonly Parameters[] {
  const values = isFields(given.values) ? { values: given.values } : {};
  const rules = fieldsIn(given.directories);
  const isWanted = (path: string) => {
    const matching = rules.filter((rule) => matchesPath(String(rule.path), path));
    return matching.length > 0 && matching.every((rule) => rule.exclude !== true);
  };
  const folders = foldersOf(files)
    .filter((path) => rules.length > 0 && isWanted(path))
    .map((path) => ({ ...values, path: pathParameters(path) }));
  const globs = fieldsIn(given.files).map(({ path }) => String(path));
  const found = files.paths
    .filter((path) => isManifest(path) && globs.some((glob) => matchesPath(glob, path)))
    .flatMap((path) => {
      const documents = documentsIn(files.read(path) ?? '');
      if (!documents) problem(`${path} is no YAML.`);
      const all = (documents ?? []).flatMap((one) => (Array.isArray(one) ? one : [one]));
      const folder = path.split('/').slice(0, -1).join('/');
      const place = { ...pathParameters(folder), filename: path.split('/').at(-1) };
      return all.filter(isFields).map((one) => ({ ...values, ...one, path: place }));
    });
  if (folders.length + found.length === 0)
    problem('Its git generator finds nothing in this folder.');
  return [...folders, ...found];
}

function pathParameters(path: string): Parameters {
  const segments = path.split('/');
  const basename = segments.at(-1) ?? '';
  const basenameNormalized = basename.toLowerCase().replace(/[^a-z0-9.-]/g, '-');
  return { path, basename, basenameNormalized, segments };
}

/** Each of the first with each of the second, which may speak of the first. */
function matrix(children: readonly unknown[], expansion: Expansion, depth: number) {
  const [first, second, ...more] = children;
  if (more.length > 0) expansion.problem('A matrix of more than two generators is not supported.');
  const all: Parameters[] = [];
  for (const outer of parametersOf(first, expansion, depth + 1)) {
    const { value } = fill(second, outer, expansion.isGo);
    for (const inner of parametersOf(value, expansion, depth + 1)) {
      if (all.length > PARAMETERS_MAX) return all;
      all.push(combined(outer, inner));
    }
  }
  return all;
}

/** The first one makes them, the others change those with the same keys. */
function merge(
  [first, ...others]: readonly unknown[],
  keys: readonly string[],
  expansion: Expansion,
  depth: number,
): readonly Parameters[] {
  const keyOf = (parameters: Parameters) => JSON.stringify(keys.map((key) => parameters[key]));
  const merged = new Map(
    parametersOf(first, expansion, depth + 1).map((one) => [keyOf(one), one] as const),
  );
  for (const other of others.flatMap((one) => parametersOf(one, expansion, depth + 1))) {
    const base = merged.get(keyOf(other));
    if (base) merged.set(keyOf(other), combined(base, other));
  }
  return [...merged.values()];
}

function combined(one: Parameters, other: Parameters): Parameters {
  const values =
    isFields(one.values) && isFields(other.values)
      ? { values: { ...one.values, ...other.values } }
      : {};
  return { ...one, ...other, ...values };
}
