// The platform as the rest of the program uses it: every default filled in, every reference parsed.
import { type Diagnostic, TiphysError, together } from '../errors.ts';
import { contextsOf } from './destinations.ts';
import { type EnvironmentFile, environmentFile, isEnvironment } from './environment-file.ts';
import { type Dependency, dependencyName } from './fields.ts';
import { type Generated, generatedOf, isGenerated, nameOrPattern } from './generator-keys.ts';
import { parseReference, type Reference } from './names.ts';
import { type PlatformFile, platformFile, type StackEntry } from './platform-file.ts';
import { locate } from './positions.ts';
import { type Absent, presentIn, withoutEnvironment } from './present.ts';
import { referenceProblems } from './references.ts';
import { salvage } from './salvage.ts';
import {
  ARGOCD_NAMESPACE,
  ARGOCD_PROJECT,
  CONCURRENCY,
  classesOf,
  PROBES_NAMESPACE,
  RUN_TIMEOUT,
  resolveSettings,
  type Settings,
  WORKFLOWS_NAMESPACE,
} from './settings.ts';
import type { Source } from './source.ts';
import { containersOf } from './stack-tree.ts';
import { checkFile, parseFile } from './validate.ts';

/** The location of an Argo CD Application. */
export interface ApplicationAddress {
  readonly name: string;
  readonly namespace: string;
  readonly project: string;
}

export interface Application {
  readonly name: string;
  /** For a generated member, the name is the pattern in the hold that covers its Applications. */
  readonly address: ApplicationAddress;
  readonly generated?: Generated | undefined;
  readonly dependsOn: readonly Reference[];
  readonly settings: Settings;
}

export interface Stack {
  readonly name: string;
  /** The stack that contains it. */
  readonly parent: string | undefined;
  /** The stack's own Application, if it has one. */
  readonly address: ApplicationAddress | undefined;
  readonly dependsOn: readonly Reference[];
  readonly settings: Settings;
  readonly applications: readonly Application[];
}

export interface Platform {
  readonly name: string;
  /** The namespace of Argo CD. */
  readonly argocdNamespace: string;
  /** The namespace in which Argo Workflows runs the Workflows. */
  readonly workflowsNamespace: string;
  /** The root Application, if there is one. */
  readonly address: ApplicationAddress | undefined;
  readonly settings: Settings;
  readonly runTimeout: number;
  readonly requestTimeout: number | undefined;
  /** The root path of argocd-server; undefined: none. */
  readonly argocdRootPath: string | undefined;
  /** The proxy for a given Argo CD address; undefined: none. */
  readonly argocdProxy: string | undefined;
  /** The namespace and image of probes; undefined image: the one of this version. */
  readonly probes: { readonly namespace: string; readonly image: string | undefined };
  readonly concurrency: number;
  /** Kinds that need no health check, according to the file. */
  readonly acceptedKinds: readonly { readonly kind: string; readonly reason: string }[];
  /** Kubeconfig contexts, by the destination server or name that Applications use. */
  readonly contexts: ReadonlyMap<string, string>;
  /** In file order. */
  readonly stacks: readonly Stack[];
  /** The name of the environment, if there is an environment file. */
  readonly environment: string | undefined;
  /** The cluster's name according to the environment file. */
  readonly clusterName: string | undefined;
  /** Parts of the file that the environment does not have. */
  readonly absent: readonly Absent[];
}

/** Reads the files into a platform, or throws one error with all problems of both files. */
export function parsePlatform(source: Source, environmentSource?: Source): Platform {
  const [file, environment] = together(
    () => parsePlatformFile(source, environmentSource !== undefined),
    () => environmentSource && parseFile(environmentSource, environmentFile),
  );
  const present = environment
    ? presentIn(file, environment.name)
    : { file, absent: [], problems: [] };
  if (present.problems.length > 0) throw new TiphysError(locate(source, present.problems));
  return { ...buildPlatform(present.file, environment), absent: present.absent };
}

function parsePlatformFile(source: Source, hasEnvironment: boolean): PlatformFile {
  const { data, value, problems } = checkFile(source, platformFile);
  if (isEnvironment(value)) throw new TiphysError([environmentAsPlatform(source)]);
  const file = data ?? salvage(value);
  const all = [
    ...problems,
    ...referenceProblems(file, classesOf(file)),
    ...(hasEnvironment ? [] : withoutEnvironment(file)),
  ];
  if (all.length > 0) throw new TiphysError(locate(source, all));
  return file;
}

/** Its keys are all unknown here, which would be an error each. */
function environmentAsPlatform({ file }: Source): Diagnostic {
  const message = 'This is an environment file, not a platform file.';
  const hint = 'Pass it with -e, and the platform file with -f.';
  return { code: 'key-missing', message, hint, file, line: 1, column: 1 };
}

const referencesOf = (written: readonly Dependency[] = []): Reference[] =>
  written.map((one) => parseReference(dependencyName(one)));

function buildPlatform(
  file: PlatformFile,
  environment: EnvironmentFile | undefined,
): Omit<Platform, 'absent'> {
  const { spec } = file;
  const classes = classesOf(file);
  const containers = containersOf(spec.stacks);
  const settings = (stack?: StackEntry, application?: StackEntry['applications'][number]) => {
    const around = stack && containers(stack);
    return resolveSettings({ application, classes, stack, around, file, environment });
  };
  const address = (name: string, ...levels: (PlatformFile['spec']['argocd'] | undefined)[]) => {
    const nearest = [...levels, spec.argocd, { namespace: environment?.argocdNamespace }];
    return {
      name,
      namespace: nearest.find((level) => level?.namespace)?.namespace ?? ARGOCD_NAMESPACE,
      project: nearest.find((level) => level?.project)?.project ?? ARGOCD_PROJECT,
    };
  };
  return {
    name: file.metadata.name,
    argocdNamespace: address('').namespace,
    workflowsNamespace: environment?.workflowsNamespace ?? WORKFLOWS_NAMESPACE,
    address: spec.root === undefined ? undefined : address(spec.root),
    settings: settings(),
    runTimeout: spec.timeouts?.run ?? RUN_TIMEOUT,
    requestTimeout: environment?.timeouts?.request,
    argocdRootPath: environment?.argocdRootPath,
    argocdProxy: environment?.argocdProxy,
    probes: {
      namespace: environment?.probes?.namespace ?? PROBES_NAMESPACE,
      image: environment?.probes?.image,
    },
    concurrency: spec.concurrency ?? CONCURRENCY,
    acceptedKinds: spec.health?.accepted ?? [],
    environment: environment?.name,
    clusterName: environment?.clusterName,
    contexts: contextsOf(environment?.destinations),
    stacks: spec.stacks.map((stack) => {
      const levels = [stack, ...containers(stack)].map(({ argocd }) => argocd);
      const own = stack.application;
      return {
        name: stack.name,
        parent: stack.parent,
        address: own === undefined ? undefined : address(own, ...levels),
        dependsOn: referencesOf(stack.dependsOn),
        settings: settings(stack),
        applications: stack.applications.map((application) => ({
          name: application.name,
          address: address(nameOrPattern(application), application.argocd, ...levels),
          ...(isGenerated(application) && { generated: generatedOf(application) }),
          dependsOn: referencesOf(application.dependsOn),
          settings: settings(stack, application),
        })),
      };
    }),
  };
}
