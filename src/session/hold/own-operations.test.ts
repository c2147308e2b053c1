// A window would freeze an operation that Argo CD has begun by itself: the Application is left out until it has ended.
import { beforeEach, describe, expect, test } from 'vitest';
import { codeOf, failure } from '../../../test/fakes/failure.ts';
import { RunHoldWorld } from '../../../test/fakes/run-hold-world.ts';
import type { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { keyOf } from '../../plan/node-address.ts';
import { Abandoned } from '../abandoned.ts';
import type { RunHold } from './run-hold.ts';

let world: RunHoldWorld;
let clock: VirtualClock;

beforeEach(async () => {
  world = new RunHoldWorld();
  ({ clock } = world);
  await clock.advance(500_000);
});

const A = new Set(['a']);
const OWN = { infos: new Map<string, string>(), automated: true, username: '' };

/** Says when it ends. */
function noted(promise: Promise<unknown>): { at: number | undefined } {
  const note: { at: number | undefined } = { at: undefined };
  const start = clock.monotonic();
  void promise.then(() => {
    note.at = clock.monotonic() - start;
  });
  return note;
}

async function prepared(): Promise<RunHold> {
  const hold = world.holdOf();
  await clock.until(hold.prepare());
  return hold;
}

describe('in flight when the hold comes', () => {
  test('it is left out until it has ended, and not looked at', async () => {
    world.operates('a');
    const hold = await prepared();
    const [all, held, others] = [
      noted(hold.complete()),
      noted(hold.untilHeld(A)),
      noted(hold.untilHeld(new Set(['b', 'x']))),
    ];
    await clock.advance(30_000);
    expect([world.held('p'), world.held('q'), world.refreshed]).toEqual(['b', 'x', []]);
    expect([all.at, held.at, others.at]).toEqual([undefined, undefined, 0]);
    world.operates('a', false);
    await clock.advance(0);
    expect([world.held('p'), all.at, held.at]).toEqual(['a b', 30_000, 30_000]);
    expect([world.refreshed, world.terminated]).toEqual([[], []]);
  });

  test('it is left out, too, where only the look before the run has seen it', async () => {
    world.operates('a');
    const found = new Map([[keyOf(world.node('a')), world.argocd.view('a')]]);
    const watch = { ...world.argocd.watch, last: () => undefined };
    await clock.until(world.holdOf({ watch, found }).prepare());
    expect(world.held('p')).toBe('b');
  });

  test('one that froze under the window of an earlier run is let out, and looked at', async () => {
    world.leftOver('p', 'a', 'b');
    world.operates('a');
    await prepared();
    await clock.advance(2_000);
    expect([world.held('p'), world.refreshed]).toEqual(['b', ['a']]);
  });

  test.each([
    ['that has ended while the watch was late', async () => world.argocd.view('a')],
    ['of an Application that was deleted meanwhile', async () => undefined],
    ['that nobody can read', async () => Promise.reject(new Error('timeout'))],
  ])('one %s stays held', async (_, get) => {
    world.leftOver('p', 'a', 'b');
    const last = { ...world.argocd.view('a'), operation: OWN };
    const watch = { ...world.argocd.watch, last: () => last };
    const applications = { ...world.argocd.target.applications, get };
    await clock.until(world.holdOf({ watch, applications }).prepare());
    await clock.advance(50_000);
    expect([world.held('p'), world.refreshed]).toEqual(['a b', []]);
  });

  test("after its time somebody's sync that has taken its place unseen is not terminated", async () => {
    world.operates('a');
    const last = world.argocd.view('a');
    const watch = { ...world.argocd.watch, last: () => last };
    void world.holdOf({ watch }).prepare();
    const operation = { ...OWN, automated: false, username: 'jane' };
    await clock.advance(30_000);
    world.argocd.change('a', { operation });
    await clock.advance(90_000);
    expect(world.terminated).toEqual([]);
  });

  const BEHIND = { ...OWN, username: 'b' };

  test.each([
    ['that a server does not show yet', (n: number) => (n < 99 ? 'old' : 'new')],
    ['that can be read only at the third time', (n: number) => (n < 3 ? 'none' : 'new')],
  ])('one %s is let out', async (_, answer) => {
    world.leftOver('p', 'a', 'b');
    const old = world.argocd.view('a');
    world.argocd.change('a', { operation: BEHIND });
    let reads = 0;
    const get = async () => {
      const now = answer(++reads);
      if (now === 'none') throw new Error('timeout');
      return now === 'old' ? old : world.argocd.view('a');
    };
    const applications = { ...world.argocd.target.applications, get };
    void world.holdOf({ applications }).prepare();
    await clock.advance(20_000);
    expect(world.held('p')).toBe('b');
  });

  test('after its time it is terminated, and held once it has really ended', async () => {
    world.operates('a');
    const hold = await prepared();
    const held = noted(hold.untilHeld(A));
    await clock.advance(59_999);
    expect(world.terminated).toEqual([]);
    await clock.advance(8_001);
    expect([world.terminated, world.held('p')]).toEqual([['a'], 'b']);
    world.operates('a', false);
    await clock.advance(0);
    expect([world.held('p'), held.at]).toEqual(['a b', 68_000]);
  });

  const UNKNOWN = { kind: 'unknown', message: 'no answer' } as const;
  const REFUSED = { kind: 'refused', reason: 'forbidden', message: 'no' } as const;

  test.each([
    ['whose answer is lost is asked for again', UNKNOWN, [60_000, 65_000]],
    ['that is forbidden is not asked for again', REFUSED, [60_000]],
  ])('a termination %s', async (_, answer, expected) => {
    world.operates('a');
    await prepared();
    const start = clock.monotonic();
    const asked: number[] = [];
    world.terminate = async () => {
      asked.push(clock.monotonic() - start);
      return asked.length === 1 ? answer : { kind: 'done' };
    };
    await clock.advance(119_000);
    expect(asked).toEqual(expected);
  });

  test('a termination whose answer is lost is asked for again only while the operation runs', async () => {
    world.operates('a');
    await prepared();
    let times = 0;
    world.terminate = async () => {
      times += 1;
      world.operates('a', false);
      return UNKNOWN;
    };
    await clock.advance(100_000);
    expect([times, world.held('p')]).toEqual([1, 'a b']);
  });

  test.each<[string, () => void, number]>([
    ['does not end though it was terminated', () => {}, 120_000],
    [
      'cannot be terminated now',
      () => {
        world.terminate = () => Promise.reject(new Error('down'));
      },
      120_000,
    ],
    [
      'may not be terminated, since the Lease is not renewed',
      () => {
        world.mayWrite = false;
      },
      60_000,
    ],
  ])('one that %s is not held, and who needs that is told', async (_, change, ends) => {
    world.operates('a');
    const hold = await prepared();
    change();
    const error = failure(hold.untilHeld(A));
    const all = noted(hold.complete());
    await clock.advance(200_000);
    expect([all.at, world.held('p')]).toEqual([ends, 'b']);
    expect(codeOf(await error)).toBe('operation-endless');
    expect(String(await error)).toContain('"a"');
    expect(await failure(hold.untilHeld(new Set(['b'])))).toBeUndefined();
  });

  test('handed over meanwhile it is not held afterwards', async () => {
    world.operates('a');
    const hold = await prepared();
    hold.handOver(world.node('a'));
    world.operates('a', false);
    await clock.advance(5_000);
    expect([world.held('p'), await failure(hold.untilHeld(A))]).toEqual(['b', undefined]);
  });

  test('at the end of the run it is neither terminated nor held, and that is told', async () => {
    world.operates('a');
    const hold = await prepared();
    const waiting = failure(hold.untilHeld(A));
    await clock.until(hold.settle());
    expect(await clock.until(waiting)).toBeInstanceOf(Abandoned);
    expect(world.events.filter(({ type }) => type === 'run.warning')).toEqual([
      { type: 'run.warning', message: expect.stringContaining('not on hold') },
    ]);
    world.operates('a', false);
    await clock.advance(200_000);
    expect([world.held('p'), world.terminated]).toEqual(['b', []]);
  });
});

describe('begun in the moment in which the hold was written', () => {
  test('its name is taken out, it is looked at, and held again when it has ended', async () => {
    const hold = await prepared();
    world.operates('a');
    await clock.advance(2_000);
    expect([world.held('p'), world.refreshed]).toEqual(['b', ['a']]);
    // Whatever is seen of it meanwhile.
    world.argocd.change('a', { reconciledAt: 7 });
    world.argocd.change('b', { reconciledAt: 7 });
    await clock.advance(2_000);
    expect([world.held('p'), world.refreshed]).toEqual(['b', ['a']]);
    world.operates('a', false);
    await clock.until(hold.untilHeld(A));
    expect(world.held('p')).toBe('a b');
    const held = world.events.flatMap((event) =>
      event.type === 'hold.changed' && event.project === 'p' ? [event.held.join(' ')] : [],
    );
    expect(held).toEqual(['a b', 'b', 'a b']);
  });

  test('an operation that somebody requested leaves it held', async () => {
    await prepared();
    world.argocd.change('a', {
      operation: { infos: new Map(), automated: false, username: 'admin' },
    });
    await clock.advance(5_000);
    expect([world.held('p'), world.refreshed]).toEqual(['a b', []]);
  });

  test('after the hand-over it is what Argo CD is there for', async () => {
    const hold = await prepared();
    hold.handOver(world.node('a'));
    await clock.advance(5_000);
    const { writes } = world.argocd.projects;
    world.operates('a');
    await clock.advance(70_000);
    world.operates('a', false);
    await clock.advance(5_000);
    expect([world.argocd.projects.writes, world.terminated]).toEqual([writes, []]);
    expect(world.held('p')).toBe('b');
  });

  test('nor does an Application count that is none of the plan', async () => {
    const hold = await prepared();
    world.argocd.add('other', { automated: true });
    world.operates('other');
    await clock.advance(5_000);
    expect([world.held('p'), hold.heldNodes()]).toEqual(['a b', ['app:a', 'app:b', 'app:x']]);
  });

  test('after the end of the run nothing is let out', async () => {
    const hold = await prepared();
    await clock.until(hold.settle());
    world.operates('a');
    await clock.advance(5_000);
    expect(world.held('p')).toBe('a b');
  });
});
