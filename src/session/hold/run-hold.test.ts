// The hold of one run: when it is put up, what it leaves out, and what is looked at again once it is let go.
import { beforeEach, describe, expect, test } from 'vitest';
import { codeOf, failure } from '../../../test/fakes/failure.ts';
import { RunHoldWorld } from '../../../test/fakes/run-hold-world.ts';
import { TiphysError } from '../../errors.ts';
import { Abandoned } from '../abandoned.ts';

let world: RunHoldWorld;

beforeEach(() => {
  world = new RunHoldWorld();
});

describe('put up', () => {
  test.each<[string, readonly string[], boolean]>([
    ['not where all looks done', ['a', 'b', 'x'], false],
    ['where one does not', ['a', 'x'], true],
    ['where none does', [], true],
  ])('at once: %s', async (_, done, isUp) => {
    const hold = world.holdOf({ looksDone: ({ application }) => done.includes(application ?? '') });
    await world.clock.until(hold.prepare());
    expect([world.held('p'), world.held('q')]).toEqual(isUp ? ['a b', 'x'] : ['', '']);
  });

  test.each([
    ['p', 'a', 'a b'],
    ['q', 'x', 'a b'],
  ])('at once where an earlier run left something held on %s', async (project, name, held) => {
    world.leftOver(project, name);
    await world.clock.until(world.holdOf({ looksDone: () => true }).prepare());
    expect([world.held('p'), world.held('q')]).toEqual([held, 'x']);
  });

  test('for what an earlier run left held, though nothing syncs by itself', async () => {
    world.leftOver('p', 'a');
    for (const name of ['a', 'b', 'x']) world.argocd.change(name, { automated: undefined });
    await world.clock.until(world.holdOf({ looksDone: () => true }).prepare());
    expect(world.held('p')).toBe('a b');
  });

  test('not for an Application that was handed over, though it alone syncs by itself', async () => {
    for (const name of ['b', 'x']) world.argocd.change(name, { automated: undefined });
    const hold = world.holdOf();
    hold.handOver(world.node('a'));
    await world.clock.until(hold.ensure());
    expect([world.held('p'), world.held('q')]).toEqual(['', '']);
  });

  test('not once the run is told to stop', async () => {
    const hold = world.holdOf();
    world.stop.abort();
    await world.clock.until(hold.prepare());
    expect(await failure(hold.ensure())).toBeInstanceOf(Abandoned);
    expect(world.held('p')).toBe('');
  });

  test('later, where a sync makes one of them sync by itself, unless it was handed over', async () => {
    for (const name of ['a', 'b', 'x']) world.argocd.change(name, { automated: undefined });
    const hold = world.holdOf();
    await world.clock.until(hold.prepare());
    hold.handOver(world.node('a'));
    world.argocd.change('a', { automated: { prune: false, selfHeal: true } });
    world.argocd.change('b', { health: { status: 'Degraded', message: '', lastTransition: 't' } });
    await world.clock.advance(5_000);
    expect(world.held('p')).toBe('');
    world.argocd.change('b', { automated: { prune: false, selfHeal: true } });
    await world.clock.advance(5_000);
    expect(world.held('p')).toBe('b');
  });
});

describe('an AppProject that is watched', () => {
  test('is looked at when it changes, and not from time to time', async () => {
    let changed = () => {};
    const hold = world.holdOf({
      watchProjects: async (tell) => {
        changed = tell;
        return true;
      },
    });
    await world.clock.until(hold.prepare());
    const { reads } = world.argocd.projects;
    await world.clock.advance(60_000);
    expect(world.argocd.projects.reads).toBe(reads);
    world.argocd.projects.delete('p');
    changed();
    await world.clock.advance(0);
    expect(world.losses.map(codeOf)).toEqual(['hold-lost']);
    expect(hold.heldNodes()).toEqual([]);
  });

  test('is looked at from time to time where it may not be watched', async () => {
    await world.clock.until(world.holdOf().prepare());
    const { reads } = world.argocd.projects;
    await world.clock.advance(60_000);
    expect(world.argocd.projects.reads).toBe(reads + 2 * 6);
  });
});

describe('handed over', () => {
  test('an Application leaves the hold, and is looked at once', async () => {
    const hold = world.holdOf();
    await world.clock.until(hold.prepare());
    expect(hold.heldNodes()).toEqual(['app:a', 'app:b', 'app:x']);
    hold.handOver(world.node('a'));
    await world.clock.advance(5_000);
    expect([world.held('p'), world.refreshed]).toEqual(['b', ['a']]);
    expect(hold.heldNodes()).toEqual(['app:b', 'app:x']);
    hold.handOver(world.node('a'));
    hold.handOver(world.node('b'));
    await world.clock.until(hold.settle());
    expect([world.held('p'), world.refreshed]).toEqual(['', ['a', 'b']]);
  });

  test('in mode gated it is held again where somebody took that away', async () => {
    const hold = world.holdOf({ keep: true, looksDone: () => true });
    await world.clock.until(hold.prepare());
    hold.handOver(world.node('a'));
    expect(world.held('p')).toBe('');
    await world.clock.until(hold.ensure());
    expect(world.held('p')).toBe('a b');
  });

  test('in mode gated it stays', async () => {
    const hold = world.holdOf({ keep: true });
    await world.clock.until(hold.prepare());
    hold.handOver(world.node('a'));
    await world.clock.until(hold.settle());
    expect([world.held('p'), world.refreshed]).toEqual(['a b', []]);
  });

  test('it is not looked at before its name is out, whatever else is written', async () => {
    world.writeMs = 3_000;
    const hold = world.holdOf();
    await world.clock.until(hold.prepare());
    // Each AppProject has a write of its own: that of q is answered later.
    hold.handOver(world.node('a'));
    await world.clock.advance(1_000);
    hold.handOver(world.node('b'));
    hold.handOver(world.node('x'));
    await world.clock.advance(2_500);
    expect(world.refreshed).toEqual(['a']);
    await world.clock.advance(10_000);
    expect([...world.refreshed].sort()).toEqual(['a', 'b', 'x']);
  });

  test('one that cannot be looked at now does not end the run', async () => {
    world.refreshFails = new TiphysError([{ code: 'argocd-unreachable', message: 'down' }]);
    const hold = world.holdOf();
    await world.clock.until(hold.prepare());
    hold.handOver(world.node('a'));
    expect(await world.clock.until(failure(hold.settle()))).toBeUndefined();
  });
});

test('without the platform nothing more is written, and nothing is known to be held', async () => {
  const hold = world.holdOf();
  await world.clock.until(hold.prepare());
  const reason = new Error('lost');
  world.lost.abort(reason);
  hold.handOver(world.node('a'));
  expect(await world.clock.until(failure(hold.settle()))).toBe(reason);
  expect([world.held('p'), hold.heldNodes()]).toEqual(['a b', []]);
});

test('what keeps it from being written is told until it is written', async () => {
  const hold = world.holdOf();
  world.argocd.projects.faults.push(
    ...Array.from({ length: 10 }, () => ({ result: 'lost-request' as const })),
  );
  const prepared = hold.prepare();
  await world.clock.advance(5_000);
  expect([hold.trouble, world.troubles.length > 0]).toEqual([
    expect.stringContaining('no answer'),
    true,
  ]);
  await world.clock.until(prepared);
  expect(hold.trouble).toBeUndefined();
});
