// Applications and ApplicationSets, read straight from Kubernetes.
import { z } from 'zod';
import type { ApplicationView, UnreadableApplication } from '../../ports/application-view.ts';
import type { ApplicationSetView } from '../../ports/target.ts';
import { trackedBy } from '../../ports/tracking.ts';
import type { WriteResult } from '../../ports/write-result.ts';
import { fields, optional } from '../application/schema.ts';
import { applicationView } from '../application/view.ts';
import type { KubernetesApi } from './api.ts';
import { listAll } from './list.ts';
import { escaped, paths } from './paths.ts';
import { unknownKind } from './watch.ts';

/** One that is malformed is left out: it may belong to any platform. `unreadable` is told of it. */
export async function listApplications(
  api: KubernetesApi,
  namespaces: readonly string[],
  unreadable: (application: UnreadableApplication) => void = () => {},
): Promise<readonly ApplicationView[]> {
  const lists = [...new Set(namespaces)].map(async (namespace) => {
    const { resourceVersion, items } = await listAll(api, paths.applications(namespace));
    if (resourceVersion === undefined) throw unknownKind();
    return items.flatMap((item) => viewOrNothing(item, unreadable));
  });
  return (await Promise.all(lists)).flat();
}

function viewOrNothing(
  item: unknown,
  unreadable: (application: UnreadableApplication) => void,
): readonly ApplicationView[] {
  try {
    return [applicationView(item)];
  } catch (error) {
    const { data } = named.safeParse(item);
    if (data) unreadable({ ...data.metadata, why: reasonIn(error) });
    return [];
  }
}

/** Kubernetes has none without a name. */
const named = z.object({ metadata: z.object({ name: z.string(), namespace: fields.text }) });

function reasonIn(error: unknown): string {
  const [first] = error instanceof z.ZodError ? error.issues : [];
  return first ? `${first.path.join('.')}: ${first.message}` : 'it has no known form';
}

export const applicationSet = z.object({
  metadata: z.object({
    name: z.string(),
    namespace: fields.text,
    uid: fields.text,
    deletionTimestamp: optional(z.string()),
    annotations: fields.texts,
    labels: fields.texts,
  }),
  spec: optional(z.object({ strategy: optional(z.object({ type: fields.text })) })),
  status: optional(
    z.object({
      conditions: optional(z.array(z.object({ type: fields.text, status: fields.text }))),
    }),
  ),
});

const UP_TO_DATE = 'ResourcesUpToDate';

/** One that is malformed is left out, too. */
export async function listApplicationSets(
  api: KubernetesApi,
  namespaces: readonly string[],
): Promise<readonly ApplicationSetView[]> {
  const lists = [...new Set(namespaces)].map(async (namespace) => {
    const { items } = await listAll(api, paths.applicationSets(namespace));
    return items.flatMap((item) => {
      const { data } = applicationSet.safeParse(item);
      return data ? [setView(data)] : [];
    });
  });
  return (await Promise.all(lists)).flat();
}

function setView({ metadata, spec, status }: z.infer<typeof applicationSet>): ApplicationSetView {
  return {
    name: metadata.name,
    namespace: metadata.namespace,
    uid: metadata.uid,
    deleting: metadata.deletionTimestamp !== undefined,
    rollingSync: spec?.strategy?.type === 'RollingSync',
    trackedBy: trackedBy('ApplicationSet', metadata),
    upToDate:
      status?.conditions?.some((one) => one.type === UP_TO_DATE && one.status === 'True') ?? false,
  };
}

export function orphanApplicationSet(
  api: KubernetesApi,
  { namespace, name, uid }: Pick<ApplicationSetView, 'name' | 'namespace' | 'uid'>,
): Promise<WriteResult> {
  const options = { propagationPolicy: 'Orphan', preconditions: { uid } };
  return api.write('DELETE', `${paths.applicationSets(namespace)}/${escaped(name)}`, options);
}
