// Leases of the Argo CD namespace.
import { z } from 'zod';
import type { Leases, LeaseView } from '../../ports/lease-store.ts';
import { optional } from '../application/schema.ts';
import type { KubernetesApi } from './api.ts';
import { invalidAnswer } from './errors.ts';
import { paths } from './paths.ts';

const lease = z.object({
  metadata: z.object({
    name: z.string(),
    resourceVersion: z.string(),
    annotations: optional(z.record(z.string(), z.string())),
  }),
  spec: optional(
    z.object({
      holderIdentity: optional(z.string()),
      leaseDurationSeconds: optional(z.number()),
      renewTime: optional(z.string()),
      leaseTransitions: optional(z.number()),
    }),
  ),
});

export function kubernetesLeases(api: KubernetesApi, namespace: string): Leases {
  return {
    get: async (name) => {
      const given = await api.get(paths.leases(namespace, name));
      return given === undefined ? undefined : leaseView(given);
    },
    create: (view) => api.write('POST', paths.leases(namespace), manifest(view)),
    update: (view) =>
      api.write('PUT', paths.leases(namespace, view.name), manifest(view, view.resourceVersion)),
  };
}

function leaseView(given: unknown): LeaseView {
  const result = lease.safeParse(given);
  if (!result.success) throw invalidAnswer('not a Lease', { cause: result.error });
  const { metadata, spec } = result.data;
  return {
    name: metadata.name,
    resourceVersion: metadata.resourceVersion,
    holder: spec?.holderIdentity ?? '',
    durationSeconds: spec?.leaseDurationSeconds ?? 0,
    renewTime: spec?.renewTime ?? '',
    transitions: spec?.leaseTransitions ?? 0,
    annotations: new Map(Object.entries(metadata.annotations ?? {})),
  };
}

function manifest(view: Omit<LeaseView, 'resourceVersion'>, resourceVersion?: string): unknown {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name: view.name,
      labels: { 'app.kubernetes.io/managed-by': 'tiphys' },
      annotations: Object.fromEntries(view.annotations),
      resourceVersion,
    },
    spec: {
      holderIdentity: view.holder,
      leaseDurationSeconds: view.durationSeconds,
      renewTime: microTime(view.renewTime),
      leaseTransitions: view.transitions,
    },
  };
}

/** Kubernetes takes exactly six digits of a second here. */
function microTime(time: string): string {
  return time.replace(/(?:\.(\d+))?Z$/, (_, digits: string = '') => {
    return `.${digits.slice(0, 6).padEnd(6, '0')}Z`;
  });
}
