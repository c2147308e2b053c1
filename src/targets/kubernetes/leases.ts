// Leases of the Argo CD namespace.
import { z } from 'zod';
import type { Leases, LeaseView } from '../../ports/lease-store.ts';
import { fields, optional } from '../application/schema.ts';
import type { KubernetesApi } from './api.ts';
import { parsedIfAny } from './errors.ts';
import { paths } from './paths.ts';

const lease = z
  .object({
    metadata: z.object({
      name: z.string(),
      resourceVersion: z.string(),
      annotations: fields.texts,
    }),
    spec: optional(
      z.object({
        holderIdentity: fields.text,
        leaseDurationSeconds: optional(z.number()),
        renewTime: fields.text,
        leaseTransitions: optional(z.number()),
      }),
    ),
  })
  .transform(
    ({ metadata, spec }): LeaseView => ({
      ...metadata,
      holder: spec?.holderIdentity ?? '',
      durationSeconds: spec?.leaseDurationSeconds ?? 0,
      renewTime: spec?.renewTime ?? '',
      transitions: spec?.leaseTransitions ?? 0,
    }),
  );

export function kubernetesLeases(api: KubernetesApi, namespace: string): Leases {
  return {
    get: async (name) =>
      parsedIfAny(lease, await api.get(paths.leases(namespace, name)), 'not a Lease'),
    create: (view) => api.write('POST', paths.leases(namespace), manifest(view)),
    update: (view) =>
      api.write('PUT', paths.leases(namespace, view.name), manifest(view, view.resourceVersion)),
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
