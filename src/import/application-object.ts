// An Application as Kubernetes or a file has it -> what is known of it without looking at its content.
import { z } from 'zod';
import { withoutPasswords } from '../errors.ts';
import { flag, list, optional, orElse, text, texts } from '../model/foreign.ts';
import { OWN_NAME, remoteCluster } from '../ports/remote-cluster.ts';
import { trackedBy } from '../ports/tracking.ts';
import { applicationStatus, type RawStatus } from './application-status.ts';
import type {
  ApplicationMaterial,
  ApplicationSource,
  ChartUse,
  ListedResource,
  ReadProblem,
} from './material.ts';
import { pastDurations } from './past-durations.ts';
import { waveIn } from './sync-wave.ts';

const helm = z.object({
  releaseName: text,
  values: text,
  valuesObject: optional(z.record(z.string(), z.unknown())),
  valueFiles: list(z.string()),
  parameters: list(z.object({ name: text, value: orElse(z.coerce.string(), '') })),
});

const source = z.object({
  repoURL: text,
  path: text,
  chart: text,
  targetRevision: orElse(z.coerce.string(), ''),
  ref: text,
  helm: optional(helm),
  directory: optional(z.object({ recurse: flag, include: text, exclude: text })),
  plugin: optional(z.unknown()),
});

/** What a hydrator reads: in most versions of Argo CD it has no more than this. */
const drySource = z.object({ repoURL: text, path: text, targetRevision: text });

export type RawSource = z.output<typeof source>;

export const importedApplication = z.object({
  metadata: z.object({
    name: z.string().min(1),
    namespace: text,
    labels: texts,
    annotations: texts,
    ownerReferences: list(z.object({ kind: text, name: text })),
  }),
  spec: z.object({
    project: text,
    source: optional(source),
    sources: list(source),
    sourceHydrator: optional(z.object({ drySource })),
    destination: optional(z.object({ server: text, name: text, namespace: text })),
    syncPolicy: optional(
      z.object({
        automated: optional(z.object({ enabled: optional(z.boolean()) })),
        syncOptions: list(z.string()),
      }),
    ),
  }),
  status: optional(applicationStatus),
});

type Raw = z.output<typeof importedApplication>;

/** With what only reading needs. */
export interface ReadApplication {
  readonly material: ApplicationMaterial;
  readonly namespace: string;
  /** The Application that tracks it, as the object itself says. */
  readonly trackedBy: string | undefined;
  readonly hasHooks: boolean;
  readonly sources: readonly RawSource[];
}

/** Those that are Applications, each once, and what is wrong with the others. */
export function readApplications(items: readonly unknown[]): {
  readonly applications: readonly ReadApplication[];
  readonly unreadable: readonly ReadProblem[];
} {
  const found = new Map<string, ReadApplication>();
  const unreadable: ReadProblem[] = [];
  for (const item of items) {
    const { data, error } = importedApplication.safeParse(item);
    if (error) unreadable.push(problemOf(item, error));
    else if (found.has(data.metadata.name)) unreadable.push(second(data.metadata.name));
    else found.set(data.metadata.name, applicationOf(data));
  }
  return { applications: [...found.values()], unreadable };
}

const named = z.object({ metadata: z.object({ name: z.string() }) });

function problemOf(item: unknown, { issues: [first] }: z.ZodError): ReadProblem {
  const subject = named.safeParse(item).data?.metadata.name ?? 'an Application without a name';
  const message = `Its form is not that of an Application at ${first?.path.join('.')}: ${first?.message}. It is left out.`;
  return { subject, message };
}

const second = (subject: string): ReadProblem => ({
  subject,
  message: 'Another Application has the same name. Only one of them is read.',
});

function applicationOf(raw: Raw): ReadApplication {
  return {
    material: materialOf(raw),
    namespace: raw.metadata.namespace,
    trackedBy: trackedBy('Application', raw.metadata),
    hasHooks: hasHooks(raw.status),
    sources: sourcesOf(raw.spec),
  };
}

function materialOf({ metadata, spec, status: seen }: Raw): ApplicationMaterial {
  const set = metadata.ownerReferences.find(({ kind }) => kind === 'ApplicationSet')?.name;
  const wave = waveIn(metadata.annotations);
  const remote = remoteCluster(spec.destination);
  const sources = sourcesOf(spec);
  const resources = (seen?.resources ?? []).map(listedResource);
  const namespace = spec.destination?.namespace ?? '';
  const { automated, syncOptions = [] } = spec.syncPolicy ?? {};
  return {
    name: metadata.name,
    ...(set === undefined ? {} : { applicationSet: set }),
    project: spec.project || 'default',
    destination: { cluster: withoutPasswords(remote ?? OWN_NAME), namespace },
    isRemote: remote !== undefined,
    createsNamespace: namespace !== '' && syncOptions.includes('CreateNamespace=true'),
    automated: automated !== undefined && automated.enabled !== false,
    ...(wave === undefined ? {} : { wave }),
    labels: Object.fromEntries(metadata.labels),
    sources: sources.map(plainSource),
    charts: sources.flatMap(chartsOf),
    values: [],
    resources,
    objects: [],
    pastDurations: pastDurations(seen),
    content: resources.length > 0 ? 'listed' : 'unknown',
  };
}

/** `sources` counts, where both are there, as it does for Argo CD. */
function sourcesOf({ source: one, sources, sourceHydrator }: Raw['spec']): readonly RawSource[] {
  if (sourceHydrator) return [source.parse(sourceHydrator.drySource)];
  if (sources.length > 0) return sources;
  return one ? [one] : [];
}

function plainSource({ repoURL, path, chart, targetRevision }: RawSource): ApplicationSource {
  return {
    repoURL: withoutPasswords(repoURL),
    ...(path === '' ? {} : { path }),
    ...(chart === '' ? {} : { chart }),
    ...(targetRevision === '' ? {} : { targetRevision }),
  };
}

function chartsOf({ repoURL, chart, targetRevision }: RawSource): ChartUse[] {
  const isOci = repoURL.startsWith('oci://');
  const name = chart || (isOci ? repoURL.split('/').at(-1) : '');
  if (!name) return [];
  const repository = withoutPasswords(repoURL);
  return [{ name, repository, ...(targetRevision === '' ? {} : { version: targetRevision }) }];
}

function listedResource(raw: RawStatus['resources'][number]): ListedResource {
  const { hook: _, syncWave, ...named } = raw;
  return { ...named, ...(syncWave === undefined ? {} : { wave: syncWave }) };
}

function hasHooks(seen: RawStatus | undefined): boolean {
  const results = seen?.operationState?.syncResult?.resources ?? [];
  return (
    results.some(({ hookType }) => hookType !== '') ||
    (seen?.resources ?? []).some(({ hook }) => hook)
  );
}
