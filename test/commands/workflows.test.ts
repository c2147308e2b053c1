// The commands that deal with Workflows, as a user or a container calls them, on a cluster in memory.
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { runCli } from '../../src/cli/run-cli.ts';
import { runExecutor } from '../../src/executor/run-executor.ts';
import type { Target } from '../../src/ports/target.ts';
import { processIo } from '../../src/process.ts';
import type { Behaviour } from '../fakes/argocd.ts';
import { app, planFrom, World } from '../fakes/run-world.ts';
import { FakeWorkflows } from '../fakes/workflows.ts';

let reached: Target | undefined;
vi.mock('../../src/targets/connect.ts', () => ({ connect: async () => reached }));

const SPEC = { stacks: [{ name: 's', applications: [app('a'), app('b', ['a'])] }] };
const PLATFORM = {
  ...{ apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform' },
  ...{ metadata: { name: 'shop' }, spec: SPEC },
};
const ENVIRONMENT =
  'name: staging\ndomain: example.org\ngitRepository: https://git.example.org/p\ngitRevision: main\n';
const FILES: Readonly<Record<string, string>> = {
  'platform.yaml': JSON.stringify(PLATFORM),
  '/config/dag.yaml': JSON.stringify(PLATFORM),
  '/config/environment.yaml': ENVIRONMENT,
};

function place(behaviour: Readonly<Record<string, Behaviour>> = { a: {}, b: {} }) {
  const world = new World(behaviour);
  const workflows = new FakeWorkflows(world, planFrom(SPEC));
  reached = world.target;
  let ids = 0;
  const call = async (
    program: (args: readonly string[], io: Io) => Promise<number>,
    args: readonly string[],
    variables: Readonly<Record<string, string>> = {},
  ) => {
    const said = { stdout: '', stderr: '' };
    const io: Io = {
      ...processIo,
      ...{ clock: world.clock, screen: () => undefined, onSignal: () => () => {} },
      stdout: (text) => (said.stdout += text),
      stderr: (text) => (said.stderr += text),
      environment: (name) => variables[name],
      exists: (path) => path in FILES,
      readFile: (path) => new TextEncoder().encode(FILES[path]),
      randomId: () => `${++ids}0000000000`,
    };
    return { status: await passing(world, program(args, io)), ...said };
  };
  const tiphys = (...args: string[]) => call(runCli, args);
  const submit = (...more: string[]) =>
    tiphys('deploy', '--engine', 'argo-workflows', '--image', 'x', '--nodes', 'pods', ...more);
  return { world, workflows, call, tiphys, submit };
}

/** Commands load modules on their way: where nothing waits for the virtual clock, the real one is waited for. */
async function passing({ clock }: World, running: Promise<number>): Promise<number> {
  let ended = false;
  const mark = () => {
    ended = true;
  };
  running.then(mark, mark);
  const end = clock.monotonic() + DAY_MS;
  while (!ended && clock.monotonic() < end) {
    if (clock.sleepers > 0) await clock.advance(100);
    else await setTimeout(1);
  }
  return await running;
}

const DAY_MS = 86_400_000;

/** What is loaded before takes no time in between. */
beforeAll(async () => {
  const { tiphys, submit } = place();
  await submit();
  await tiphys('deploy');
  await tiphys('status', '--watch');
  await tiphys('stop');
}, 60_000);

const WF = 'argo/tiphys-deploy-shop-';

describe('stop', () => {
  test('ends what waits to take over, and not what was terminated and still has the Lease', async () => {
    const { world, workflows, tiphys, submit } = place({ a: { sync: 500 }, b: {} });
    await submit('--detach');
    await world.clock.advance(20_000);
    await submit('--detach', '--wait');
    const [first, second] = [...workflows.entries.keys()];
    workflows.entries.get(first ?? '')?.controller.end('terminate');
    await world.clock.advance(2_000);
    const lease = await world.target.leases.get('tiphys-shop');
    expect(lease?.holder).toContain(first);
    expect(workflows.entries.get(first ?? '')?.view.phase).toBe('Failed');
    const stopped = await tiphys('stop');
    expect(stopped.stdout).toBe(
      `stopping Workflow argo/${second}; check it with \`tiphys status\`\n`,
    );
    expect(workflows.stopped).toEqual([second]);
  });

  test('says what starts then; where nothing runs, that', async () => {
    const { world, tiphys, submit } = place({ a: { sync: 500 }, b: {} });
    expect((await tiphys('stop')).stderr).toContain('No Workflow of platform "shop" is running');
    await submit('--detach');
    await world.clock.advance(20_000);
    const waiting = await submit('--detach', '--wait');
    expect(waiting.stdout).toContain(
      `submitted Workflow ${WF}20000, which waits for ${WF}10000; follow`,
    );
    expect((await tiphys('stop')).stdout).toBe(
      `stopping Workflow ${WF}10000; check it with \`tiphys status\`\nWorkflow ${WF}20000 is queued and starts next\n`,
    );
  });
});

describe('status --watch', () => {
  test('of one that has failed before: its report, and its exit status', async () => {
    const { world, tiphys, submit } = place({ a: {}, b: { becomes: 'Degraded' } });
    await submit('--detach');
    await world.clock.advance(3_600_000);
    const watched = await tiphys('status', '--watch');
    expect(watched.status).toBe(2);
    expect(watched.stderr).toMatch(
      /^no run is active; showing the last Workflow, argo\/tiphys-deploy-shop-10000 of 20/,
    );
    expect(watched.stdout).toMatch(/^b +failed/m);
    const json = await tiphys('status', '--watch', '-o', 'json');
    expect(JSON.parse(json.stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      ...{ kind: 'Report', exitStatus: 2 },
    });
  });

  test('of one that its beginning refused, although one before was good', async () => {
    const { world, tiphys, submit } = place();
    expect((await submit()).status).toBe(0);
    world.hide('b', () => false);
    await submit('--detach');
    await world.clock.advance(600_000);
    const watched = await tiphys('status', '--watch');
    expect([watched.status, watched.stderr]).toEqual([
      3,
      expect.stringContaining('ended without a report'),
    ]);
  });

  test('of a run of the other engine since: that one', async () => {
    const { world, tiphys, submit } = place({ a: {}, b: { becomes: 'Degraded' } });
    expect((await submit()).status).toBe(2);
    world.settle('b');
    expect((await tiphys('deploy')).status).toBe(0);
    const watched = await tiphys('status', '--watch');
    expect([watched.status, watched.stderr]).toEqual([
      0,
      expect.stringMatching(/^no run is active; showing the last run, [0-9]+ of 20/),
    ]);
    expect(watched.stdout).toMatch(/^b +unchanged/m);
  });

  test('of one that was killed, or of none', async () => {
    const { world, workflows, tiphys, submit } = place({ a: { sync: 500 }, b: {} });
    expect((await tiphys('status', '--watch')).status).toBe(3);
    await submit('--detach');
    await world.clock.advance(20_000);
    workflows.entries.get('tiphys-deploy-shop-10000')?.controller.end('terminate');
    await world.clock.advance(5_000);
    const terminated = await tiphys('status', '--watch');
    expect([terminated.status, terminated.stderr]).toEqual([
      1,
      expect.stringContaining('ended without a report: its last step did not run'),
    ]);
    // Argo Workflows has removed it: the record is there.
    workflows.entries.clear();
    const gone = await tiphys('status', '--watch');
    expect([gone.status, gone.stderr]).toEqual([2, expect.stringContaining('run-unfinished')]);
  });

  test('of a part of the platform: nothing of the rest', async () => {
    const { world, tiphys, submit } = place();
    reached = world.target;
    const scoped = new FakeWorkflows(world, planFrom(SPEC, { scope: ['app:a'] }));
    reached = { ...world.target, workflows: scoped.api };
    await submit('--detach', '--scope', 'app:a');
    await world.clock.advance(600_000);
    const watched = await tiphys('status', '--watch', '-o', 'json');
    const report = JSON.parse(watched.stdout.trimEnd().split('\n').at(-1) ?? '');
    expect([
      report.exitStatus,
      report.scope,
      report.nodes.map(({ id }: { id: string }) => id),
    ]).toEqual([0, ['app:a'], ['app:a']]);
  });
});

test('the executor reports what it has submitted and does not wait for', async () => {
  const { call } = place();
  const variables = {
    ...{ ENVIRONMENT: 'staging', EXECUTOR_IMAGE: 'executor:1', KUBERNETES_SERVICE_HOST: 'h' },
    METRICS_FILE: '',
  };
  const ended = await call(runExecutor, ['deploy', '--detach'], variables);
  expect(ended.status).toBe(0);
  const report = JSON.parse(ended.stdout);
  expect(report).toMatchObject({
    ...{ kind: 'ExecutorReport', exitStatus: 0, components: [], failures: [] },
    summary: { status: 'success', platform: 'shop', dryRun: false },
    result: { kind: 'Submitted', namespace: 'argo', workflow: 'tiphys-deploy-shop-10000' },
  });
  expect(report.summary.plan).toBe(planFrom(SPEC).hash);
  expect(report.recommendations[0]).toContain(`${WF}10000 is running in the cluster`);
  expect(ended.stderr).toContain(`submitted Workflow ${WF}10000`);
});
