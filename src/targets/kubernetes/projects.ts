// AppProjects, read and written in Kubernetes: they are the configuration of Argo CD, which sees a change at once. A write changes sync
// windows and annotations and nothing else, and fails if there was another write meanwhile.
import { z } from 'zod';
import { TiphysError } from '../../errors.ts';
import { quote } from '../../model/names.ts';
import type {
  ProjectChange,
  Projects,
  ProjectView,
  ProjectWindow,
} from '../../ports/app-projects.ts';
import { trackedBy } from '../../ports/tracking.ts';
import { fields, list, optional } from '../application/schema.ts';
import type { KubernetesApi } from './api.ts';
import { paths, withQuery } from './paths.ts';

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

/** Who writes, as managedFields names them. */
const FIELD_MANAGER = 'tiphys';

export function kubernetesProjects(api: KubernetesApi, namespace: string): Projects {
  return {
    get: async (name) => {
      const given = await api.get(paths.appProjects(namespace, name));
      return given === undefined ? undefined : projectView(given, `${namespace}/${name}`);
    },
    update: (project, change) => {
      const path = paths.appProjects(namespace, project.name);
      const query = { fieldManager: FIELD_MANAGER };
      return api.write('PATCH', withQuery(path, query), mergePatch(project, change));
    },
  };
}

/** `name`: NAMESPACE/NAME, as it was asked for. */
function projectView(given: unknown, name: string): ProjectView {
  const result = appProject.safeParse(given);
  if (!result.success) throw malformed(name, result.error);
  const { metadata, spec } = result.data;
  const raw = given as { readonly spec: { readonly syncWindows?: readonly unknown[] | null } };
  const rawWindows = raw.spec.syncWindows ?? [];
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
  };
}

/** Names the field, such as `spec.syncWindows[1].kind`: a person has to correct it. */
function malformed(name: string, cause: z.ZodError): TiphysError {
  const [issue] = cause.issues;
  const field = (issue?.path ?? [])
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .slice(1);
  const [namespace, project] = name.split('/');
  const message = `The AppProject ${quote(name)} is malformed at ${field || 'its root'}: ${issue?.message}.`;
  const hint = `Correct that field: kubectl --namespace ${namespace} edit appproject ${project}`;
  return new TiphysError([{ code: 'cluster-answer-invalid', message, hint }], { cause });
}

type ManagedFields = z.output<typeof appProject>['metadata']['managedFields'][number];

/** A hold is an update, of any client: who applies has the windows in a manifest. */
function appliesWindows({ operation, fieldsV1 }: ManagedFields): boolean {
  const spec = fieldsV1?.['f:spec'];
  return (
    operation === 'Apply' && typeof spec === 'object' && spec !== null && 'f:syncWindows' in spec
  );
}

/**
 * Only what changes, and the version that it was read at: Kubernetes answers 409 if there was another write since. A failed `test` of a
 * JSON patch would be a 422, like everything else that is wrong with a patch.
 */
function mergePatch(
  { resourceVersion }: ProjectView,
  { windows, annotations }: ProjectChange,
): unknown {
  const changed = [...annotations].map(([key, value]) => [key, value ?? null]);
  return {
    metadata: { resourceVersion, annotations: Object.fromEntries(changed) },
    spec: { syncWindows: windows.length === 0 ? null : windows.map(rawWindow) },
  };
}

function rawWindow({ given, ...window }: ProjectWindow): unknown {
  return given ?? window;
}
