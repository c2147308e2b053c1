import { expect, test } from 'vitest';
import { foundApplication, inventoryOf } from '../../../test/fakes/inventory.ts';
import { inMemory, listedObject } from '../../../test/fakes/objects.ts';
import { planOf, World } from '../../../test/fakes/run-world.ts';
import { TiphysError } from '../../errors.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import type { Plan } from '../../plan/plan.ts';
import { teardownPreflight } from './teardown-preflight.ts';

const PLAN = planOf('a:', 'b: a');
const asked = (group: string, resource: string, verb = 'delete', namespace = '') =>
  `${verb} ${resource}.${group}${namespace && ` in ${namespace}`}`;
const SETS = (namespace: string) => asked('argoproj.io', 'applicationsets', 'delete', namespace);
const SNAPSHOTS = (namespace: string) =>
  asked('snapshot.storage.k8s.io', 'volumesnapshots', 'create', namespace);
const HOLD = 'patch appprojects p.argoproj.io in argocd';
const NAMESPACES = asked('', 'namespaces');
const SECRETS = asked('', 'secrets', 'list', 'own');
const DEFINITIONS = asked('apiextensions.k8s.io', 'customresourcedefinitions');

const OWN = { group: '', kind: 'Namespace', namespace: '', name: 'own' };

/** What is asked for and what is found wrong where these rights are denied. */
async function checked(
  part: Partial<Inventory>,
  denied: readonly string[] = [],
  plan: Plan = PLAN,
) {
  const world = new World({});
  world.part.objects = {
    ...world.target.objects,
    ...inMemory({ objects: [listedObject(OWN)] }).objects,
  };
  const rights = { argocd: new Set<string>(), cluster: [] as string[] };
  world.part.rights = {
    ...world.target.rights,
    inArgocd: async (...right) => {
      rights.argocd.add(right.join(' '));
      return !denied.includes(right.join(' '));
    },
    inCluster: async ({ verb, group, resource, namespace, name }) => {
      const right = asked(group, name ? `${resource} ${name}` : resource, verb, namespace);
      rights.cluster.push(right);
      return !denied.includes(right);
    },
  };
  const inventory = inventoryOf({ applications: [], ...part });
  const problems = await teardownPreflight(plan, inventory, world.target).then(
    () => undefined,
    (error: unknown) => (error instanceof TiphysError ? error.diagnostics : [String(error)]),
  );
  return { ...rights, argocd: [...rights.argocd], problems };
}

const maker = (kind: 'Application' | 'ApplicationSet', namespace: string) => ({
  ...{ kind, name: kind.toLowerCase(), namespace, uid: 'u', makes: ['a'] },
});
const made = (why: string | null) => ({ name: 'own', uid: 'u', why });
const DEFINITION = {
  ...{ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition', namespace: '' },
  ...{ name: 'things.x', uid: 'u', node: 'app:a', defines: { group: 'x', kind: 'Thing' } },
};
const claim = (namespace: string) => ({
  ...{ group: '', kind: 'PersistentVolumeClaim', namespace, name: 'data', node: 'app:a' },
});

test('a teardown needs to delete, to sync and to hold, and nothing that it does not do', async () => {
  const applications = [foundApplication('a'), foundApplication('b', { namespace: 'team' })];
  const { argocd, cluster, problems } = await checked({ applications });
  expect(argocd).toEqual([
    'applications delete p/a',
    'applications sync p/a',
    'applications delete p/team/b',
    'applications sync p/team/b',
  ]);
  expect([cluster, problems]).toEqual([[HOLD], undefined]);
});

test.each<[string, Partial<Inventory>, readonly string[]]>([
  ['a parent that makes', { makers: [maker('Application', 'argocd')] }, []],
  [
    'ApplicationSets',
    { makers: ['argocd', 'team', 'team'].map((place) => maker('ApplicationSet', place)) },
    [SETS('argocd'), SETS('team')],
  ],
  ['a namespace that stays', { namespaces: [made('others use it')] }, []],
  [
    'one that goes',
    { namespaces: [{ ...made('others use it'), name: 'shared' }, made(null)] },
    [NAMESPACES, SECRETS],
  ],
  ['one that is gone already', { namespaces: [{ ...made(null), name: 'gone' }] }, [NAMESPACES]],
  ['a definition', { definitions: [DEFINITION] }, [DEFINITIONS]],
  [
    'claims of which snapshots are taken',
    { snapshots: ['n', 'm', 'n'].map(claim) },
    [SNAPSHOTS('n'), SNAPSHOTS('m')],
  ],
])('of Kubernetes it needs for %s', async (_, part, rights) => {
  expect(await checked(part)).toEqual({ argocd: [], cluster: rights, problems: undefined });
});

test('everything that is wrong is told at once, before the first write', async () => {
  const elsewhere = PLAN.nodes.map((node) => ({
    ...node,
    argocd: node.argocd && { ...node.argocd, project: 'missing' },
  }));
  const part = {
    applications: [foundApplication('a')],
    makers: [maker('ApplicationSet', 'team')],
    namespaces: [made(null)],
    definitions: [DEFINITION],
  };
  const denied = ['applications delete p/a', HOLD, SETS('team'), NAMESPACES, SECRETS];
  const { problems } = await checked(part, denied, { ...PLAN, nodes: elsewhere });
  const forbidden = 'The user of the kubeconfig cannot delete';
  expect(problems).toMatchObject([
    { code: 'project-missing', message: 'AppProject "missing" does not exist.' },
    { code: 'argocd-forbidden', message: expect.stringContaining('applications "p/a"') },
    {
      code: 'cluster-forbidden',
      message:
        'Applications of project "p" cannot be put on hold: permission to patch the AppProject "p" in namespace "argocd" is missing.',
    },
    {
      code: 'cluster-forbidden',
      message: `${forbidden} applicationsets in namespace "team".`,
      hint: 'Grant it with a Role and a RoleBinding.',
    },
    {
      code: 'cluster-forbidden',
      message: `${forbidden} namespaces.`,
      hint: 'Grant it with a Role and a RoleBinding, or plan with --keep-namespaces.',
    },
    {
      code: 'cluster-forbidden',
      message: 'The user of the kubeconfig cannot list secrets in namespace "own".',
      hint: 'Grant it with a Role and a RoleBinding, or plan with --keep-namespaces.',
    },
  ]);
});
