// `deploy --mode gated` hands nothing over to Argo CD, whatever engine runs it: all stays held after the run.
import { expect, test, vi } from 'vitest';
import { runCli } from '../../src/cli/run-cli.ts';
import { runExecutor } from '../../src/executor/run-executor.ts';
import type { TaskResult, TaskSets } from '../../src/ports/argo-workflows.ts';
import type { Target } from '../../src/ports/target.ts';
import { app, World } from '../fakes/run-world.ts';
import { placeIn } from './caught-workflows.ts';

let reached: Target | undefined;
let served: TaskSets | undefined;
vi.mock('../../src/targets/connect.ts', async (original) => ({
  ...(await original<object>()),
  connect: async () => reached,
  connectToTaskSets: async () => served,
}));

const SPEC = { stacks: [{ name: 's', applications: [app('a'), app('b', ['a'])] }] };
const PLATFORM = JSON.stringify({
  ...{ apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform' },
  ...{ metadata: { name: 'shop' }, spec: SPEC },
});
const FILES = { 'platform.yaml': PLATFORM, '/config/dag.yaml': PLATFORM };
const MODES = [
  ['gated', ['a', 'b']],
  ['continuous', []],
] as const;

function place() {
  const world = new World({ a: { automated: true }, b: { automated: true } });
  const place = placeIn(world, FILES);
  reached = world.target;
  return place;
}

test.each(MODES)('mode %s, in this process: held are %j', async (mode, held) => {
  const { world, call } = place();
  const ended = await call(runCli, ['deploy', '--mode', mode, '--quiet', '-o', 'json']);
  const report = JSON.parse(ended.stdout.trimEnd().split('\n').at(-1) ?? '');
  expect([ended.status, world.held(), report.held]).toEqual([
    ...[0, held],
    held.map((name) => `app:${name}`),
  ]);
});

test.each(MODES)('mode %s, in a rehearsal: held are %j', async (mode, held) => {
  const { call } = place();
  const ended = await call(runCli, ['rehearse', 'deploy', '--mode', mode, '--quiet', '-o', 'json']);
  const { runs } = JSON.parse(ended.stdout.trimEnd().split('\n').at(-1) ?? '');
  expect([ended.status, runs[0].report.held]).toEqual([0, held.map((name) => `app:${name}`)]);
});

const SUBMIT = ['deploy', '--engine', 'argo-workflows', '--image', 'x', '--detach'];
const started = new Date(1_800_000_000_000).toISOString();

test.each(MODES)('mode %s, by the pods of a Workflow: held are %j', async (mode, held) => {
  const { world, call, created } = place();
  expect((await call(runCli, [...SUBMIT, '--nodes', 'pods', '--mode', mode])).status).toBe(0);
  const variables: Record<string, string> = {
    ...{ WORKFLOW: 'argo/wf/uid', WORKFLOW_STARTED: started },
  };
  let run = '';
  const pod = async (action: string, template = action, node = '') => {
    const found = created[0]?.spec.templates.find(({ name }) => name === template);
    const args = (found?.container?.args ?? []).map((arg) =>
      arg.replace('{{inputs.parameters.node}}', node).replace('{{inputs.parameters.run}}', run),
    );
    const ended = await call(runExecutor, [action, ...args], {
      environment: (name) => variables[name],
      writeFile: (path, text) => {
        if (path === '/tmp/run') run = text;
      },
    });
    expect(ended).toMatchObject({ status: 0 });
  };
  await pod('begin');
  await pod('node', 'node', 'app:a');
  await pod('node', 'node', 'app:b');
  expect(world.held()).toEqual(['a', 'b']);
  await pod('end', 'end-by-pod');
  expect(world.held()).toEqual(held);
});

test.each(MODES)('mode %s, by the agent of a Workflow: held are %j', async (mode, held) => {
  const { world, call, created } = place();
  expect((await call(runCli, [...SUBMIT, '--nodes', 'agent', '--mode', mode])).status).toBe(0);
  const patch = JSON.parse(created[0]?.spec.podSpecPatch ?? '');
  const [{ args }] = patch.containers as [{ args: readonly string[] }];
  const tasks = new Tasks();
  served = tasks.api;
  const variables: Record<string, string> = {
    ...{ WORKFLOW_NAMESPACE: 'argo', ARGO_WORKFLOW_NAME: 'wf', ARGO_WORKFLOW_UID: 'uid' },
  };
  const ended = await call(runExecutor, ['agent', ...args], {
    environment: (name) => variables[name],
  });
  expect([ended.status, tasks.phases, world.held()]).toEqual([
    ...[0, ['Succeeded', 'Succeeded', 'Succeeded', 'Succeeded']],
    held,
  ]);
});

/** What Argo Workflows gives the agent, one after the other. */
class Tasks {
  readonly #todo: readonly Readonly<Record<string, string>>[] = [
    { action: 'begin' },
    { action: 'node', node: 'app:a' },
    { action: 'node', node: 'app:b' },
    { action: 'end' },
  ];
  readonly #results: TaskResult[] = [];
  #changed = () => {};

  get phases(): string[] {
    return this.#results.map(({ phase }) => phase);
  }

  get api(): TaskSets {
    return {
      get: async () => {
        const at = this.#results.length;
        const next = this.#todo[at];
        const { run = '' } = this.#results[0]?.outputs ?? {};
        return {
          ...{ isOver: !next, reported: new Set<string>() },
          tasks: new Map(next ? [[`task-${at}`, { started, run, ...next }]] : []),
        };
      },
      report: async (_, __, results) => {
        this.#results.push(...results.values());
        this.#changed();
        return { kind: 'done' };
      },
      watch: async (_, __, changed) => {
        this.#changed = changed;
        return true;
      },
    };
  }
}
