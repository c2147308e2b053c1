// Durations of past deployments, in `plan --measured` and in the estimate of a deployment's progress. Nothing is decided by them.
import { expect, test, vi } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { runCli } from '../../src/cli/run-cli.ts';
import { TiphysError } from '../../src/errors.ts';
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
  spec: { stacks: [{ name: 's', applications: [app('a'), { ...app('b'), dependsOn: ['a'] }] }] },
});
const SCREEN: Partial<Io> = { screen: () => ({ columns: 100, rows: 24 }) };

function place() {
  const world = new World({ a: {}, b: {} });
  world.part.whoAmI = async () => 'jane';
  reached = world.target;
  const { clock } = world;
  const advance = async (ms: number) => {
    if (clock.sleepers > 0) await clock.advance(ms);
  };
  const call = caller({ clock, files: { 'platform.yaml': PLATFORM }, advance });
  const forbid = () => {
    const list = async () => {
      throw new TiphysError([{ code: 'cluster-forbidden', message: 'No list of ConfigMaps.' }]);
    };
    reached = { ...world.target, store: { ...world.target.store, list } };
  };
  return {
    call: (args: string, part?: Partial<Io>) => call(runCli, args.split(' '), part),
    forbid,
  };
}

const remaining = (stderr: string) => /about \S+ remaining(?: \(estimate\))?/.exec(stderr)?.[0];

test('before the first deployment all durations are estimates', async () => {
  const { call } = place();
  expect((await call('plan')).stdout).toMatch(/ESTIMATE[\s\S]*\n0 +a .* 2m30s /);
  const { stdout } = await call('plan --measured');
  expect(stdout).toMatch(/EXPECTED[\s\S]*\n0 +a .* ~2m30s /);
  expect(stdout).toContain('No recorded run deployed these applications: ~ is an estimate.');
  const first = await call('deploy --yes', SCREEN);
  expect([first.status, remaining(first.stderr)]).toEqual([0, 'about 5m remaining (estimate)']);
});

test('after a deployment plan and progress have what it took', async () => {
  const { call } = place();
  expect((await call('deploy')).status).toBe(0);
  const { stdout } = await call('plan --measured');
  expect(stdout).toMatch(/\n0 +a +s +- +\d+s /);
  expect(stdout).toContain('Expected durations are the median of recorded runs.');
  const again = await call('deploy --yes', SCREEN);
  expect(remaining(again.stderr)).toMatch(/^about \d+s remaining$/);
});

test('in JSON they are beside the plan, which has the hash of the file', async () => {
  const { call } = place();
  await call('deploy');
  const plan = JSON.parse((await call('plan -o json')).stdout);
  const { measured, ...same } = JSON.parse((await call('plan --measured -o json')).stdout);
  expect(same).toEqual(plan);
  expect(measured).toEqual({ 'app:a': expect.any(Number), 'app:b': expect.any(Number) });
});

test('without permission to read records, the plan is refused', async () => {
  const { call, forbid } = place();
  await call('deploy');
  forbid();
  const { stderr, status } = await call('plan --measured');
  expect([status, stderr]).toEqual([3, expect.stringContaining('No list of ConfigMaps.')]);
});

test.each([
  ['plan teardown --measured', 'only supported for deploy'],
  ['plan --measured -o dot', 'does not support --measured'],
])('%s is refused', async (args, message) => {
  const { stderr, status } = await place().call(args);
  expect([status, stderr]).toEqual([3, expect.stringContaining(message)]);
});
