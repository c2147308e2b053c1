// The hold as one of several processes of a run sees it: gone or smaller it ends the run, not yet there it is put up.
import { beforeEach, describe, expect, test } from 'vitest';
import { application } from '../../../test/fakes/application.ts';
import { FakeLeases, projectNamed } from '../../../test/fakes/cluster.ts';
import { codeOf, failure } from '../../../test/fakes/failure.ts';
import { HoldWorld } from '../../../test/fakes/hold-world.ts';
import { planFrom } from '../../../test/fakes/run-world.ts';
import { TiphysError } from '../../errors.ts';
import type { ApplicationView } from '../../ports/application-view.ts';
import { HOLD_ANNOTATION, holdWindow } from '../../run/hold.ts';
import { leaseFor } from '../lease/lease-data.ts';
import { SharedHold } from './shared-hold.ts';

const PLAN = planFrom({
  argocd: { project: 'p' },
  stacks: [
    {
      name: 's',
      applications: [
        { name: 'a' },
        { name: 'b' },
        { name: 'c' },
        { name: 'x', argocd: { project: 'q' } },
      ],
    },
  ],
});
const SYNCS = { automated: { prune: false, selfHeal: true } };
const OWN_OPERATION = { operation: { infos: new Map(), automated: true, username: '' } };
const REQUESTED = { operation: { infos: new Map(), automated: false, username: 'x' } };

let world: HoldWorld;
let leases: FakeLeases;
let seen: Map<string, ApplicationView>;
let marked: string[];

beforeEach(() => {
  world = new HoldWorld();
  world.projects.put(projectNamed('q'));
  leases = new FakeLeases();
  seen = new Map();
  for (const name of ['a', 'b', 'c', 'x']) see(name, SYNCS);
  marked = [];
});

const see = (name: string, part: Partial<ApplicationView>) =>
  seen.set(name, application({ name, ...part }));

const sharedHoldOf = (names: string[], get = world.projects.api.get) =>
  new SharedHold({
    plan: PLAN,
    names: new Set(names),
    watch: { last: ({ name }) => seen.get(name), all: () => seen.values() },
    clock: world.clock,
    signal: new AbortController().signal,
    onTrouble: (message) => world.troubles.push(message),
    session: {
      identity: { id: 'r1', platform: 'shop', plan: PLAN.hash },
      target: { projects: { get }, leases: leases.api },
      holdWriter: () => world.writerOf(),
      markHeld: async (projects) => void marked.push(...projects),
    },
  });

const sharedHold = (...names: string[]) => sharedHoldOf(names);

const hold = (names: string[], annotation = 'shop/r1', project = 'p') =>
  world.edit(
    { windows: [holdWindow(names)], annotations: new Map([[HOLD_ANNOTATION, annotation]]) },
    project,
  );

/** The beginning of the run has put it up there. */
const mark = (...holds: string[]) => {
  const run = { run: 'r1', plan: PLAN.hash, finished: false };
  leases.put(leaseFor('tiphys-shop', undefined, 'wf', { ...run, holds }, 0));
};

const ensured = (shared: SharedHold) => world.clock.until(failure(shared.ensure()));
const done = () => [world.held('p'), world.held('q'), marked, world.clock.sleepers];

