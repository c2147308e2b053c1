// One environment file is for one cluster: with that of another one nothing is written, whoever asks and whatever engine runs it.
import { expect, test, vi } from 'vitest';
import { runCli } from '../../src/cli/run-cli.ts';
import { runExecutor } from '../../src/executor/run-executor.ts';
import type { Target } from '../../src/ports/target.ts';
import { app, World } from '../fakes/run-world.ts';
import { caller } from './command-in-process.ts';

let reached: Target | undefined;
vi.mock('../../src/targets/connect.ts', async (original) => ({
  ...(await original<object>()),
  connect: async () => reached,
}));

const PLATFORM = JSON.stringify({
  ...{ apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform', metadata: { name: 'shop' } },
  spec: { stacks: [{ name: 's', applications: [{ ...app('a'), gate: { approval: 'Go?' } }] }] },
});
const OPEN = PLATFORM.replace('"gate":{"approval":"Go?"}', '"gate":{}');
const environment = (cluster: string) => `name: staging\ndomain: example.org
gitRepository: https://git.example.org/p\ngitRevision: main\nclusterName: ${cluster}\n`;
const filesFor = (cluster: string, platform = OPEN) => ({
  ...{ 'platform.yaml': platform, '/config/dag.yaml': platform },
  ...{ 'environment.yaml': environment(cluster), '/config/environment.yaml': environment(cluster) },
});

interface Manifest {
  readonly spec: {
    readonly templates: readonly {
      readonly name: string;
      readonly container?: { readonly args: readonly string[] };
    }[];
  };
}

function place() {
  const world = new World({ a: {} });
  const created: Manifest[] = [];
  world.part.whoAmI = async () => 'jane';
  world.part.address = { context: 'kind', server: 'https://10.0.0.1' };
  world.part.workflows = {
    ...world.target.workflows,
    list: async () => [],
    create: async (_, __, object) => {
      created.push(object as Manifest);
      return { kind: 'done' };
    },
  };
  reached = world.target;
  const { clock } = world;
  const advance = async (ms: number) => {
    if (clock.sleepers > 0) await clock.advance(ms);
  };
  const on = (cluster: string, platform?: string) =>
    caller({ clock, files: filesFor(cluster, platform), advance });
  const recorded = async () =>
    (await world.target.store.list(new Map([['tiphys.dev/cluster', 'name']]))).map(({ data }) =>
      Buffer.from(data.get('name') ?? []).toString(),
    );
  return { world, on, created, recorded };
}

const POD = { WORKFLOW: 'argo/wf/uid', KUBERNETES_SERVICE_HOST: 'x' };

test('the first deployment records the name, and keeps it', async () => {
  const { on, recorded } = place();
  const first = await on('blue')(runCli, ['deploy']);
  expect([first.status, await recorded()]).toEqual([0, ['blue']]);
  expect(first.stderr).toMatch(/^Cluster: {3}https:\/\/10.0.0.1 \(not confirmed as "blue"\)/);
  const second = await on('blue')(runCli, ['deploy', '-o', 'json']);
  expect(second.status).toBe(0);
  expect(JSON.parse(second.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    kind: 'Report',
    where: { clusterName: 'blue', recordedName: 'blue', environment: 'staging', user: 'jane' },
  });
});

test('who only looks records nothing', async () => {
  const { on, recorded } = place();
  for (const args of [['deploy', '--dry-run'], ['validate'], ['status'], ['explain', 'a']])
    await on('blue')(runCli, args);
  expect(await recorded()).toEqual([]);
});

test.each([
  [['deploy']],
  [['deploy', '--dry-run']],
  [['deploy', '--engine', 'argo-workflows', '--detach']],
  [['teardown', '--confirm', 'shop']],
  [['release']],
  [['stop']],
  [['approve', 'a']],
])('another name refuses %j before any write', async (args) => {
  const { world, on, created } = place();
  await on('blue')(runCli, ['deploy']);
  const before = JSON.stringify([await world.target.leases.get('tiphys-shop'), created]);
  const ended = await on('green', args[0] === 'approve' ? PLATFORM : OPEN)(runCli, args);
  expect([ended.status, ended.stderr]).toEqual([
    3,
    expect.stringContaining(
      'error[cluster-name-differs]: The environment file is for cluster "green", and this cluster is "blue".',
    ),
  ]);
  expect(JSON.stringify([await world.target.leases.get('tiphys-shop'), created])).toBe(before);
});

test('who only looks is told', async () => {
  const { on } = place();
  await on('blue')(runCli, ['deploy']);
  for (const args of [['validate'], ['status'], ['explain', 'a']]) {
    const { status, stdout } = await on('green')(runCli, args);
    expect([status, stdout]).toEqual([0, expect.stringContaining('is recorded as "blue"')]);
  }
});

test('a Workflow records the name, and refuses another one at its beginning', async () => {
  const { on, created, recorded } = place();
  const submit = ['deploy', '--engine', 'argo-workflows', '--image', 'x', '--detach'];
  await on('blue')(runCli, [...submit, '--nodes', 'pods']);
  const begin = created[0]?.spec.templates.find(({ name }) => name === 'begin');
  const args = ['begin', ...(begin?.container?.args ?? [])];
  const part = {
    environment: (name: string) => POD[name as keyof typeof POD],
    writeFile: () => {},
  };
  expect((await on('blue')(runExecutor, args, part)).status).toBe(0);
  expect(await recorded()).toEqual(['blue']);
  const refused = await on('green')(runExecutor, args, part);
  expect([refused.status, refused.stdout + refused.stderr]).toEqual([
    3,
    expect.stringContaining('cluster-name-differs'),
  ]);
});
