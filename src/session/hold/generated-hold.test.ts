// The hold of a generated member: one pattern for all of its Applications.
import { beforeEach, describe, expect, test } from 'vitest';
import { RunHoldWorld } from '../../../test/fakes/run-hold-world.ts';
import { planFrom } from '../../../test/fakes/run-world.ts';
import type { PlanNode } from '../../plan/plan.ts';
import { hasOwnOperation, nodeFor, syncsByItself, viewsOf } from './own-operations.ts';
import { refreshHeld } from './refresh-held.ts';

const plan = planFrom({
  argocd: { project: 'p' },
  timeouts: { sync: '1m' },
  stacks: [
    {
      name: 's',
      applications: [
        { name: 'a', argocd: { project: 'q' } },
        { name: 'shop', applicationSet: 'set', names: 'shop-*' },
      ],
    },
  ],
});
const nodeOf = (id: string) => plan.nodes.find((node) => node.id === id) as PlanNode;
const SHOP = nodeOf('app:shop');

let world: RunHoldWorld;

beforeEach(() => {
  world = new RunHoldWorld();
  for (const name of ['shop-1', 'shop-2', 'other']) {
    world.argocd.add(name, { automated: true });
    world.argocd.change(name, { project: 'p', applicationSet: 'set' });
  }
});

describe('what a pattern holds', () => {
  test('is what fits it in its AppProject, whoever made it', () => {
    const { watch } = world.argocd;
    world.argocd.change('shop-2', { applicationSet: undefined });
    expect(viewsOf(SHOP, watch).map(({ name }) => name)).toEqual(['shop-1', 'shop-2']);
    world.argocd.change('shop-2', { project: 'q' });
    expect(viewsOf(SHOP, watch).map(({ name }) => name)).toEqual(['shop-1']);
    expect(viewsOf(nodeOf('app:a'), watch).map(({ name }) => name)).toEqual(['a']);
  });

  test('may sync by itself at any time, since something may come', () => {
    for (const name of ['shop-1', 'shop-2']) world.argocd.change(name, { automated: undefined });
    expect(syncsByItself(SHOP, world.argocd.watch)).toBe(true);
    world.argocd.change('a', { automated: undefined });
    expect(syncsByItself(nodeOf('app:a'), world.argocd.watch)).toBe(false);
  });

  test('is busy when one of it is', () => {
    expect(hasOwnOperation(SHOP, world.argocd.watch)).toBe(false);
    world.operates('shop-2');
    expect(hasOwnOperation(SHOP, world.argocd.watch)).toBe(true);
  });

  test('is found by the Application that was seen', () => {
    const find = nodeFor([nodeOf('app:a'), SHOP]);
    const hint = (name: string) => ({
      ...{ name, namespace: 'argocd', application: world.argocd.watch.last({ name } as never) },
    });
    expect(find(hint('shop-1'))?.id).toBe('app:shop');
    expect(find(hint('a'))?.id).toBe('app:a');
    expect(find(hint('other'))).toBeUndefined();
    expect(find({ ...hint('shop-1'), application: undefined })).toBeUndefined();
  });

  test('is refreshed when it is let go', async () => {
    const asked: string[] = [];
    const applications = {
      ...world.argocd.target.applications,
      list: async () => [...world.argocd.watch.all()],
      refresh: async ({ name }: { name: string }) => {
        asked.push(name);
        throw new Error('not now');
      },
    };
    const address = { name: 'shop-*', namespace: 'argocd', project: 'p' };
    await refreshHeld([{ ...address, name: 'a', project: 'q' }, address], { applications });
    expect(asked).toEqual(['a', 'shop-1', 'shop-2']);
  });
});

/** Timers of a hold that did not have to wait. */
async function sleepersOfAnother(): Promise<number> {
  const other = new RunHoldWorld();
  const hold = other.holdOf({ plan });
  await other.clock.until(hold.prepare());
  const { sleepers } = other.clock;
  hold.close();
  return sleepers;
}

