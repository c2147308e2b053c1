// A record says who or what started its run, whatever engine runs it. What nobody can verify is marked so, and can inject nothing.
import { expect, test, vi } from 'vitest';
import { runCli } from '../../src/cli/run-cli.ts';
import { runExecutor } from '../../src/executor/run-executor.ts';
import type { Target } from '../../src/ports/target.ts';
import { app, World } from '../fakes/run-world.ts';
import { placeIn } from './caught-workflows.ts';

let reached: Target | undefined;
vi.mock('../../src/targets/connect.ts', async (original) => ({
  ...(await original<object>()),
  connect: async () => reached,
}));

const PLATFORM = JSON.stringify({
  ...{ apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform', metadata: { name: 'shop' } },
  spec: { stacks: [{ name: 's', applications: [app('a')] }] },
});
const ENVIRONMENT = `name: staging\ndomain: example.org
gitRepository: https://git.example.org/p\ngitRevision: main\n`;
const FILES = {
  'platform.yaml': PLATFORM,
  '/config/dag.yaml': PLATFORM,
  '/config/environment.yaml': ENVIRONMENT,
};

function place(whoAmI: Target['whoAmI'] = async () => 'jane') {
  const world = new World({ a: {} });
  world.part.whoAmI = whoAmI;
  const { call, created } = placeIn(world, FILES);
  reached = world.target;
  const executor = async (args: readonly string[], variables: Readonly<Record<string, string>>) =>
    await call(runExecutor, args, {
      environment: (name) => variables[name],
      writeFile: () => {},
    });
  const runs = async () => {
    const { stdout } = await call(runCli, ['runs', '-o', 'json']);
    return JSON.parse(stdout).items.map((run: { startedBy?: unknown }) => run.startedBy);
  };
  return { world, call, executor, created, runs };
}

test('a command: the user of Kubernetes and the account of Argo CD', async () => {
  const { call, runs } = place();
  const ended = await call(runCli, ['deploy']);
  expect(ended.stderr).toContain(
    'started: deploy of "shop", started by jane, Argo CD account tiphys\n',
  );
  expect(ended.stdout).toMatch(/run \w+, started by jane, exit status 0\n$/);
  expect(await runs()).toEqual([{ trigger: 'cli', user: 'jane', argocdAccount: 'tiphys' }]);
  expect((await call(runCli, ['runs'])).stdout).toMatch(/STARTED BY\n.* jane\n$/);
  expect((await call(runCli, ['status'])).stdout).toMatch(
    /last run: \w+, started \S+ by jane, exit/,
  );
});

test('a user that Kubernetes does not tell is no reason to fail', async () => {
  const { call, runs } = place(() => Promise.reject(new Error('timeout')));
  expect((await call(runCli, ['deploy', '--quiet'])).status).toBe(0);
  expect(await runs()).toEqual([{ trigger: 'cli', argocdAccount: 'tiphys' }]);
});

test('an event: its name', async () => {
  const { executor, runs, call } = place(async () => 'system:serviceaccount:argo:tiphys-run');
  const variables = { ENVIRONMENT: 'staging', KUBERNETES_SERVICE_HOST: 'x' };
  const ended = await executor(['deploy'], { ...variables, TRIGGER: 'event:push' });
  expect(ended.status).toBe(0);
  expect(await runs()).toMatchObject([{ trigger: 'event', event: 'push' }]);
  expect((await call(runCli, ['runs'])).stdout).toMatch(/ event push\n$/);
});

test.each([
  ['jane@example.org', 'jane@example.org'],
  ['--keep-hold {{workflow.name}}"\n', '--keep-hold ??workflow.name????'],
  ['x'.repeat(5000), 'x'.repeat(128)],
])('a Workflow: who submitted it, as it claims (%j)', async (user, claimed) => {
  const { executor, created, runs, call } = place(async () => user);
  const submit = ['deploy', '--engine', 'argo-workflows', '--image', 'x', '--detach'];
  expect((await call(runCli, [...submit, '--nodes', 'pods'])).status).toBe(0);
  expect(created[0]?.metadata.annotations['tiphys.dev/submitted-by']).toBe(claimed);
  const begin = created[0]?.spec.templates.find(({ name }) => name === 'begin');
  const ended = await executor(['begin', ...(begin?.container?.args ?? [])], {
    ...{ WORKFLOW: 'argo/wf/uid', KUBERNETES_SERVICE_HOST: 'x' },
  });
  expect(ended.status).toBe(0);
  expect(await runs()).toMatchObject([{ trigger: 'workflow', submittedBy: claimed }]);
  expect((await call(runCli, ['runs'])).stdout).toContain(` ${claimed} (unverified)\n`);
  expect((await call(runCli, ['status'])).stdout).toContain(
    `, started by ${claimed} (unverified), as `,
  );
});
