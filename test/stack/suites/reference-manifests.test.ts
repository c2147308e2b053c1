// The real form of the reference platform: what it says to Kubernetes and to Argo CD, by the schemas of their pinned versions.
import { loadAll } from 'js-yaml';
import { describe, expect } from 'vitest';
import { exampleFiles, fromExample } from '../../../src/cli/init/example.ts';
import { processIo } from '../../../src/process.ts';
import type { Stack } from '../kit/stack.ts';
import { test } from '../kit/test.ts';
import { kubectl } from '../kubectl.ts';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: object;
}

const OURS = /^(bootstrap|root|stacks|manifests)\//;
/** Groups of operators, whose schemas come with their charts. */
const OPERATORS =
  /^(metallb\.io|ceph\.rook\.io|snapshot\.storage\.k8s\.io|acid\.zalan\.do|redis\.redis\.opstreelabs\.in|vault\.banzaicloud\.com|external-secrets\.io|kafka\.strimzi\.io|kubevirt\.io|velero\.io|kustomize\.config\.k8s\.io)\//;

const manifests = fromExample(exampleFiles(processIo, 'reference'), { standIns: false })
  .filter(({ path }) => OURS.test(path))
  .flatMap(({ path, text }) =>
    (loadAll(text) as Manifest[]).map((manifest) => ({ path, manifest })),
  );
const known = manifests.filter(({ manifest }) => !OPERATORS.test(manifest.apiVersion));

/** The API server checks them against its schemas, under names that nothing has, and makes nothing. */
const check = ({ config }: Stack, manifests: readonly Manifest[]) => {
  const items = manifests.map((one) => ({
    ...one,
    metadata: { ...one.metadata, name: `${one.metadata.name}-of-the-real-form` },
  }));
  return kubectl(
    config,
    ['create', '--dry-run=server', '--validate=strict', '--output=name', '-f', '-'],
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
  );
};

describe('the real form', () => {
  test('every manifest of Kubernetes and Argo CD keeps their schemas', async ({ stack }) => {
    const kinds = new Set(known.map(({ manifest }) => manifest.kind));
    expect([...kinds].sort()).toEqual(
      [
        'AppProject',
        'Application',
        'ClusterRoleBinding',
        'Role',
        'RoleBinding',
        'ServiceAccount',
        'StorageClass',
      ].sort(),
    );
    const names = await check(
      stack,
      known.map(({ manifest }) => manifest),
    );
    expect(names.trim().split('\n')).toHaveLength(known.length);
  });

  test.for([
    ['an unknown key', { sorce: {} }, /unknown field.*sorce/],
    ['a value of the wrong type', { project: 5 }, /project/],
  ] as const)('%s is noticed', async ([, wrong, message], { stack }) => {
    const keda = known.find(({ path }) => path === 'stacks/autoscaling/keda.yaml')?.manifest;
    if (!keda) throw new Error('there is no keda.yaml');
    await check(stack, [keda]);
    await expect(check(stack, [{ ...keda, spec: { ...keda.spec, ...wrong } }])).rejects.toThrow(
      message,
    );
  });
});
