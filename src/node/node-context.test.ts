// How a node waits and reads: for as long as was said, and no longer than it is told to.
import { describe, expect, test } from 'vitest';
import { application } from '../../test/fakes/application.ts';
import { NodeWorld, unreachable } from '../../test/fakes/node-world.ts';
import { TiphysError } from '../errors.ts';
import { Abandoned } from '../session/abandoned.ts';
import {
  ALONE,
  awaitNews,
  awaitNewsUnless,
  freshLook,
  isOver,
  read,
  readApplication,
  reporter,
  sleep,
} from './node-context.ts';

const unhealthy = { status: 'Degraded', message: '', lastTransition: 't2' };

describe('news', () => {
  test('end the wait when they come', async () => {
    const world = new NodeWorld();
    world.later(7_000, { health: unhealthy });
    const { result, ms } = await world.timed(awaitNews(world.context, world.view, 60_000));
    expect([result, ms]).toEqual([true, 7_000]);
  });

  test('are also that it appears', async () => {
    const world = new NodeWorld();
    let isThere = false;
    world.watch.last = () => (isThere ? world.view : undefined);
    void world.clock.sleep(7_000).then(() => {
      isThere = true;
      world.change({});
    });
    const { result, ms } = await world.timed(awaitNews(world.context, undefined, 60_000));
    expect([result, ms]).toEqual([true, 7_000]);
  });

  test('are not what changes nothing', async () => {
    const world = new NodeWorld();
    world.later(7_000, { reconciledAt: 500 });
    const { result, ms } = await world.timed(awaitNews(world.context, world.view, 60_000));
    expect([result, ms]).toEqual([false, 60_000]);
  });

  test.each([
    ['the watch shows none', undefined],
    ['the watch shows another one', application({ uid: 'uid-other' })],
  ])('are asked for every two seconds where %s', async (_, last) => {
    const world = new NodeWorld();
    world.watch.last = () => last;
    const { result, ms } = await world.timed(awaitNews(world.context, world.view, 60_000));
    expect([result, ms]).toEqual([true, 2_000]);
    const soon = await world.timed(awaitNews(world.context, world.view, 2_500));
    expect([soon.result, soon.ms]).toEqual([true, 500]);
  });

  test('are asked for a second later where what was read is older than what is watched', async () => {
    const world = new NodeWorld();
    const seen = world.view;
    world.change({ health: unhealthy });
    const { result, ms } = await world.timed(awaitNews(world.context, seen, 60_000));
    expect([result, ms]).toEqual([true, 1_000]);
    const soon = await world.timed(awaitNews(world.context, seen, 1_400));
    expect([soon.result, soon.ms]).toEqual([true, 400]);
  });

  test('leave no timer and no listener behind', async () => {
    const world = new NodeWorld();
    let given: AbortSignal | undefined;
    const { watch } = world.argocd;
    world.watch.nextChange = (address, signal) => {
      given = signal;
      return watch.nextChange(address, signal);
    };
    world.later(1_000, { health: unhealthy });
    await world.clock.until(awaitNews(world.context, world.view, 60_000));
    expect(given?.aborted).toBe(true);
    expect(world.clock.sleepers).toBe(0);
  });
});

describe('a wait is given up', () => {
  test('at once when the run is told to leave', async () => {
    const world = new NodeWorld();
    const waiting = [
      awaitNews(world.context, world.view, 60_000),
      sleep(world.context, 60_000),
      awaitNewsUnless(world.context, new AbortController().signal, world.view, 60_000),
      read(world.context, 60_000, async () => {
        throw unreachable();
      }),
    ].map((wait) =>
      wait.then(
        () => 'passed',
        (error: unknown) => error instanceof Abandoned,
      ),
    );
    await world.clock.advance(1_000);
    world.stop.abort();
    expect(await world.clock.until(Promise.all(waiting))).toEqual([true, true, true, true]);
    expect(world.clock.monotonic()).toBe(1_000);
  });

  test('when what it hangs on is over, and says so', async () => {
    const world = new NodeWorld();
    const over = new AbortController();
    const wait = awaitNewsUnless(world.context, over.signal, world.view, 60_000);
    await world.clock.advance(1_000);
    over.abort();
    const { result, ms } = await world.timed(wait);
    expect([result, ms]).toEqual([false, 0]);
  });

  test('not otherwise', async () => {
    const world = new NodeWorld();
    const over = new AbortController();
    const wait = awaitNewsUnless(world.context, over.signal, world.view, 60_000);
    expect(await world.timed(wait)).toEqual({ result: true, ms: 60_000 });
  });

  test('an error is no reason', async () => {
    const world = new NodeWorld();
    world.watch.nextChange = async () => {
      throw new Error('a bug');
    };
    const wait = awaitNewsUnless(world.context, new AbortController().signal, world.view, 60_000);
    await expect(world.clock.until(wait)).rejects.toThrow('a bug');
  });
});

describe('reading', () => {
  const failing = (world: NodeWorld, until: number, error: () => Error = unreachable) => {
    let times = 0;
    const action = async () => {
      times++;
      if (world.clock.monotonic() < until) throw error();
      return times;
    };
    return { action, times: () => times };
  };

  test('goes on every two seconds while the cluster cannot be reached', async () => {
    const world = new NodeWorld();
    const { action } = failing(world, 7_000);
    const { result, ms } = await world.timed(read(world.context, 60_000, action));
    expect([result, ms]).toEqual([5, 8_000]);
  });

  test('ends with the time that it has', async () => {
    const world = new NodeWorld();
    const { action } = failing(world, 100_000);
    const reading = read(world.context, 9_000, action);
    await expect(world.clock.until(reading)).rejects.toThrow('no route');
    expect(world.clock.monotonic()).toBe(10_000);
  });

  const denied = new TiphysError([{ code: 'argocd-forbidden', message: 'you may not' }]);

  test.each([new Error('a bug'), denied])(
    'fails at once with any other error: %s',
    async (error) => {
      const world = new NodeWorld();
      const { action, times } = failing(world, 100_000, () => error);
      await expect(world.clock.until(read(world.context, 60_000, action))).rejects.toThrow(error);
      expect(times()).toBe(1);
    },
  );

  test('a comparison that took too long is not waited for: what is there is read', async () => {
    const world = new NodeWorld();
    world.applications.refresh = async () => undefined;
    expect(await world.clock.until(freshLook(world.context, 60_000))).toBe(world.view);
    expect(await world.clock.until(readApplication(world.context, 60_000))).toBe(world.view);
  });
});

test('a deadline is over when it is reached', () => {
  const world = new NodeWorld();
  world.clock.pause(1_000);
  expect([999, 1_000, 1_001].map((deadline) => isOver(world.context, deadline))).toEqual([
    true,
    true,
    false,
  ]);
});

test('each reason is told once, until another one comes', () => {
  const world = new NodeWorld();
  const report = reporter(world.context);
  const unmet = (message: string) => ({ condition: 'synced', message }) as const;
  for (const message of ['one', 'one', 'two', 'one']) report(unmet(message));
  expect(world.waits).toEqual(['one', 'two', 'one']);
  expect(world.stages).toEqual(['waiting', 'waiting', 'waiting']);
  reporter(world.context, 'appearing')(unmet('one'));
  expect(world.stages.at(-1)).toBe('appearing');
});

test('where nobody walks, no Application is unexpected', () => {
  expect(ALONE.isExpected('whatever')).toBe(true);
});
