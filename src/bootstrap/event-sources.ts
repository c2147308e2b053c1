// The sources of events: webhooks, and watched objects.
import type { EnvironmentFile } from '../model/environment-file.ts';
import { ARGO, type Identity, type Manifest, manifest } from './manifest.ts';

export type Events = NonNullable<EnvironmentFile['events']>;

/** The same as in bootstrap/inventory/group_vars/all.yml. */
export const EVENTS_NAMESPACE = 'argo-events';
/**
 * The Secret with the keys of the webhooks, which the role creates: the key that signs pushes cannot authorize calls, and the other way
 * round.
 */
const SECRETS = {
  push: { name: 'tiphys-webhook', key: 'secret' },
  call: { name: 'tiphys-webhook', key: 'token' },
} as const;

export const HOOKS: Identity = [ARGO, 'EventSource', 'tiphys-hooks'];
export const SERVICE: Identity = ['v1', 'Service', 'tiphys-hooks'];
export const WATCH: Identity = [ARGO, 'EventSource', 'tiphys-watch'];

export const hasHooks = ({ push, call }: Events): boolean => Boolean(push || call);
export const hasWatch = ({ schedule, degraded }: Events): boolean => Boolean(schedule || degraded);

/** Sources of different kinds cannot share a port. */
const ADDRESSES = {
  push: { path: '/push', port: 12_000 },
  call: { path: '/run', port: 12_001 },
} as const;

/** The webhooks that are enabled. */
export const addressesOf = (events: Events) =>
  (['push', 'call'] as const)
    .filter((name) => events[name])
    .map((name) => ({ name, ...ADDRESSES[name] }));

/** For each pod that Argo Events creates for us. */
export const podOf = (serviceAccountName: string): Manifest => ({
  serviceAccountName,
  securityContext: {
    ...{ runAsNonRoot: true, runAsUser: 9731, runAsGroup: 9731 },
    seccompProfile: { type: 'RuntimeDefault' },
  },
  container: {
    resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '256Mi' } },
    securityContext: {
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
      capabilities: { drop: ['ALL'] },
    },
  },
});

/** The webhooks: each has its own secret and its own authentication. */
export function hooksOf({ push, call }: Events): Manifest {
  const at = ({ path, port }: { path: string; port: number }) => ({
    ...{ endpoint: path, port: String(port), method: 'POST' },
  });
  return manifest(HOOKS, EVENTS_NAMESPACE, {
    spec: {
      template: podOf('tiphys-hooks'),
      // Signed the way GitHub does it. The field for a repository is mandatory, but only used to register the hook there.
      ...(push && {
        github: {
          push: {
            repositories: [{ owner: 'any', names: ['any'] }],
            ...{ webhook: at(ADDRESSES.push), webhookSecret: SECRETS.push },
            ...{ events: ['push'], contentType: 'json', active: true },
          },
        },
      }),
      ...(call && { webhook: { call: { ...at(ADDRESSES.call), authSecret: SECRETS.call } } }),
    },
  });
}

export const serviceOf = (events: Events): Manifest =>
  manifest(SERVICE, EVENTS_NAMESPACE, {
    spec: {
      selector: { 'eventsource-name': HOOKS[2] },
      ports: addressesOf(events).map(({ name, port }) => ({ name, port })),
    },
  });

/** The watched objects. An event has the whole Application twice, so only Degraded ones become an event. */
export function watchOf({ schedule, degraded }: Events, argocdNamespace: string): Manifest {
  return manifest(WATCH, EVENTS_NAMESPACE, {
    spec: {
      template: podOf('tiphys-watch'),
      ...(schedule && { calendar: { schedule: { schedule } } }),
      ...(degraded && {
        resource: {
          degraded: {
            ...{ group: 'argoproj.io', version: 'v1alpha1', resource: 'applications' },
            ...{ namespace: argocdNamespace, eventTypes: ['UPDATE'] },
            filter: {
              fields: [{ key: 'status.health.status', operation: '==', value: '^Degraded$' }],
            },
          },
        },
      }),
    },
  });
}