describe('a run', () => {
  test('holds the pattern, and hands it over as a whole with a look at each', async () => {
    const hold = world.holdOf({ plan });
    await world.clock.until(hold.prepare());
    expect(world.held('p')).toBe('shop-*');
    hold.handOver(SHOP);
    await world.clock.until(hold.settle());
    expect(world.held('p')).toBe('');
    expect(world.refreshed).toEqual(['shop-1', 'shop-2']);
  });

  test('begins nothing before the pattern is held: one that is left out leaves out all', async () => {
    world.operates('shop-1');
    const hold = world.holdOf({ plan });
    let isReady = false;
    const ready = hold.prepare().then(() => {
      isReady = true;
    });
    await world.clock.until(world.clock.sleep(5_000));
    expect([isReady, world.held('p')]).toEqual([false, '']);
    expect(world.troubles.join()).toContain('"shop-*" have automated syncs in progress');
    world.operates('shop-1', false);
    await world.clock.until(ready);
    expect(world.held('p')).toBe('shop-*');
    hold.close();
  });

  test('does not wait when it is told to stop', async () => {
    world.operates('shop-1');
    const hold = world.holdOf({ plan });
    const ready = hold.prepare();
    ready.catch(() => {});
    await world.clock.until(world.clock.sleep(1_000));
    world.stop.abort();
    await expect(world.clock.until(ready)).rejects.toThrow();
    hold.close();
  });

  test('frees what was caught before it began, and nothing else', async () => {
    const hold = world.holdOf({ plan });
    world.writeMs = 10_000;
    const ready = hold.prepare();
    await world.clock.until(world.clock.sleep(1_000));
    world.operates('shop-2');
    await world.clock.until(world.clock.sleep(30_000));
    expect([world.held('p'), world.refreshed]).toEqual(['', ['shop-2']]);
    world.operates('shop-2', false);
    await world.clock.until(ready);
    expect(world.held('p')).toBe('shop-*');
    hold.close();
  });

  test('leaves frozen what is caught later, until its turn has come', async () => {
    const hold = world.holdOf({ plan });
    await world.clock.until(hold.ensure());
    world.operates('shop-2');
    await world.clock.until(world.clock.sleep(5_000));
    hold.turn(nodeOf('app:a'));
    await world.clock.until(hold.ensure());
    expect([world.held('p'), world.refreshed]).toEqual(['shop-*', []]);
    hold.turn(SHOP);
    await world.clock.until(world.clock.sleep(5_000));
    expect([world.held('p'), world.refreshed]).toEqual(['', ['shop-2']]);
    // Its siblings send their requests meanwhile.
    await world.clock.until(hold.ensure());
    world.operates('shop-2', false);
    await world.clock.until(hold.complete());
    await world.clock.until(hold.settle());
    expect(world.held('p')).toBe('shop-*');
  });

  test('frees what is caught before anything was written, as the beginning of a Workflow does', async () => {
    const hold = world.holdOf({ plan });
    await world.clock.until(hold.prepare());
    world.operates('shop-2');
    await world.clock.until(world.clock.sleep(2_000));
    expect([world.held('p'), world.refreshed]).toEqual(['', ['shop-2']]);
    world.operates('shop-2', false);
    await world.clock.until(hold.complete());
    await world.clock.until(hold.settle());
    expect(world.held('p')).toBe('shop-*');
  });

  test('holds the siblings of one that is busy at the end', async () => {
    const hold = world.holdOf({ plan });
    await world.clock.until(hold.ensure());
    world.operates('shop-2');
    hold.turn(SHOP);
    await world.clock.until(world.clock.sleep(5_000));
    expect(world.held('p')).toBe('');
    await world.clock.until(hold.settle());
    expect(world.held('p')).toBe('shop-*');
  });

  test('leaves frozen what an earlier run has left so', async () => {
    world.leftOver('p', 'shop-*');
    world.operates('shop-2');
    const hold = world.holdOf({ plan });
    await world.clock.until(hold.prepare());
    await world.clock.until(world.clock.sleep(5_000));
    expect([world.held('p'), world.refreshed]).toEqual(['shop-*', []]);
    hold.close();
  });

  test('holds the others in the end, whichever of them is never idle', async () => {
    world.operates('shop-1');
    const hold = world.holdOf({ plan });
    const ready = hold.prepare();
    world.terminate = async ({ name }) => {
      world.operates(name, false);
      world.operates('shop-2');
      return { kind: 'done' };
    };
    await world.clock.until(ready);
    expect([world.held('p'), world.terminated]).toEqual(['shop-*', ['shop-1']]);
    world.operates('shop-2');
    await world.clock.until(world.clock.sleep(5_000));
    expect(world.held('p')).toBe('shop-*');
    hold.close();
  });

  test('gives up when it is lost, and leaves nothing behind that waits', async () => {
    world.operates('shop-1');
    const hold = world.holdOf({ plan });
    const ready = hold.prepare();
    ready.catch(() => {});
    await world.clock.until(world.clock.sleep(1_000));
    const before = world.clock.monotonic();
    world.lost.abort(new Error('the Lease is lost'));
    await expect(world.clock.until(ready)).rejects.toThrow('the Lease is lost');
    expect(world.clock.monotonic()).toBe(before);
    hold.close();
  });

  test('leaves no timer behind when it has waited', async () => {
    const before = await sleepersOfAnother();
    world.operates('shop-1');
    const hold = world.holdOf({ plan });
    const ready = hold.prepare();
    await world.clock.until(world.clock.sleep(1_000));
    world.operates('shop-1', false);
    await world.clock.until(ready);
    expect(world.clock.sleepers).toBe(before);
    hold.close();
  });

  test('ends an operation that has had its time, and no other', async () => {
    world.operates('shop-2');
    const hold = world.holdOf({ plan });
    hold.prepare().catch(() => {});
    await world.clock.until(world.clock.sleep(70_000));
    expect(world.terminated).toEqual(['shop-2']);
    hold.close();
  });
});
