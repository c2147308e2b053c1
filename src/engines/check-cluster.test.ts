// What is asked and found before the first write.
import { expect, test } from 'vitest';
import { ASKS } from '../../test/fakes/approvals.ts';
import { codeOf, failure } from '../../test/fakes/failure.ts';
import { app, oneStack, planFrom, stackOf, World } from '../../test/fakes/run-world.ts';
import { TiphysError } from '../errors.ts';
import { checkCluster } from './check-cluster.ts';

test('rights are asked for by the name that Argo CD has for its own namespace, whatever that is called', async () => {
  const world = new World({ a: {} });
  world.argocd.change('a', { namespace: 'gitops' });
  const asked: string[] = [];
  world.part.namespace = 'gitops';
  const inArgocd = async (...right: readonly string[]) => {
    asked.push(right.join(' '));
    return true;
  };
  world.part.rights = { inArgocd, inCluster: async () => true };
  const stacks = [{ name: 's', applications: [app('a')] }];
  await world.run(planFrom({ argocd: { namespace: 'gitops' }, stacks }));
  expect(asked).toContain('applications sync default/a');
});

test('what an ApplicationSet of a parent makes is unexpected; what one of others makes is not', async () => {
  const world = new World({ parent: {}, a: {}, generated: {}, foreign: {} });
  world.argocd.change('generated', { applicationSet: 'ours' });
  world.argocd.change('foreign', { applicationSet: 'theirs' });
  const set = {
    uid: 'u',
    deleting: false,
    namespace: 'argocd',
    rollingSync: false,
    upToDate: true,
  };
  world.argocd.applicationSets = [
    { ...set, name: 'ours', trackedBy: 'parent' },
    { ...set, name: 'theirs', trackedBy: undefined },
  ];
  const { unexpected } = await checkCluster(stackOf('parent', [app('a')]), world.target);
  expect(unexpected).toEqual([
    { name: 'generated', namespace: 'argocd', project: 'default', madeBy: 'parent' },
  ]);
});

test.each([
  [ASKS, ['cluster-forbidden']],
  [{}, []],
])(
  'who may not read approvals must not begin where they are needed: %j',
  async (more, expected) => {
    const world = new World({ a: {} });
    world.part.rights = { inArgocd: async () => true, inCluster: async () => false };
    const found = await failure(checkCluster(oneStack(app('a', [], more)), world.target));
    expect(found ? [codeOf(found)] : []).toEqual(expected);
  },
);

const PROBES = { gate: { probe: { tcp: 'a:1' } } };

async function withProbes(world: World, more: object = PROBES): Promise<string[]> {
  const found = await failure(checkCluster(oneStack(app('a', [], more)), world.target));
  if (!(found instanceof TiphysError)) return [];
  return found.diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

test('who may not make the Jobs of probes must not begin where there are any', async () => {
  const world = new World({ a: {} });
  const asked: string[] = [];
  let given = new Set(['create', 'get']);
  world.part.rights = {
    inArgocd: async () => true,
    inCluster: async ({ verb, group, resource, namespace }) => {
      asked.push(`${verb} ${group}/${resource} in ${namespace}`);
      return given.has(verb);
    },
  };
  expect(await withProbes(world, {})).toEqual([]);
  expect(asked).toEqual([]);
  expect(await withProbes(world)).toEqual([]);
  const where = 'batch/jobs in tiphys-probes';
  expect(asked).toEqual([`create ${where}`, `get ${where}`]);
  given = new Set(['get']);
  expect(await withProbes(world)).toEqual([
    'cluster-forbidden: Probes cannot be run: the right to create jobs in namespace "tiphys-probes" is missing.',
  ]);
});

test.each([
  [true, []],
  [undefined, []],
  [false, ['cluster-forbidden: Probes cannot be run: there is no namespace "tiphys-probes".']],
])('the namespace of probes: %s', async (isThere, expected) => {
  const world = new World({ a: {} });
  world.argocd.probes.isNamespaceThere = isThere;
  expect(await withProbes(world)).toEqual(expected);
});