describe('before a write', () => {
  test('what is there is left as it is', async () => {
    hold(['a', 'b']);
    expect(await ensured(sharedHold('a', 'b'))).toBeUndefined();
    expect([world.sent, marked]).toEqual([[], []]);
  });

  test('what is not there is put up for all of the plan on that AppProject, and told to the others', async () => {
    expect(await ensured(sharedHold('a'))).toBeUndefined();
    expect(done()).toEqual([['a', 'b', 'c'], undefined, ['p'], 0]);
  });

  test('what has only a part of it is completed', async () => {
    hold(['a']);
    mark('p');
    expect(await ensured(sharedHold('a', 'b'))).toBeUndefined();
    expect(done()).toEqual([['a', 'b', 'c'], undefined, ['p'], 0]);
  });

  test('every AppProject of what is asked for is looked at by itself', async () => {
    hold(['a', 'b', 'c']);
    mark('p');
    expect(await ensured(sharedHold('a', 'x'))).toBeUndefined();
    expect(done()).toEqual([['a', 'b', 'c'], ['x'], ['q'], 0]);
  });

  test.each<[string, Partial<ApplicationView> | undefined, boolean]>([
    ['does not sync by itself', {}, false],
    ['does not exist yet', undefined, true],
    ['syncs by itself, though another one does not', SYNCS, true],
  ])('what %s', async (_, part, isHeld) => {
    see('a', {});
    if (part) see('b', part);
    else seen.delete('b');
    expect(await ensured(sharedHold('a', 'b'))).toBeUndefined();
    expect([world.held() !== undefined, marked]).toEqual([isHeld, isHeld ? ['p'] : []]);
  });

  test('a hold without an owner on the AppProject ends it, and nothing goes on', async () => {
    world.leftOver(undefined, 'z');
    expect(codeOf(await ensured(sharedHold('a')))).toBe('project-held');
    expect(done()).toEqual([['z'], undefined, [], 0]);
  });

  test.each<[string, () => void]>([
    ['gone', () => world.edit({ windows: [] })],
    ['smaller', () => hold(['b'])],
  ])('one that was there and is %s is lost, and not put up again', async (_, change) => {
    hold(['a', 'b']);
    const [found, own] = [sharedHold('a'), sharedHold('x')];
    await ensured(found);
    await ensured(own);
    change();
    world.edit({ windows: [] }, 'q');
    const { length } = world.sent;
    expect(codeOf(await ensured(found))).toBe('hold-lost');
    expect(codeOf(await ensured(own))).toBe('hold-lost');
    expect(world.sent).toHaveLength(length);
  });
});

describe('a hold that the run has put up', () => {
  const changes: [string, () => void][] = [
    ['gone', () => world.edit({ windows: [] })],
    ['of another run', () => hold(['a', 'b', 'c'], 'shop/r2')],
    ['of another platform', () => hold(['a', 'b', 'c'], 'office/r1')],
    [
      'changed by hand',
      () => {
        hold(['a', 'b', 'c']);
        world.edit({ windows: [{ ...holdWindow(['a', 'b', 'c']), manualSync: false }] });
      },
    ],
    ['deleted with its AppProject', () => world.projects.delete('p')],
  ];
  test.each(changes)('and that is %s is lost', async (_, change) => {
    mark('p');
    change();
    for (const look of [ensured, (shared: SharedHold) => failure(shared.check())]) {
      const error = await look(sharedHold('a'));
      expect(codeOf(error)).toBe('hold-lost');
      expect(String(error)).toContain('AppProject "p"');
    }
    expect(world.sent).toEqual([]);
  });

  test.each<[string, string[], Partial<ApplicationView>, boolean]>([
    ['all that is asked for is held', ['a', 'b'], SYNCS, false],
    ['one of it is not', ['a'], SYNCS, true],
    ['one of it is not, and has a requested operation', ['a'], REQUESTED, true],
    ['one of it is not, since its own operation goes on', ['a'], OWN_OPERATION, false],
    ['none of it is, and one has its own operation', [], OWN_OPERATION, true],
  ])('%s', async (_, names, part, isLost) => {
    mark('p');
    if (names.length > 0) hold(names);
    see('b', part);
    const error = await failure(sharedHold('a', 'b').check());
    expect(codeOf(error)).toBe(isLost ? 'hold-lost' : undefined);
  });

  test('is not missed where nothing of it is asked for', async () => {
    mark('p');
    hold(['x'], 'shop/r1', 'q');
    expect(await failure(sharedHold('x').check())).toBeUndefined();
  });

  test.each([['nobody said that it is there'], ['there is no Lease']])('%s', async (which) => {
    if (which.startsWith('nobody')) mark('q');
    expect(await failure(sharedHold('a').check())).toBeUndefined();
  });
});

const refusing = (times: number) => {
  const { get } = world.projects.api;
  let left = times;
  const read: typeof get = async (name) => {
    if (left-- > 0) throw new TiphysError([{ code: 'cluster-forbidden', message: 'cannot get.' }]);
    return await get(name);
  };
  return read;
};

test('a read that Kubernetes refuses for a moment is tried again, and told', async () => {
  hold(['a']);
  expect(await ensured(sharedHoldOf(['a'], refusing(5)))).toBeUndefined();
  expect(world.troubles).toEqual([expect.stringContaining('cannot get; retrying since')]);
});

test('a read that Kubernetes refuses for two minutes fails', async () => {
  expect(codeOf(await ensured(sharedHoldOf(['a'], refusing(100))))).toBe('cluster-forbidden');
  expect(world.clock.monotonic()).toBeLessThan(135_000);
});
