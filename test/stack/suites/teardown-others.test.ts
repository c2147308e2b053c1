// What belongs to others stays out of a teardown: an object in a namespace that the platform made, and a workload that only looks like ours.
import { expect } from 'vitest';
import { child, memberName } from '../kit/family.ts';
import { QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { Tiphys } from '../kit/tiphys.ts';
import { configMap, customKind, deployment } from '../kit/workloads.ts';

/** Two kinds of one group, the second served only at a version that is not the first of the group. */
async function kinds(scratch: Scratch): Promise<string> {
  const group = `${scratch.name}.example.org`;
  await scratch.apply(customKind(group, 'Route'));
  const { spec, ...grant } = customKind(group, 'Grant');
  const versions = spec.versions.map((version) => ({ ...version, name: 'v1beta1' }));
  await scratch.apply({ ...grant, spec: { ...spec, versions } });
  return group;
}

/** One Application whose namespace Argo CD makes. */
async function platform(scratch: Scratch, namespace: string): Promise<Tiphys> {
  const made = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  scratch.afterwards(() => scratch.stack.remove(made));
  await scratch.repository.commit({ 'shop/map.yaml': configMap('shop', {}) });
  const { metadata, spec, ...rest } = child(scratch, 'shop');
  const finalizers = ['resources-finalizer.argocd.argoproj.io'];
  await scratch.apply({
    ...rest,
    metadata: { ...metadata, finalizers },
    spec: {
      ...spec,
      destination: { ...spec.destination, namespace },
      syncPolicy: { syncOptions: ['CreateNamespace=true'] },
    },
  });
  const tiphys = new Tiphys(scratch);
  const applications = [{ name: memberName(scratch, 'shop') }];
  await tiphys.platform({ ...QUICK, stacks: [{ name: 's', applications }] });
  return tiphys;
}

test('a namespace with an object of others stays, whatever the version of its kind, and so does a workload with our label', async ({
  stack,
  scratch,
}) => {
  const namespace = `${scratch.name}-apps`;
  const tiphys = await platform(scratch, namespace);
  const deployed = await tiphys.deploy();
  expect(deployed.status, deployed.stdout).toBe(0);
  const group = await kinds(scratch);
  const grant = {
    ...{ apiVersion: `${group}/v1beta1`, kind: 'Grant' },
    metadata: { name: 'theirs', namespace },
  };
  await stack.apply(grant);
  // As Helm labels what a release of that name has.
  const labels = { 'app.kubernetes.io/instance': memberName(scratch, 'shop') };
  const release = deployment({ name: 'release', labels });
  await scratch.apply(release);

  const mark = await stack.audit.mark();
  const torn = await tiphys.teardown(await tiphys.inventory());
  expect([torn.status, torn.report.counts.removed], torn.stdout).toEqual([2, 1]);
  expect(torn.report.leftovers).toMatchObject([
    {
      resource: { kind: 'Namespace', name: namespace },
      why: `${group}/Grant ${namespace}/theirs is in it`,
    },
  ]);
  expect(torn.stdout).not.toContain('release');
  expect(await stack.read(grant)).toBeDefined();
  const place = { metadata: { name: 'release', namespace: scratch.namespace } };
  expect(await stack.read({ ...release, ...place })).toBeDefined();
  const deleted = await stack.audit.since(mark, { resource: 'namespaces', verb: 'delete' });
  expect(deleted.filter(({ name }) => name === namespace)).toEqual([]);
});
