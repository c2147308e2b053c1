// Kinds that somebody defines at run time.
import { expect, test } from 'vitest';
import type { Definition } from '../ports/import-reads.ts';
import { definedKinds } from './defined-kinds.ts';
import type { ApplicationMaterial } from './material.ts';

const GROUP = 'example.com';
const definition = (part: Partial<Definition>): Definition => ({
  ...{
    name: `things.${GROUP}`,
    group: GROUP,
    kind: 'Thing',
    owners: [],
    labels: new Map(),
    ...part,
  },
});
const owner = (group: string, kind: string, name: string) => ({ group, kind, name });
const madeBy = (part: Partial<Definition>, applications: readonly ApplicationMaterial[] = []) =>
  definedKinds([definition(part)], applications).map((one) => one.madeBy);

test('a revision of a Crossplane package stands for its package', () => {
  const revision = owner('pkg.crossplane.io', 'ProviderRevision', 'provider-aws-0123456789ab');
  const provider = owner('pkg.crossplane.io', 'Provider', 'aws');
  expect(madeBy({ owners: [revision] })).toEqual(['pkg.crossplane.io/Provider/provider-aws']);
  expect(madeBy({ owners: [revision, provider] })).toEqual(['pkg.crossplane.io/Provider/aws']);
});

test('what OLM installs belongs to the Subscription of its package', () => {
  const labels = new Map([['operators.coreos.com/my.operator.openshift-operators', '']]);
  expect(madeBy({ labels })).toEqual(['operators.coreos.com/Subscription/my.operator']);
  const subscription = {
    ...{ apiVersion: 'operators.coreos.com/v1alpha1', kind: 'Subscription' },
    ...{ metadata: { name: 'mine' }, spec: { name: 'my.operator' } },
  };
  const application = { resources: [], objects: [subscription] } as unknown as ApplicationMaterial;
  expect(madeBy({ labels }, [application])).toEqual(['operators.coreos.com/Subscription/mine']);
});

test('what nobody signs is known all the same, and what an Application lists is left out', () => {
  expect(madeBy({})).toEqual([undefined]);
  const listed = {
    ...{ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition', namespace: '' },
    name: `things.${GROUP}`,
  };
  const application = { resources: [listed], objects: [] } as unknown as ApplicationMaterial;
  expect(madeBy({}, [application])).toEqual([]);
});
