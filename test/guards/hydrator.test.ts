// Applications with a source hydrator: Argo CD compares them with the hydrated branch, whatever became of the newest commit.
import { expect, test } from 'vitest';
import { statusOf } from '../../src/engines/inspect/read-status.ts';
import { validate } from '../../src/engines/inspect/validate-platform.ts';
import { buildPlan } from '../../src/plan/build-plan.ts';
import { compile } from '../../src/plan/compile.ts';
import { HYDRATED } from '../../src/ports/application-view.ts';
import { connectOver } from '../../src/targets/connect.ts';
import { renderStatus } from '../../src/view/status-text.ts';
import { causeOf, outcomes } from '../fakes/run-world.ts';
import { REPOSITORY, Rehearsed } from './rehearsed.ts';

const SPEC = { stacks: [{ name: 's', applications: [{ name: 'a' }, { name: 'b' }] }] };
const PARENT = { stacks: [{ name: 's', application: 'parent', applications: [{ name: 'a' }] }] };

const hydrator = (path: string, more: object = {}) => ({
  drySource: { repoURL: REPOSITORY, path: 'dry', targetRevision: 'main' },
  syncSource: { targetBranch: 'main', path, ...more },
});

function hydrate(world: Rehearsed, name: string, more?: object): void {
  world.change('Application', name, (object) => {
    const { source: _, ...spec } = object.spec ?? {};
    return { ...object, spec: { ...spec, sourceHydrator: hydrator(name, more) } };
  });
}

async function inspected(world: Rehearsed) {
  const { time } = world.rehearsal;
  const { clock, transport, random } = world.rehearsal.join('inspector');
  const transports = { kubernetes: transport, argocd: undefined };
  const inspecting = async () => {
    const target = await connectOver(transports, { namespace: 'argocd', clock, random });
    const document = { apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform', spec: SPEC };
    const text = JSON.stringify({ ...document, metadata: { name: 'shop' } });
    const compiled = compile({ file: 'platform.yaml', text });
    const plan = buildPlan(compiled, { action: 'deploy' });
    const { signal } = new AbortController();
    const parts = { target, clock, signal, concurrency: 5, refresh: true };
    return { status: await statusOf(plan, target, clock), validation: await validate(plan, parts) };
  };
  return await time.until(inspecting(), 3_600_000);
}

test.each([
  ['into its own repository', {}],
  ['into another one', { repoURL: REPOSITORY }],
])('is refused by name before the first write: %s', async (_, more) => {
  const world = new Rehearsed({ spec: SPEC });
  hydrate(world, 'a', more);
  const writes: string[] = [];
  world.rehearsal.onRequest(({ request: { method, path } }) => {
    if (method !== 'GET' && !path.includes('selfsubject')) writes.push(`${method} ${path}`);
  });
  await expect(world.deploy()).rejects.toMatchObject({
    diagnostics: [{ code: 'application-hydrated', message: expect.stringContaining('"a"') }],
  });
  expect(writes).toEqual([]);
});

test('one that a parent makes fails without a sync', async () => {
  const world = new Rehearsed({ spec: PARENT });
  const { git } = world.rehearsal;
  const [child] = git.read(REPOSITORY, 'parent', git.head(REPOSITORY)) ?? [];
  const { source: _, ...spec } = child?.spec ?? {};
  const manifest = { ...child, spec: { ...spec, sourceHydrator: hydrator('a') } };
  git.commit(REPOSITORY, 'parent', [manifest as typeof child & object]);
  const report = await world.deploy();
  expect(outcomes(report)).toMatchObject({ a: 'failed' });
  expect(JSON.stringify(causeOf(report, 'app:a'))).toContain('source hydrator');
  expect(world.syncs).toEqual(['parent']);
});

test('one that Argo CD calls Synced and Healthy passes no gate, and status says why', async () => {
  const world = new Rehearsed({ spec: SPEC, isDeployed: true });
  hydrate(world, 'a');
  await world.rehearsal.time.advance(900_000);
  const { status, validation } = await inspected(world);
  const byId = (id: string) => validation.nodes.find((node) => node.id === id);
  expect(byId('app:a')).toMatchObject({
    ...{ sync: 'Synced', health: 'Healthy', state: 'Degraded' },
    unmet: { condition: 'not-hydrated', message: HYDRATED },
  });
  expect(byId('app:b')).toMatchObject({ state: 'Healthy', unmet: null });
  expect(validation.exitStatus).toBe(2);
  expect(status.nodes.map(({ id, warning }) => [id, warning])).toEqual([
    ['app:a', HYDRATED],
    ['app:b', null],
  ]);
  const text = renderStatus(status);
  expect(text).toContain(`warning: a: ${HYDRATED}`);
  expect(text).toContain('Argo CD v3.2.11+rehearsal');
  expect(text).not.toContain('versions that Tiphys was tested with');
});

test('status warns of an Argo CD that was not tried', async () => {
  const world = new Rehearsed({ spec: SPEC, settings: { version: '3.6.0' }, isDeployed: true });
  const { status } = await inspected(world);
  expect(status.argocd).toMatchObject({ version: 'v3.6.0+rehearsal', isTried: false });
  expect(renderStatus(status)).toContain(
    'warning: Argo CD v3.6.0+rehearsal is not one of the versions that Tiphys was tested with, 3.2 to 3.5',
  );
});
