// What must hold of the reference platform's tree, as a list of what does not. Files come in as text, so that a test can
// plant a violation.
import { loadAll } from 'js-yaml';
import type { ExampleFile } from '../../../src/cli/init/example.ts';
import { HOLD_ANNOTATION, holdWindow } from '../../../src/run/hold.ts';

export interface Source {
  readonly repoURL: string;
  readonly targetRevision: string;
  readonly chart?: string;
  readonly path?: string;
}

export interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
  readonly spec: {
    readonly project?: string;
    readonly source?: Source;
    readonly sources?: readonly Source[];
    readonly destination?: { readonly namespace: string };
    readonly syncPolicy?: {
      readonly automated?: { readonly prune?: boolean; readonly selfHeal?: boolean };
      readonly syncOptions?: readonly string[];
    };
    readonly syncWindows?: readonly object[];
    readonly [key: string]: unknown;
  };
}

interface PlatformFile {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly root: string;
    readonly argocd: { readonly project: string };
    readonly stacks: readonly {
      readonly name: string;
      readonly application: string;
      readonly applications: readonly { readonly name: string }[];
    }[];
  };
}

const FINALIZER = 'resources-finalizer.argocd.argoproj.io';
const PINNED = /^v?\d+\.\d+\.\d+$/;

export function parsed<T>(files: readonly ExampleFile[], path: string): T {
  const text = files.find((file) => file.path === path)?.text;
  if (text === undefined) throw new Error(`the example has no ${path}`);
  return loadAll(text)[0] as T;
}

export const platformOf = (files: readonly ExampleFile[]) =>
  parsed<PlatformFile>(files, 'platform.yaml');

/** The path of each Application's file -> its name, as the platform file wants them. */
export function wantedApplications(files: readonly ExampleFile[]): Map<string, string> {
  const { stacks, root } = platformOf(files).spec;
  return new Map([
    ['bootstrap/root.yaml', root],
    ...stacks.flatMap(({ name, application, applications }) => [
      [`root/${name}.yaml`, application] as const,
      ...applications.map((one) => [`stacks/${name}/${one.name}.yaml`, one.name] as const),
    ]),
  ]);
}

export const sourcesOf = ({ spec }: Manifest): readonly Source[] =>
  spec.sources ?? (spec.source ? [spec.source] : []);

export function treeViolations(files: readonly ExampleFile[]): string[] {
  const wanted = wantedApplications(files);
  const own = parsed<{ gitRepository: string }>(files, 'environment.yaml').gitRepository;
  const found: string[] = files
    .filter(({ path }) => /^(root|stacks)\//.test(path) && !wanted.has(path))
    .map(({ path }) => `${path} is of no application of platform.yaml`);
  for (const [path, name] of wanted) {
    if (!files.some((file) => file.path === path)) {
      found.push(`${name} has no ${path}`);
      continue;
    }
    const rules = applicationViolations(files, path, name, own);
    found.push(...rules.map((rule) => `${path}: ${rule}`));
  }
  return [...found, ...projectViolations(files)];
}

function applicationViolations(
  files: readonly ExampleFile[],
  path: string,
  name: string,
  own: string,
): string[] {
  const manifest = parsed<Manifest>(files, path);
  const { metadata, spec } = manifest;
  const { automated, syncOptions = [] } = spec.syncPolicy ?? {};
  const isParent = !path.startsWith('stacks/');
  const sources = sourcesOf(manifest);
  const rules: [boolean, string][] = [
    [metadata.name === name && metadata.namespace === 'argocd', `it is not ${name} of argocd`],
    [spec.project === platformOf(files).spec.argocd.project, 'it is of another project'],
    [metadata.finalizers?.includes(FINALIZER) === true, 'its resources would stay when it goes'],
    [automated?.selfHeal === true, 'it does not heal itself'],
    [automated?.prune === (isParent ? undefined : true), 'only members prune'],
    [isParent || syncOptions.includes('CreateNamespace=true'), 'it does not make its namespace'],
    [metadata.annotations === undefined, 'waves and hooks order what is inside, nothing else'],
    [sources.length > 0, 'it deploys nothing'],
    [
      sources.every(({ repoURL, targetRevision }) =>
        repoURL === own ? targetRevision === 'main' : PINNED.test(targetRevision),
      ),
      'a version is not pinned',
    ],
    [
      sources.every((source) => source.repoURL !== own || hasFolder(files, source.path)),
      'its folder is not in the tree',
    ],
    [!isParent || parentPath(path, files) === sources[0]?.path, 'it makes something else'],
  ];
  return rules.filter(([holds]) => !holds).map(([, rule]) => rule);
}

const hasFolder = (files: readonly ExampleFile[], folder: string | undefined) =>
  files.some(({ path }) => path.startsWith(`${folder}/`));

/** Where the children of a parent lie. */
const parentPath = (path: string, files: readonly ExampleFile[]) =>
  path === 'bootstrap/root.yaml'
    ? 'root'
    : `stacks/${platformOf(files).spec.stacks.find(({ name }) => path === `root/${name}.yaml`)?.name}`;

/** The hold names every Application, as the first run expects it. */
function projectViolations(files: readonly ExampleFile[]): string[] {
  const { metadata, spec } = parsed<Manifest>(files, 'bootstrap/project.yaml');
  const platform = platformOf(files);
  const { given: _, ...hold } = holdWindow(wantedApplications(files).values());
  const rules: [boolean, string][] = [
    [metadata.name === platform.spec.argocd.project, 'it has another name'],
    [JSON.stringify(sorted(spec.syncWindows)) === JSON.stringify(sorted([hold])), 'no such hold'],
    [
      metadata.annotations?.[HOLD_ANNOTATION] === `${platform.metadata.name}/bootstrap`,
      'the hold is of another platform',
    ],
  ];
  return rules.filter(([holds]) => !holds).map(([, rule]) => `bootstrap/project.yaml: ${rule}`);
}

const sorted = (windows: readonly object[] = []) =>
  windows.map((window) =>
    Object.fromEntries(Object.entries(window).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
