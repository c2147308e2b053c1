// Reading a cluster that does not answer everything.
import { expect, test } from 'vitest';
import { type ErrorCode, TiphysError } from '../../errors.ts';
import type { ReadProgress } from '../../import/read-progress.ts';
import type { ImportReads } from '../../ports/import-reads.ts';
import { type ImportCluster, readFromCluster } from './read-from-cluster.ts';

const fails = (code: ErrorCode) => async () => {
  throw new TiphysError([{ code, message: `It is ${code}.` }]);
};
const HOOKED = {
  phase: 'Succeeded',
  syncResult: { resources: [{ hookType: 'PreSync' }] },
};
const application = (name: string, status: object = {}) => ({
  metadata: { name, namespace: 'argocd' },
  spec: {
    project: 'platform',
    destination: { server: 'https://kubernetes.default.svc', namespace: name },
  },
  status,
});
const map = (name: string, annotations = {}) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, annotations } },
});
const hook = (name: string) => map(name, { 'argocd.argoproj.io/hook': 'PreSync' });

interface Parts {
  readonly imports?: Partial<ImportReads>;
  readonly sets?: ImportCluster['applicationSets']['list'];
  readonly settings?: ImportCluster['kinds']['settings'];
}

function clusterOf({ imports, sets = async () => [], settings }: Parts): ImportCluster {
  return {
    namespace: 'argocd',
    applicationSets: { list: sets },
    kinds: { settings: settings ?? (async () => new Map()), custom: async () => [] },
    imports: {
      applications: async () => [application('b'), application('a')],
      definitions: async () => [],
      objects: async ({ name }) => [map(`of-${name}`)],
      manifests: async () => [],
      ...imports,
    },
  };
}

const { signal } = new AbortController();
const read = (parts: Parts = {}) => readFromCluster(clusterOf(parts), { signal });
const problemsOf = async (parts: Parts) =>
  (await read(parts)).problems.map(({ subject, message }) => `${subject}: ${message}`);

test('Applications come sorted, with what they deploy', async () => {
  const { applications, problems } = await read();
  expect(applications.map(({ name, content, objects }) => [name, content, objects])).toEqual([
    ['a', 'manifests', [map('of-a')]],
    ['b', 'manifests', [map('of-b')]],
  ]);
  expect(problems).toEqual([]);
});

test('only where the last operation had hooks, manifests are rendered; their hooks replace older ones', async () => {
  const asked: string[] = [];
  const { applications } = await read({
    imports: {
      applications: async () => [application('a', { operationState: HOOKED }), application('b')],
      objects: async () => [map('x'), hook('old')],
      manifests: async ({ name }) => {
        asked.push(name);
        return [map('x'), hook('new')];
      },
    },
  });
  expect(asked).toEqual(['a']);
  const names = applications.map(({ objects }) => objects.map(({ metadata }) => metadata?.name));
  expect(names).toEqual([
    ['new', 'x'],
    ['old', 'x'],
  ]);
});

test.each<[string, Parts, string]>([
  ['ApplicationSets', { sets: fails('cluster-forbidden') }, 'which Application has'],
  ['argocd-cm', { settings: fails('cluster-forbidden') }, 'wait for health'],
  ['CustomResourceDefinitions', { imports: { definitions: async () => 'unknown' } }, 'at run time'],
])('without the right to read %s the rest is read', async (subject, parts, lost) => {
  const { applications, problems } = await read(parts);
  expect(applications).toHaveLength(2);
  expect(problems).toEqual([{ subject, message: expect.stringContaining(lost) }]);
});

test('whether waves wait is unknown without argocd-cm, and known with it', async () => {
  const key = 'resource.customizations.health.argoproj.io_Application';
  const settings = async () =>
    new Map([
      [key, 'return {}'],
      ['resource.customizations', 'a/*: {health.lua: x}'],
    ]);
  expect(await read({ settings })).toMatchObject({
    ...{ wavesWaitForHealth: true, customHealth: ['a/*', 'argoproj.io/Application'] },
  });
  expect(await read()).toMatchObject({ wavesWaitForHealth: false, customHealth: [] });
  const none = await read({ settings: fails('cluster-forbidden') });
  expect('wavesWaitForHealth' in none).toBe(false);
});

