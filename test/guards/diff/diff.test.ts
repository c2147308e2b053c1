// What `tiphys diff` shows of a platform in the simulated cluster, and what it asks of it.
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Target } from '../../../src/ports/target.ts';
import { type DiffWorld, diffWorld, SECRETS } from './diff-world.ts';

let reached: Target | undefined;
vi.mock('../../../src/targets/connect.ts', async (original) => ({
  ...(await original<object>()),
  connect: async () => reached,
}));
const reach = (target: Target) => {
  reached = target;
};

interface Shown {
  readonly exitStatus: number;
  readonly nodes: readonly {
    readonly id: string;
    readonly state: string;
    readonly reason: string | null;
    readonly objects: readonly {
      readonly kind: string;
      readonly name: string;
      readonly change: string;
      readonly patch: string;
    }[];
  }[];
}

const shown = async ({ diff }: DiffWorld, ...args: string[]): Promise<Shown> =>
  JSON.parse((await diff('-o', 'json', ...args)).stdout);
const changedLines = (patch: string) => patch.split('\n').filter((line) => /^[+-]/.test(line));

describe('of a platform that Argo CD compared', () => {
  let world: DiffWorld;
  let all: Shown;
  beforeAll(async () => {
    world = await diffWorld(reach);
    all = await shown(world);
  }, 60_000);

  const of = (suffix: string) => {
    const node = all.nodes.find(({ id }) => id === `app:case-${suffix}`);
    if (!node) throw new Error(`no ${suffix}`);
    return node;
  };
  const objects = (suffix: string) =>
    of(suffix).objects.map(({ name, change, patch }) => [name, change, changedLines(patch)]);

  test('the changed line of the changed object, and nothing else', () => {
    expect(objects('changed')).toEqual([['colours', 'changed', ['-  sky: blue', '+  sky: grey']]]);
  });

  test('nothing of what is as Git wants it, or differs only in what is ignored', () => {
    for (const suffix of ['same', 'only-ignored'])
      expect(of(suffix)).toMatchObject({ state: 'same', objects: [] });
    expect(objects('ignored')).toEqual([['clock', 'changed', ['-  hand: short', '+  hand: long']]]);
  });

  test('a Secret is masked, and says which value differs', async () => {
    const lines = ["-  password: '*** (before)'", "+  password: '*** (after)'"];
    expect(objects('secret')).toEqual([['login', 'changed', lines]]);
    expect(of('secret').objects[0]?.patch).toContain("   user: '***'\n");
    const { stdout } = await world.diff('--full');
    for (const value of SECRETS.flatMap((one) => [one, btoa(one)]))
      expect(JSON.stringify(all) + stdout).not.toContain(value);
  });

  test('what is added, what would be pruned, and what stays', () => {
    expect(objects('kept').map(([name, change]) => [name, change])).toEqual([
      ['new', 'added'],
      ['old', 'kept'],
    ]);
    expect(objects('pruned').map(([name, change]) => [name, change])).toEqual([
      ['goes', 'pruned'],
      ['option', 'kept'],
    ]);
    // What a deployment leaves as it is has no lines that look removed.
    const patches = of('pruned').objects.map(({ patch }) => changedLines(patch).length > 0);
    expect(patches).toEqual([true, false]);
    expect(of('added').objects.map(({ change }) => change)).toEqual(['added']);
  });

  test('what is missing, and what Argo CD could not compare', () => {
    expect(of('absent')).toMatchObject({
      ...{ state: 'missing', reason: 'its Application does not exist yet' },
    });
    expect(of('lost')).toMatchObject({
      state: 'unknown',
      reason: expect.stringMatching(/^ComparisonError: .*app path does not exist/),
    });
    expect(all.exitStatus).toBe(1);
  });

  test('exit status 0 without differences, 2 with some, 1 where it is unknown', async () => {
    const statusOf = async (...suffixes: string[]) =>
      (await world.diff(...suffixes.map((one) => `case-${one}`))).status;
    expect(await statusOf('same')).toBe(0);
    expect(await statusOf('same', 'changed')).toBe(2);
    expect(await statusOf('absent')).toBe(2);
    expect(await statusOf('changed', 'lost')).toBe(1);
    expect(await statusOf('nowhere')).toBe(3);
  });

  test('a scope limits it, in the order of the plan', async () => {
    const { nodes } = await shown(world, '--scope', 'stack:third', 'case-same');
    expect(nodes.map(({ id }) => id)).toEqual(['app:case-added', 'app:case-lost', 'app:case-same']);
    const names = (await world.diff('-o', 'name', 'case-same', 'case-kept', 'case-absent')).stdout;
    expect(names).toBe('app:case-kept\napp:case-absent\n');
  });

  test('a long object is cut, unless all of it is asked for', async () => {
    const cut = (await world.diff('case-long')).stdout;
    expect(cut).toContain('... 206 more lines; --full shows them');
    const full = (await world.diff('case-long', '--full')).stdout;
    expect(full).not.toContain('--full');
    expect(changedLines(full)).toHaveLength(300);
    expect(changedLines(of('long').objects[0]?.patch ?? '')).toHaveLength(300);
  });

  test('no text of an object acts on the terminal, forges a line or has a password', async () => {
    const { stdout } = await world.diff('case-hostile');
    expect(stdout.replaceAll(/[ -~\n]/g, '')).toBe('');
    expect(stdout.split('\n').filter((line) => line.startsWith('forged'))).toEqual([]);
    expect(stdout).toContain('+  u: git://***@h/x');
  });

  test('it only reads, and asks for no comparison', async () => {
    world.seen.length = 0;
    await world.diff();
    expect(new Set(world.seen.map(({ method }) => method))).toEqual(new Set(['GET']));
    const paths = world.seen.map(({ path }) => path);
    expect(paths.filter((path) => path.includes('refresh='))).toEqual([]);
    // Of what is Synced nothing more is asked.
    expect(paths.filter((path) => /case-same\/managed-resources/.test(path))).toEqual([]);
    expect(paths.filter((path) => /case-kept\/managed-resources/.test(path))).toHaveLength(1);
  });
});

test('commits that Argo CD has not seen show after a refresh', async () => {
  const world = await diffWorld(reach, { refreshed: false });
  const before = await world.diff('case-changed');
  expect([before.status, before.stdout]).toEqual([0, expect.stringContaining('add --refresh')]);
  world.seen.length = 0;
  const after = await world.diff('case-changed', '--refresh');
  expect([after.status, after.stdout]).toEqual([2, expect.stringContaining('+  sky: grey')]);
  expect(after.stdout).not.toContain('--refresh');
  const refreshes = world.seen.filter(({ path }) => path.includes('refresh='));
  expect(refreshes.map(({ method, path }) => [method, /refresh=(\w+)/.exec(path)?.[1]])).toEqual([
    ['GET', 'normal'],
  ]);
}, 60_000);
