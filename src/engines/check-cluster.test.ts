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
  world.part.rights = { ...world.target.rights, inArgocd };
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
    world.part.rights = { ...world.target.rights, inCluster: async () => false };
    const found = await failure(checkCluster(oneStack(app('a', [], more)), world.target));
    expect(found ? [codeOf(found)] : []).toEqual(expected);
  },
);

test.each([
  ['syncs by itself', { prune: false, selfHeal: true }, ['patch appprojects default in argocd']],
  ['is synced on request only', undefined, []],
])('the right to hold is needed where an Application %s', async (_, automated, needed) => {
  const world = new World({ a: {} });
  world.argocd.change('a', { automated });
  const asked: string[] = [];
  let given = true;
  world.part.rights = {
    ...world.target.rights,
    inArgocd: async () => true,
    inCluster: async ({ verb, resource, name, namespace }) => {
      asked.push(`${verb} ${resource} ${name} in ${namespace}`);
      return given;
    },
  };
  await checkCluster(oneStack(app('a')), world.target);
  expect(asked).toEqual(needed);
  given = false;
  const found = await failure(checkCluster(oneStack(app('a')), world.target));
  expect(found === undefined ? [] : [codeOf(found)]).toEqual(needed.map(() => 'cluster-forbidden'));
});

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
    ...world.target.rights,
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
    'cluster-forbidden: Probes cannot run: permission to create jobs in namespace "tiphys-probes" is missing.',
  ]);
});

test.each([
  [true, []],
  [undefined, []],
  [false, ['cluster-forbidden: Probes cannot run: namespace "tiphys-probes" does not exist.']],
])('the namespace of probes: %s', async (isThere, expected) => {
  const world = new World({ a: {} });
  world.argocd.probes.isNamespaceThere = isThere;
  expect(await withProbes(world)).toEqual(expected);
});
