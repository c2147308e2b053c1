// What is still held, told as the AppProjects show it, and let go of.
import { expect, test } from 'vitest';
import { failure } from '../../../test/fakes/failure.ts';
import { planOf, World } from '../../../test/fakes/run-world.ts';
import { statusOf } from '../../engines/inspect/read-status.ts';
import { validate } from '../../engines/inspect/validate-platform.ts';
import { buildPlan } from '../../plan/build-plan.ts';
import { compile } from '../../plan/compile.ts';
import type { RunEvent } from '../../run/events.ts';
import { HOLD_ANNOTATION, holdWindow } from '../../run/hold.ts';
import { heldApplications, holdableNodes } from './held.ts';
import { release } from './release-hold.ts';

const PLAN = planOf('a:');

/** An earlier run left a name held that the platform file does not have any more. */
function withLeftOver(): World {
  const world = new World({ a: {} });
  world.settle('a');
  world.edit({
    windows: [holdWindow(['removed'])],
    annotations: new Map([[HOLD_ANNOTATION, 'shop/earlier']]),
  });
  return world;
}

test('a held name that is not in the platform file any more is named everywhere', async () => {
  const world = withLeftOver();
  const { target, clock } = world;
  const { signal } = new AbortController();
  const looking = validate(PLAN, { target, clock, signal, concurrency: 1, refresh: false });
  expect((await clock.until(looking)).held).toEqual(['app:removed']);
  expect((await statusOf(PLAN, target, clock)).held).toEqual(['app:removed']);
  const report = await world.run(PLAN);
  expect(report.held).toEqual(['app:removed']);
  expect(report.warnings.join()).toContain(
    '"removed" is on hold but no longer in the platform file',
  );
});

test('a release lifts it, though its Application does not exist', async () => {
  const world = withLeftOver();
  const { target, clock } = world;
  const applications = (await heldApplications(PLAN, target)).map(({ address }) => address);
  const { signal } = new AbortController();
  const who = { runId: 'release', holder: 'laptop', warn: () => {} };
  await clock.until(release({ plan: PLAN, applications, target, clock, ...who, signal }));
  expect(world.held()).toEqual([]);
});

test('a release that cannot renew its lease says so, and leaves no record of a run', async () => {
  const world = withLeftOver();
  const { clock } = world;
  const applications = (await heldApplications(PLAN, world.target)).map(({ address }) => address);
  const { leases } = world.argocd.target;
  const update: typeof leases.update = async () => ({ kind: 'unknown', message: 'no answer' });
  world.part.leases = { ...leases, update };
  world.applications.refresh = async () => {
    await clock.sleep(60_000);
    return undefined;
  };
  const warnings: string[] = [];
  const who = { runId: 'r', holder: 'laptop', warn: (text: string) => warnings.push(text) };
  const { signal } = new AbortController();
  await clock.until(
    release({ plan: PLAN, applications, target: world.target, clock, ...who, signal }),
  );
  expect(warnings.join()).toContain('cannot be renewed');
  expect(await world.target.store.list(new Map())).toEqual([]);
});

test('a plan of a part of the platform knows nothing of other names', async () => {
  const world = withLeftOver();
  expect(await heldApplications({ ...PLAN, scope: ['app:a'] }, world.target)).toEqual([]);
});

test('what somebody freed in the last moment is not reported as held', async () => {
  const world = new World({ a: { automated: true, phases: ['Failed'], sync: 1 } });
  const free = (event: RunEvent) => {
    if (event.type === 'node.finished') world.edit({ windows: [], annotations: new Map() });
  };
  expect((await world.run(PLAN, { listen: free })).held).toEqual([]);
});

test('told to stop while it looks, a validation is an interruption', async () => {
  const world = new World({ a: {} });
  world.settle('a');
  const { target, clock } = world;
  const stop = new AbortController();
  const { signal } = stop;
  const looking = failure(validate(PLAN, { target, clock, signal, concurrency: 1, refresh: true }));
  await clock.advance(100);
  stop.abort();
  expect(await clock.until(looking)).toMatchObject({ exitStatus: 2 });
});

const STACKS = `
apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec:
  root: root
  argocd: {namespace: argocd, project: platform}
  stacks:
    - {name: data, applications: [{name: postgres}]}
    - {name: web, application: web-stack, dependsOn: [stack:data], applications: [{name: api}, {name: ui}]}
`;

test('a parent that a part of the platform only opens is held, too: its own sync waits for what its stack depends on', () => {
  const compiled = compile({ file: 'platform.yaml', text: STACKS });
  const held = (scope: readonly string[], action: 'deploy' | 'teardown' = 'deploy') =>
    holdableNodes(buildPlan(compiled, { action, scope, withDependencies: true })).map(
      ({ id }) => id,
    );
  expect(held(['app:api'])).toEqual(['open:platform', 'app:postgres', 'open:stack:web', 'app:api']);
  expect(held([])).toContain('close:stack:web');
  expect(held([])).not.toContain('open:stack:web');
  expect(held([], 'teardown')).not.toContain('open:stack:web');
});
