// What a teardown tells of its hold where it ends before the first deletion.
import { expect, test } from 'vitest';
import { projectNamed } from '../../../test/fakes/cluster.ts';
import { failure } from '../../../test/fakes/failure.ts';
import { foundApplication, inventoryOf } from '../../../test/fakes/inventory.ts';
import { app, planFrom, World } from '../../../test/fakes/run-world.ts';
import { TiphysError } from '../../errors.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import type { WriteResult } from '../../ports/write-result.ts';
import { teardown } from './run-teardown.ts';

/** `b` is in an AppProject of its own. */
const SPEC = {
  stacks: [
    { name: 's', applications: [app('a'), app('b', ['a'], { argocd: { project: 'other' } })] },
  ],
};
const DEPLOYMENT = planFrom(SPEC);
const PLAN = planFrom(SPEC, { action: 'teardown' });
const NO_ANSWER: WriteResult = { kind: 'unknown', message: 'no answer' };
const SET = { name: 'sets', namespace: 'argocd', uid: 'uid-sets' };
const MAKER = { ...SET, kind: 'ApplicationSet', makes: ['a'] } as const;

class Teardown {
  readonly world = new World({ a: { automated: true }, b: { automated: true } });
  readonly deleted: string[] = [];
  readonly stop = new AbortController();

  constructor() {
    const { argocd } = this.world;
    argocd.projects.put(projectNamed('other'));
    argocd.change('b', { project: 'other' });
    this.world.applications.remove = async ({ name }) => {
      this.deleted.push(name);
      return { kind: 'done' };
    };
  }

  /** Argo CD does not take the hold on that AppProject. */
  refuseHoldOn(name: string): void {
    const { api } = this.world.argocd.projects;
    const update: typeof api.update = async (project, change) =>
      project.name === name ? NO_ANSWER : await api.update(project, change);
    this.world.part.projects = { ...api, update };
  }

  run(part: Partial<Inventory> = {}, runTimeout = 20) {
    const { target, clock, events, abort } = this.world;
    const applications = ['b', 'a'].map((name) => foundApplication(name));
    const request = { whole: PLAN, deployment: DEPLOYMENT, target, clock, concurrency: 5 };
    return clock.until(
      teardown({
        ...request,
        ...{ plan: { ...PLAN, runTimeout }, approved: inventoryOf({ applications, ...part }) },
        ...{ runId: 'r1', holder: 'h', stuckAfter: 60, unsafe: new Set<string>() },
        ...{ listen: (event) => events.push(event), stop: this.stop.signal, abort: abort.signal },
      }),
    );
  }
}

const diagnosticsOf = (error: unknown) =>
  error instanceof TiphysError ? error.diagnostics : [String(error)];
const HELD = (names: string) =>
  `Still on hold: ${names}. The next run takes over the hold; \`tiphys release\` lifts it.`;

test('where its time is up while its hold is half up, it tells what is held', async () => {
  const run = new Teardown();
  run.refuseHoldOn('other');
  const { exitStatus, held, reason } = await run.run();
  expect([exitStatus, held, run.world.held()]).toEqual([4, ['app:a'], ['a']]);
  expect(reason).toContain('the run timed out');
  expect(run.deleted).toEqual([]);
});

test('it tells the same where the AppProjects cannot be read any more', async () => {
  const run = new Teardown();
  run.refuseHoldOn('other');
  void run.world.clock.sleep(19_000).then(() => {
    run.world.argocd.projects.down = new TiphysError([
      { code: 'argocd-unreachable', message: 'down' },
    ]);
  });
  expect((await run.run()).held).toEqual(['app:a']);
});

test('interrupted while its hold is half up, it tells what is held', async () => {
  const run = new Teardown();
  run.refuseHoldOn('other');
  void run.world.clock.sleep(5_000).then(() => run.stop.abort());
  expect(diagnosticsOf(await failure(run.run()))).toMatchObject([
    {
      code: 'interrupted',
      message: 'Interrupted. No Application was deleted.',
      details: [HELD('a')],
    },
  ]);
});

test('interrupted before anything is held, it names nothing', async () => {
  const run = new Teardown();
  run.stop.abort();
  const [first] = diagnosticsOf(await failure(run.run()));
  expect(first).toMatchObject({ code: 'interrupted' });
  expect(first).not.toHaveProperty('details');
  expect(run.world.held()).toEqual([]);
});

test('where an ApplicationSet does not go, or it is interrupted meanwhile, it tells what is held', async () => {
  const endless = new Teardown();
  const set = { ...SET, deleting: false, rollingSync: false, upToDate: true, trackedBy: undefined };
  endless.world.argocd.applicationSets = [set];
  expect(diagnosticsOf(await failure(endless.run({ makers: [MAKER] }, 300)))).toMatchObject([
    { code: 'maker-not-stopped', details: [HELD('a, b')] },
  ]);
  const stopped = new Teardown();
  stopped.world.argocd.applicationSets = [set];
  void stopped.world.clock.sleep(10_000).then(() => stopped.stop.abort());
  expect(diagnosticsOf(await failure(stopped.run({ makers: [MAKER] }, 300)))).toMatchObject([
    {
      code: 'interrupted',
      message: 'Interrupted. No Application was deleted.',
      details: [HELD('a, b')],
    },
  ]);
});
