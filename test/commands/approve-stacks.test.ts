// Approvals of stacks, and inside of them: on a cluster in memory.
import { expect, test, vi } from 'vitest';
import { ASKS } from '../fakes/approvals.ts';
import { app } from '../fakes/run-world.ts';
import { cluster, place } from './approve-place.ts';

vi.mock('../../src/targets/connect.ts', () => ({ connect: async () => cluster.reached }));

test('a stack waits for its members first', async () => {
  const stacks = [{ name: 's', application: 'parent', ...ASKS, applications: [app('a')] }];
  const { tiphys, world } = place({ stacks }, { parent: {}, a: {} });
  world.settle('parent');
  const early = await tiphys('approve', 'stack:s');
  expect([early.status, early.stderr]).toEqual([
    1,
    expect.stringContaining('"stack:s" is not ready for approval: a: '),
  ]);
  expect((await tiphys('status')).stdout).toContain('required once it is healthy');
  world.settle('a');
  expect((await tiphys('status')).stdout).toContain('`tiphys approve stack:s`');
  expect((await tiphys('approve', 'stack:s')).status).toBe(0);
});

test('a stack waits for what is inside of a stack in it, too', async () => {
  const stacks = [
    { name: 's', application: 'parent', ...ASKS, applications: [app('a')] },
    { name: 'inner', parent: 's', applications: [app('b')] },
  ];
  const { tiphys, world } = place({ stacks }, { parent: {}, a: {}, b: {} });
  for (const name of ['parent', 'a']) world.settle(name);
  const early = await tiphys('approve', 'stack:s');
  expect([early.status, early.stderr]).toEqual([1, expect.stringContaining('approval: b: ')]);
  world.settle('b');
  expect((await tiphys('approve', 'stack:s')).status).toBe(0);
});

test.each([
  ['without an Application', {}, []],
  ['with an Application', { application: 'inner-parent' }, ['inner-parent']],
])('a stack waits for everything in a stack %s inside of it', async (_, inner, more) => {
  const stacks = [
    { name: 's', application: 'parent', ...ASKS, applications: [app('a', ['stack:inner'])] },
    { name: 'inner', parent: 's', ...inner, applications: [app('b', ['c']), app('c', ['out'])] },
    { name: 'other', applications: [app('out')] },
  ];
  const names = ['parent', 'a', 'b', 'c', 'out', ...more];
  const spec = { stacks };
  const { tiphys, world } = place(spec, Object.fromEntries(names.map((name) => [name, {}])));
  for (const name of ['parent', 'a', ...more]) world.settle(name);
  for (const name of ['b', 'c']) {
    const { status, stderr } = await tiphys('approve', 'stack:s');
    expect([status, stderr]).toEqual([1, expect.stringContaining('is not ready for approval: ')]);
    expect((await tiphys('status')).stdout).toContain('required once it is healthy');
    world.settle(name);
  }
  // What is outside of the stack is no part of it.
  expect((await tiphys('approve', 'stack:s')).status).toBe(0);
});

test('explain finds it inside of a stack whose own Application is Healthy', async () => {
  const stacks = [
    { name: 's', application: 'parent', applications: [app('vault', [], ASKS)] },
    { name: 't', dependsOn: ['stack:s'], applications: [app('api')] },
  ];
  const { tiphys, world } = place({ stacks }, { parent: {}, vault: {}, api: {} });
  for (const name of ['parent', 'vault']) world.settle(name);
  const because = 'vault: approval is needed: Unseal Vault\nnext: `tiphys approve vault`';
  expect((await tiphys('explain', 'api')).stdout).toContain(`because ${because}`);
  expect((await tiphys('explain', 'stack:s')).stdout).toMatch(
    /^stack:s: not everything in it is healthy\n {2}because vault: approval is needed/,
  );
  await tiphys('approve', 'vault');
  expect((await tiphys('explain', 'stack:s')).stdout).toBe('stack:s: healthy\n');
});
