// AppProjects through argocd-server. An update sends the project back as it was read, with other windows and annotations
// and its resourceVersion, so that it fails if anybody wrote meanwhile.
import { z } from 'zod';
import { TiphysError } from '../../errors.ts';
import type { Projects, ProjectView, ProjectWindow } from '../../ports/app-projects.ts';
import { fields, list, optional } from '../application/schema.ts';
import { trackedBy } from '../application/tracking.ts';
import type { ArgocdApi } from './api.ts';

const window = z.looseObject({
  kind: z.enum(['allow', 'deny']),
  schedule: fields.text,
  duration: fields.text,
  applications: list(z.string()),
  manualSync: fields.flag,
});

export const appProject = z.object({
  metadata: z.object({
    name: z.string(),
    namespace: fields.text,
    resourceVersion: z.string(),
    annotations: fields.texts,
    labels: fields.texts,
    managedFields: list(
      z.object({
        manager: fields.text,
        operation: fields.text,
        fieldsV1: optional(z.record(z.string(), z.unknown())),
      }),
    ),
  }),
  spec: z.object({ syncWindows: list(window) }),
});

/** Kept with the view, for the update. */
interface ReadProject extends ProjectView {
  readonly given: Given;
}

type Json = Readonly<Record<string, unknown>>;
interface Given extends Json {
  readonly metadata: Json;
  readonly spec: Json;
}

export function argocdProjects(api: ArgocdApi): Projects {
  const question = (name: string, verb: string) => ({
    path: `/projects/${encodeURIComponent(name)}`,
    what: `the AppProject "${name}"`,
    right: { resource: 'projects', verb, object: name },
  });
  return {
    get: (name) => api.read(question(name, 'get'), projectView),
    update: (project, { windows, annotations }, long) => {
      const { given } = project as Partial<ReadProject>;
      if (!given) throw new TiphysError([{ code: 'bug', message: 'A project that was not read.' }]);
      const body = { project: changed(given, windows, annotations) };
      return api.write({ ...question(project.name, 'update'), method: 'PUT', body, long });
    },
  };
}

export function projectView(given: unknown): ReadProject {
  const { metadata, spec } = appProject.parse(given);
  const raw = given as Given;
  const rawWindows = (raw.spec.syncWindows ?? []) as readonly unknown[];
  return {
    name: metadata.name,
    resourceVersion: metadata.resourceVersion,
    annotations: metadata.annotations,
    windows: spec.syncWindows.map(({ kind, schedule, duration, applications, manualSync }, at) => ({
      ...{ kind, schedule, duration, applications, manualSync },
      given: rawWindows[at],
    })),
    trackedBy: trackedBy('AppProject', metadata),
    windowsAppliedBy: metadata.managedFields.find(appliesWindows)?.manager,
    given: raw,
  };
}

type ManagedFields = z.output<typeof appProject>['metadata']['managedFields'][number];

/** Writes through argocd-server are updates: who applies has the windows in a manifest. */
function appliesWindows({ operation, fieldsV1 }: ManagedFields): boolean {
  const spec = fieldsV1?.['f:spec'];
  return (
    operation === 'Apply' && typeof spec === 'object' && spec !== null && 'f:syncWindows' in spec
  );
}

function changed(
  given: Given,
  windows: readonly ProjectWindow[],
  annotations: ReadonlyMap<string, string | undefined>,
): Given {
  const { syncWindows: _, ...spec } = given.spec;
  const { annotations: before, ...metadata } = given.metadata;
  const all = { ...(before ?? {}), ...Object.fromEntries(annotations) };
  // JSON leaves out what is undefined.
  const kept = Object.values(all).some((value) => value !== undefined) ? { annotations: all } : {};
  return {
    ...given,
    metadata: { ...metadata, ...kept },
    spec: windows.length === 0 ? spec : { ...spec, syncWindows: windows.map(rawWindow) },
  };
}

function rawWindow({ given, ...window }: ProjectWindow): unknown {
  return given ?? window;
}
