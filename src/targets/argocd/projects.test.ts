import { expect, test } from 'vitest';
import { FakeTransport, json } from '../../../test/fakes/transport.ts';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { argocdApi } from './api.ts';
import { argocdProjects } from './projects.ts';
import { directRoute } from './route.ts';
import { tokenSource } from './token.ts';

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

function setUp() {
  const transport = new FakeTransport([json(GIVEN)]);
  const world = { clock: new VirtualClock(), random: () => 0.5 };
  const api = argocdApi(
    directRoute(transport),
    tokenSource(async () => 'token'),
    world,
  );
  return { transport, projects: argocdProjects(api) };
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
  const { projects } = setUp();
  expect(await projects.get('platform')).toMatchObject({
    name: 'platform',
    resourceVersion: '41',
    windows: [{ kind: 'allow', applications: [], manualSync: false, given: OTHER }],
    trackedBy: 'root',
  });
});

test('an update sends everything else back as it was read', async () => {
  const { transport, projects } = setUp();
  const project = await projects.get('platform');
  if (!project) throw new Error('no project');
  const annotations = new Map([
    ['tiphys.dev/hold', 'p/r2'],
    ['a', undefined],
  ]);
  // A copy of the view does as well.
  const result = await projects.update(
    { ...project },
    { windows: [...project.windows, OURS], annotations },
  );
  expect(result).toEqual({ kind: 'done' });
  const sent = JSON.parse(JSON.stringify(transport.requests[1]));
  const { given: _, ...ours } = OURS;
  const { a: __, ...kept } = GIVEN.metadata.annotations;
  expect(sent).toMatchObject({ method: 'PUT', path: '/api/v1/projects/platform' });
  expect(sent.body.project).toEqual({
    ...GIVEN,
    metadata: { ...GIVEN.metadata, annotations: { ...kept, 'tiphys.dev/hold': 'p/r2' } },
    spec: { ...GIVEN.spec, syncWindows: [OTHER, ours] },
  });
});

test('the last window takes the list along', async () => {
  const { transport, projects } = setUp();
  const project = await projects.get('platform');
  if (!project) throw new Error('no project');
  await projects.update(project, { windows: [], annotations: new Map() });
  expect(transport.requests[1]?.body).not.toHaveProperty('project.spec.syncWindows');
});
