// The live objects of an Application, as far as they tell what becomes of them when it is deleted.
import { z } from 'zod';
import { parseJson } from '../../model/parse-json.ts';
import type { ManagedObject } from '../../ports/application-view.ts';
import { TRACKING_ID } from '../../ports/tracking.ts';
import { managedResources } from './live.ts';
import { fields, list, optional } from './schema.ts';

const { text, texts } = fields;

const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';
const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';
const SECRET_TYPE = 'argocd.argoproj.io/secret-type';
const HELM_POLICY = 'helm.sh/resource-policy';

/** What else an object has, it may have in any form. Secrets come with their values masked, and none are taken. */
const spec = z.object({
  type: text.catch(''),
  group: text.catch(''),
  names: optional(z.object({ kind: text })).catch(undefined),
  volumeClaimTemplates: list(z.object({ metadata: z.object({ name: text }) })).catch([]),
  persistentVolumeClaimRetentionPolicy: optional(z.object({ whenDeleted: text })).catch(undefined),
});

const liveObject = z.object({
  metadata: z.object({
    uid: text,
    annotations: texts,
    labels: texts,
    finalizers: list(z.string()),
    deletionTimestamp: optional(z.string()),
    ownerReferences: list(z.object({ kind: text, name: text })),
  }),
  spec: optional(spec).catch(undefined),
});

/** Those that exist. Throws zod's error, or JSON's, where it is not what Argo CD answers. */
export function managedObjects(given: unknown): readonly ManagedObject[] {
  return managedResources.parse(given).items.flatMap((item) => {
    const state: unknown = item.liveState === '' ? null : parseJson(item.liveState);
    return state === null ? [] : [managedObject(item, liveObject.parse(state))];
  });
}

function managedObject(
  { group, kind, namespace, name }: z.output<typeof managedResources>['items'][number],
  { metadata, spec: has }: z.output<typeof liveObject>,
): ManagedObject {
  const { annotations, labels, finalizers, ownerReferences } = metadata;
  const [owner] = ownerReferences;
  const isCore = (wanted: string) => group === '' && kind === wanted;
  const isSet = group === 'apps' && kind === 'StatefulSet';
  const isDefinition = group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition';
  return {
    ...{ group, kind, namespace, name, uid: metadata.uid, finalizers },
    deleting: metadata.deletionTimestamp !== undefined,
    tracker: annotations.get(TRACKING_ID)?.split(':')[0],
    owner: owner && `${owner.kind} ${owner.name}`,
    syncOptions: words(annotations.get(SYNC_OPTIONS)),
    keptByHelm: words(annotations.get(HELM_POLICY)).includes('keep'),
    wave: Number.parseInt(annotations.get(SYNC_WAVE) ?? '', 10) || 0,
    isLoadBalancer: isCore('Service') && has?.type === 'LoadBalancer',
    registersCluster: isCore('Secret') && labels.get(SECRET_TYPE) === 'cluster',
    claimTemplates: isSet ? (has?.volumeClaimTemplates ?? []).map((one) => one.metadata.name) : [],
    deletesClaims: isSet && has?.persistentVolumeClaimRetentionPolicy?.whenDeleted === 'Delete',
    defines: isDefinition && has?.names ? { group: has.group, kind: has.names.kind } : undefined,
  };
}

function words(text_: string | undefined): readonly string[] {
  return (text_ ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
