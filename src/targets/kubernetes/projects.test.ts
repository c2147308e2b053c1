import { expect, test } from 'vitest';
import { FakeTransport, json } from '../../../test/fakes/transport.ts';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { kubernetesApi } from './api.ts';
import { kubernetesProjects } from './projects.ts';

const OTHER = {
  kind: 'allow',
  schedule: '0 3 * * *',
  duration: '2h',
  clusters: ['x'],
  useAndOperator: true,
};
const GIVEN = {
  metadata: {
    name: 'platform',
    namespace: 'argocd',
    resourceVersion: '41',
    annotations: {
      a: '1',
      'tiphys.dev/hold': 'p/r',
      'argocd.argoproj.io/tracking-id': 'root:argoproj.io/AppProject:argocd/platform',
    },
    managedFields: [{ manager: 'x' }],
  },
  spec: { sourceRepos: ['*'], unheardOf: { deep: [1] }, syncWindows: [OTHER] },
  status: { jwtTokensByRole: {} },
};
const PATH = '/apis/argoproj.io/v1alpha1/namespaces/argocd/appprojects/platform';

function setUp(...answers: ReturnType<typeof json>[]) {
  const transport = new FakeTransport([json(GIVEN), ...answers]);
  const world = { clock: new VirtualClock(), random: () => 0.5 };
  return { transport, projects: kubernetesProjects(kubernetesApi(transport, world), 'argocd') };
}

async function read({ projects }: ReturnType<typeof setUp>) {
  const project = await projects.get('platform');
  if (!project) throw new Error('no project');
  return project;
}

const OURS = {
  kind: 'deny',
  schedule: '* * * * *',
  duration: '1h',
  applications: ['a', 'b'],
  manualSync: true,
  given: undefined,
} as const;

test('a project as far as windows go', async () => {
  const { projects, transport } = setUp();
  expect(await projects.get('platform')).toEqual({
    name: 'platform',
    resourceVersion: '41',
    annotations: new Map(Object.entries(GIVEN.metadata.annotations)),
    windows: [
      {
        ...{ kind: 'allow', schedule: '0 3 * * *', duration: '2h', applications: [] },
        ...{ manualSync: false, given: OTHER },
      },
    ],
    trackedBy: 'root',
    windowsAppliedBy: undefined,
  });
  expect(transport.requests).toMatchObject([{ method: 'GET', path: PATH }]);
});

test.each<[string, object, string]>([
  ['no kind', { kind: undefined }, 'spec.syncWindows[1].kind'],
  ['another kind', { kind: 'maybe' }, 'spec.syncWindows[1].kind'],
  ['a number as schedule', { schedule: 3 }, 'spec.syncWindows[1].schedule'],
  ['a number as Application', { applications: ['a', 1] }, 'spec.syncWindows[1].applications[1]'],
])('a window with %s is told with its project, index and field', async (_, part, field) => {
  const syncWindows = [OTHER, { ...OTHER, ...part }];
  const transport = new FakeTransport([json({ ...GIVEN, spec: { syncWindows } })]);
  const api = kubernetesApi(transport, { clock: new VirtualClock(), random: () => 0.5 });
  await expect(kubernetesProjects(api, 'argocd').get('platform')).rejects.toMatchObject({
    diagnostics: [
      {
        code: 'cluster-answer-invalid',
        message: expect.stringContaining(`AppProject "argocd/platform" is malformed at ${field}: `),
        hint: 'Correct that field: kubectl --namespace argocd edit appproject platform',
      },
    ],
  });
});

test('an update sends what changes, the version that was read, and nothing else', async () => {
  const world = setUp();
  const project = await read(world);
  const annotations = new Map([
    ['tiphys.dev/hold', 'p/r2'],
    ['tiphys.dev/hold-1', undefined],
  ]);
  // A copy of the view does as well.
  const change = { windows: [...project.windows, OURS], annotations };
  expect(await world.projects.update({ ...project }, change)).toEqual({ kind: 'done' });
  const { given: _, ...ours } = OURS;
  expect(world.transport.requests[1]).toMatchObject({
    method: 'PATCH',
    path: `${PATH}?fieldManager=tiphys`,
    deadline: 5_000,
  });
  expect(world.transport.requests[1]?.body).toEqual({
    metadata: {
      resourceVersion: '41',
      annotations: { 'tiphys.dev/hold': 'p/r2', 'tiphys.dev/hold-1': null },
    },
    spec: { syncWindows: [OTHER, ours] },
  });
});

test('the last window takes the list along', async () => {
  const world = setUp();
  await world.projects.update(await read(world), { windows: [], annotations: new Map() });
  expect(world.transport.requests[1]?.body).toMatchObject({ spec: { syncWindows: null } });
});

test.each([
  [409, { kind: 'refused', reason: 'conflict', message: 'said' }],
  [403, { kind: 'refused', reason: 'forbidden', message: 'said' }],
  [404, { kind: 'refused', reason: 'not-found', message: 'said' }],
  [422, { kind: 'refused', reason: 'invalid', message: 'said' }],
  [500, { kind: 'unknown', message: 'said' }],
])('the answer %i to an update', async (status, result) => {
  const world = setUp(json({ kind: 'Status', message: 'said' }, status));
  const change = { windows: [OURS], annotations: new Map() };
  expect(await world.projects.update(await read(world), change)).toEqual(result);
});

test('one that is not there, and something else in its place', async () => {
  const missing = new FakeTransport([json({ message: 'not found' }, 404), json({ kind: 'Other' })]);
  const world = { clock: new VirtualClock(), random: () => 0.5 };
  const projects = kubernetesProjects(kubernetesApi(missing, world), 'argocd');
  expect(await projects.get('platform')).toBeUndefined();
  await expect(projects.get('platform')).rejects.toMatchObject({
    diagnostics: [{ code: 'cluster-answer-invalid' }],
  });
});
