// A deployment that is expected to take longer than its run may says so, and goes on.
import { expect, test, vi } from 'vitest';
import { runCli } from '../../src/cli/run-cli.ts';
import type { Target } from '../../src/ports/target.ts';
import { app, World } from '../fakes/run-world.ts';
import { caller } from './command-in-process.ts';

let reached: Target | undefined;
vi.mock('../../src/targets/connect.ts', async (original) => ({
  ...(await original<object>()),
  connect: async () => reached,
}));

const applications = [
  { ...app('a'), expectedDuration: '20m' },
  { ...app('b', ['a']), expectedDuration: '30m' },
];
const PLATFORM = JSON.stringify({
  ...{ apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform', metadata: { name: 'shop' } },
  spec: { timeouts: { run: '45m' }, stacks: [{ name: 's', applications }] },
});
const WARNING =
  'the deployment is expected to take about 50m, but timeouts.run is 45m: set timeouts.run to 1h20m';

function place() {
  const world = new World({ a: {}, b: {} });
  const { workflows } = world.target;
  world.part.workflows = {
    ...workflows,
    list: async () => [],
    create: async () => ({ kind: 'done' }),
  };
  reached = world.target;
  const { clock } = world;
  const advance = async (ms: number) => {
    if (clock.sleepers > 0) await clock.advance(ms);
  };
  const files = { 'platform.yaml': PLATFORM };
  return caller({ clock, files, advance });
}

const IN_WORKFLOW = ['--engine', 'argo-workflows', '--image', 'x', '--detach'];

test.each([
  ['in this process', ['--engine', 'embedded'], WARNING],
  ['as a Workflow', IN_WORKFLOW, WARNING],
  ['with an option', ['--timeout', '49m'], '--timeout is 49m: set --timeout to 1h20m'],
])('%s', async (_, options, warning) => {
  const ended = await place()(runCli, ['deploy', '--quiet', ...options]);
  expect(ended.status).toBe(0);
  expect(ended.stderr).toMatch(new RegExp(`^warning: .*${warning}$`, 'm'));
  expect(ended.stdout).not.toContain('expected to take');
});

test('time that is enough is not mentioned', async () => {
  const ended = await place()(runCli, ['deploy', '--quiet', '--timeout', '50m']);
  expect(ended.stderr).not.toContain('expected to take');
});
