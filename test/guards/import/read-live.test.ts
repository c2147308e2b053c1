// A platform in the simulated cluster, as an import reads it: everything is found, nothing is written, no secret is kept.
import { expect, test } from 'vitest';
import { readFromCluster } from '../../../src/engines/import/read-from-cluster.ts';
import type { Material } from '../../../src/import/material.ts';
import type { Transport, TransportRequest } from '../../../src/targets/transport.ts';
import type { Manifest } from '../../conformance/argocd-world.ts';
import { Lab } from '../../conformance/lab.ts';
import { annotated, configMap, hook, inWave } from '../../conformance/manifests.ts';
import { rehearsalWorld } from '../../conformance/rehearsal-world.ts';

const VALUE = 'hunter';
const { signal } = new AbortController();

/** Remembers what was asked, from the moment that it is told to. */
class Recorder {
  readonly seen: TransportRequest[] = [];
  isOn = false;
  readonly through = (transport: Transport): Transport => ({
    send: (request) => {
      if (this.isOn) this.seen.push(request);
      return transport.send(request);
    },
    stream: (request) => transport.stream(request),
  });
}

const secret: Manifest = {
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'password' } },
  stringData: { password: VALUE },
  data: { password: btoa(VALUE) },
};
const definition: Manifest = {
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  metadata: { name: 'buckets.example.com' },
  spec: { group: 'example.com', names: { plural: 'buckets', kind: 'Bucket' } },
};

async function deployed(lab: Lab): Promise<void> {
  const child = lab.manifestOf('child', { folder: 'child' });
  await lab.world.commit('child', [
    inWave(3, configMap('settings')),
    secret,
    hook('PreSync', lab.world.job('wait', 0)),
  ]);
  const marked = annotated(child, { 'argocd.argoproj.io/sync-wave': '2' });
  const namespace = lab.world.argocdNamespace;
  const root = await lab.app('root', [marked], { namespace });
  await lab.synced(root);
  await lab.synced(lab.name('child'));
  await lab.refresh(root);
  await lab.refresh(lab.name('child'));
  const owner = { apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', name: 'cloud', uid: 'u' };
  const metadata = { ...definition.metadata, ownerReferences: [owner] };
  await lab.apply({ ...definition, metadata });
  await lab.apply({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: lab.inArgocd('argocd-cm') },
    data: { 'resource.customizations.health.argoproj.io_Application': 'return {}' },
  });
}

async function read(): Promise<{ material: Material; seen: readonly TransportRequest[] }> {
  const recorder = new Recorder();
  const { world, until } = await rehearsalWorld(1, '3.2', recorder.through);
  const lab = new Lab(world);
  await until(deployed(lab));
  recorder.isOn = true;
  const material = await until(readFromCluster(world.target, { signal }));
  return { material, seen: recorder.seen };
}

test('parents, waves, objects, hooks, definitions and settings of a live platform', async () => {
  const { material, seen } = await read();
  expect(material.problems).toEqual([]);
  const [child, root] = material.applications;
  expect(child).toMatchObject({
    ...{ name: 'case-child', parent: 'case-root', wave: 2, project: 'case', content: 'manifests' },
    ...{ isRemote: false, destination: { cluster: 'in-cluster', namespace: 'case' } },
  });
  expect(child?.objects.map(({ kind, metadata }) => `${kind} ${metadata?.name}`)).toEqual([
    'ConfigMap settings',
    'Secret password',
    'Job wait',
  ]);
  expect(root).toMatchObject({ name: 'case-root', content: 'manifests' });
  expect(root).not.toHaveProperty('parent');
  expect(root?.objects.map(({ kind, metadata }) => `${kind} ${metadata?.name}`)).toEqual([
    'Application case-child',
  ]);
  expect(material).toMatchObject({
    ...{ argocdNamespace: 'argocd', wavesWaitForHealth: true },
    definedKinds: [
      { group: 'example.com', kind: 'Bucket', madeBy: 'pkg.crossplane.io/Provider/cloud' },
    ],
  });
  const text = JSON.stringify(material);
  expect(text).toContain('"kind":"Secret"');
  expect(text).not.toContain(VALUE);
  expect(text).not.toContain(btoa(VALUE));
  // Rendered anew only for the one with a hook; nothing but reads.
  expect(seen.filter(({ path }) => path.includes('/manifests?'))).toHaveLength(1);
  expect(new Set(seen.map(({ method }) => method))).toEqual(new Set(['GET']));
});

test('the same cluster gives the same bytes', async () => {
  const [one, other] = [await read(), await read()];
  expect(JSON.stringify(one.material)).toBe(JSON.stringify(other.material));
});