test('an Application that may not be read is known by what it lists', async () => {
  const resources = [{ kind: 'Service', name: 's', namespace: 'a', syncWave: 2 }];
  const listed = application('a', { resources });
  const { applications, problems } = await read({
    imports: {
      applications: async () => [listed, application('b')],
      objects: async ({ name }) => (name === 'a' ? fails('argocd-forbidden')() : []),
    },
  });
  expect(applications[0]).toMatchObject({
    ...{ content: 'listed', objects: [], resources: [{ group: '', kind: 'Service', wave: 2 }] },
  });
  expect(applications[1]).toMatchObject({ content: 'manifests' });
  const message = 'Only the names of what it deploys are known. It is argocd-forbidden.';
  expect(problems).toEqual([{ subject: 'a', message }]);
});

test('where Argo CD shows nothing of what it lists, its content is not known to be empty', async () => {
  const resources = [{ kind: 'Service', name: 's' }];
  const { applications } = await read({
    imports: {
      applications: async () => [application('a', { resources })],
      objects: async () => [],
    },
  });
  expect(applications[0]?.content).toBe('listed');
});

const many = Array.from({ length: 200 }, (_, at) => application(`a${at}`));

test('an Argo CD that stops answering is not asked for every Application', async () => {
  let asked = 0;
  const objects = async () => {
    asked++;
    return fails('argocd-unreachable')();
  };
  const problems = await problemsOf({ imports: { applications: async () => many, objects } });
  expect(asked).toBeLessThan(60);
  expect(problems).toHaveLength(200);
  expect(problems.filter((one) => one.includes('stopped answering')).length).toBeGreaterThan(140);
});

test('a right that is missing for all of them is told for each', async () => {
  const imports = { applications: async () => many, objects: fails('argocd-forbidden') };
  const problems = await problemsOf({ imports });
  expect(problems.filter((one) => one.includes('argocd-forbidden'))).toHaveLength(200);
});

test.each<ErrorCode>(['cluster-forbidden', 'cluster-unreachable', 'argocd-not-found'])(
  'without Applications there is nothing to import: %s',
  async (code) => {
    await expect(read({ imports: { applications: fails(code) } })).rejects.toThrow(code);
  },
);

test('a cluster that goes away is no missing right', async () => {
  await expect(read({ settings: fails('cluster-unreachable') })).rejects.toThrow();
});

test('at most 16 requests are sent at a time, and progress is told to the end', async () => {
  let [now, most] = [0, 0];
  const told: ReadProgress[] = [];
  const objects = async () => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setImmediate(resolve));
    now--;
    return [];
  };
  const cluster = clusterOf({ imports: { applications: async () => many, objects } });
  await readFromCluster(cluster, { signal, progress: (one) => told.push(one) });
  expect(most).toBe(16);
  expect(told.filter(({ stage }) => stage === 'managed resources').map(({ done }) => done)).toEqual(
    many.map((_, at) => at + 1),
  );
});

test('it stops when it is told to', async () => {
  const stop = new AbortController();
  stop.abort();
  const reading = readFromCluster(clusterOf({}), { signal: stop.signal });
  await expect(reading).rejects.toThrow();
});

test('the order in which a cluster answers does not matter', async () => {
  const both = [application('a'), application('b')];
  const [one, other] = await Promise.all(
    [both, both.toReversed()].map((all) => read({ imports: { applications: async () => all } })),
  );
  expect(JSON.stringify(one)).toBe(JSON.stringify(other));
});

test('Applications of other namespaces are named, not forgotten', async () => {
  const resources = [{ group: 'argoproj.io', kind: 'Application', namespace: 'team', name: 't' }];
  const applications = async () => [application('root', { resources })];
  expect(await problemsOf({ imports: { applications } })).toEqual([
    't: It is in the namespace team. Only Applications of argocd are read.',
  ]);
});

test('Applications that their parent has, and that Argo CD has not created yet, are known by their place and wave', async () => {
  const child = (name: string, namespace = 'argocd') => ({
    ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', ...application(name) },
    metadata: { name, namespace, annotations: { 'argocd.argoproj.io/sync-wave': '2' } },
  });
  const { applications, problems } = await read({
    imports: {
      objects: async ({ name }) =>
        name === 'a' ? [child('b'), child('late'), child('other', 'team')] : [],
    },
  });
  expect(applications.map(({ name }) => name)).toEqual(['a', 'b', 'late']);
  expect(applications[2]).toMatchObject({
    ...{ parent: 'a', wave: 2, content: 'unknown', objects: [] },
    destination: { namespace: 'late' },
  });
  const message =
    'Argo CD has not created it yet, though a has it in sync wave 2. Nothing is known of what it contains.';
  expect(problems).toEqual([{ subject: 'late', message }]);
});
