// What is no evidence, although it looks like some that is.
import { describe, expect, it } from 'vitest';
import { applicationMaterial, platformMaterial } from '../../test/fakes/import.ts';
import { definition, object } from '../../test/fakes/import-objects.ts';
import type { ApplicationMaterial } from './material.ts';
import { propose } from './propose.ts';

const lamp = object('light.example/v1', 'Lamp', 'desk');
const run = (applications: readonly ApplicationMaterial[]) =>
  propose(platformMaterial(applications), { platform: 'p' });
const written = (applications: readonly ApplicationMaterial[]) =>
  run(applications)
    .edges.filter(({ status }) => status === 'written')
    .map(({ dependent, dependency }) => `${dependent}>${dependency}`);

describe('a webhook', () => {
  const rule = { apiGroups: ['light.example'], operations: ['CREATE'], resources: ['lamps'] };
  const guard = (more: object) =>
    applicationMaterial('guard', [
      object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'w', {
        webhooks: [{ rules: [{ ...rule, ...more }] }],
      }),
    ]);
  const needed = (more: object) => written([applicationMaterial('user', [lamp]), guard(more)]);

  it('counts for the kinds that it is asked about when they are created', () => {
    expect(needed({})).toEqual(['user>guard']);
    expect(needed({ resources: ['*/*'], operations: ['*'] })).toEqual(['user>guard']);
    expect(needed({ resources: ['shades', 'lamps/status'] })).toEqual([]);
    expect(needed({ operations: ['UPDATE', 'DELETE'] })).toEqual([]);
  });
});

describe('a namespace that an object names', () => {
  const makes = (namespace: string) =>
    applicationMaterial('base', [object('v1', 'Namespace', namespace)]);
  const needs = (apiVersion: string, kind: string, namespace = 'other') => {
    const one = object(apiVersion, kind, 'x', { metadata: { namespace } });
    return run([applicationMaterial('web', [one]), makes(namespace)]).edges.length > 0;
  };

  it('counts for kinds that live in one', () => {
    expect(needs('v1', 'ConfigMap')).toBe(true);
    expect(needs('postgresql.cnpg.io/v1', 'Cluster')).toBe(true);
    expect(needs('operators.coreos.com/v1alpha1', 'ClusterServiceVersion')).toBe(true);
    expect(needs('rbac.authorization.k8s.io/v1', 'ClusterRole')).toBe(false);
    expect(needs('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration')).toBe(false);
    expect(needs('snapshot.storage.k8s.io/v1', 'VolumeSnapshotClass')).toBe(false);
  });

  it('is there before anything else, where it is one of OpenShift itself', () => {
    expect(needs('v1', 'ConfigMap', 'openshift-monitoring')).toBe(false);
    expect(needs('v1', 'ConfigMap', 'openshift-logging')).toBe(true);
  });
});

describe('a resource that a field names', () => {
  const reported = (dependent: Record<string, unknown>, provider: ReturnType<typeof object>) =>
    run([
      applicationMaterial('base', [provider]),
      applicationMaterial('web', [object('s3.light.example/v1', 'Lamp', 'desk', dependent)]),
    ]).edges.flatMap(({ evidence }) => evidence.map(({ kind }) => kind));
  const spec = (reference: object) => ({ spec: { shadeRef: { name: 'green', ...reference } } });
  const shade = (group: string, metadata: object = {}) =>
    object(`${group}/v1`, 'Shade', 'green', { metadata });

  it('is in the group that the field says', () => {
    const said = spec({ apiVersion: 'light.example/v1', namespace: 'base' });
    expect(reported(said, shade('light.example'))).toEqual(['named-resource']);
    expect(reported(said, shade('dark.example'))).toEqual([]);
  });

  it('is not another one of the same name in another namespace', () => {
    const there = shade('light.example', { namespace: 'base' });
    expect(reported(spec({ namespace: 'base' }), there)).toEqual(['named-resource']);
    expect(reported(spec({}), there)).toEqual([]);
    expect(reported(spec({}), shade('light.example'))).toEqual([]);
  });

  it('is the configuration of its own Provider', () => {
    const uses = { spec: { providerConfigRef: { name: 'default' } } };
    const of = (group: string) => object(`${group}/v1`, 'ProviderConfig', 'default');
    expect(reported(uses, of('light.example'))).toEqual(['named-resource']);
    expect(reported(uses, of('dark.example'))).toEqual([]);
  });
});

describe('a Certificate', () => {
  it('calls none of the names that it is for', () => {
    const names = object('cert-manager.io/v1', 'Certificate', 'c', {
      spec: { dnsNames: ['api.base.svc', 'api.base.svc.cluster.local'] },
    });
    const base = applicationMaterial('base', [object('v1', 'Service', 'api')]);
    expect(run([applicationMaterial('web', [names]), base]).edges).toEqual([]);
  });
});

describe('kinds of OpenShift itself', () => {
  it('are not asked for', () => {
    const route = object('route.openshift.io/v1', 'Route', 'web');
    expect(run([applicationMaterial('web', [route])]).unresolved).toEqual([]);
  });
});

describe('a chart that was not rendered', () => {
  const needs = (name: string, more: Partial<ApplicationMaterial>) =>
    run([
      applicationMaterial('web', [], { content: 'unknown', charts: [{ name }], ...more }),
      applicationMaterial('base', [
        definition('postgresql.cnpg.io', 'Cluster'),
        definition('cert-manager.io', 'Certificate'),
      ]),
    ]).edges.length > 0;
  const from = (name: string, repository: string) =>
    needs(name, { charts: [{ name, repository }] });

  it('counts by its name alone only where no other chart has that name', () => {
    expect(needs('flink-kubernetes-operator', {})).toBe(true);
    expect(from('cluster', 'https://cloudnative-pg.github.io/charts')).toBe(true);
    expect(from('cluster', 'https://charts.example')).toBe(false);
    expect(needs('cluster', {})).toBe(false);
  });

  it('uses nothing that its values leave out', () => {
    const flink = (values: object) => needs('flink-kubernetes-operator', { values: [values] });
    expect(flink({ webhook: { create: true } })).toBe(true);
    expect(flink({ webhook: { create: false } })).toBe(false);
    expect(flink({ flink: { webhook: { create: 'false' } } })).toBe(false);
    expect(flink({ other: { create: false } })).toBe(true);
    const trust = (enabled: boolean) =>
      needs('trust-manager', {
        values: [{ app: { webhook: { tls: { helmCert: { enabled } } } } }],
      });
    expect([trust(false), trust(true)]).toEqual([true, false]);
  });
});
