// The first look: is it there, is it finished, does it need a sync, or can that not be said?
import { describe, expect, test } from 'vitest';
import { operationState, resource } from '../../test/fakes/application.ts';
import { NodeWorld, nodeOf, request, running } from '../../test/fakes/node-world.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import type { Maker } from './node-context.ts';
import { observe } from './observe.ts';

const OUT_OF_SYNC = { resources: [resource({ status: 'OutOfSync' })] };
const MISSING = { status: 'Missing', message: '', lastTransition: undefined };

class LookWorld extends NodeWorld {
  /** When each comparison was asked for. */
  readonly asked: number[] = [];

  constructor(part: Partial<ApplicationView> = {}, node = nodeOf()) {
    super(part, node);
    this.clock.pause(10_000);
    this.applications.refresh = async (address) => {
      this.asked.push(this.clock.monotonic() - 10_000);
      return await this.honest.refresh(address);
    };
  }

  run() {
    return this.timed(observe(this.context));
  }

  /** Not there before that. */
  appears(ms: number): void {
    const isThere = () => this.clock.monotonic() >= 10_000 + ms;
    this.applications.get = async () => (isThere() ? this.view : undefined);
    this.watch.last = () => (isThere() ? this.view : undefined);
    this.later(ms, {});
  }
}

describe('it holds', () => {
  test('at the second comparison that is later than the first look', async () => {
    const world = new LookWorld({ reconciledAt: 1_800_000_010 });
    const { result } = await world.run();
    expect(result).toMatchObject({ kind: 'holds', evidence: { reconciledAt: 1_800_000_012 } });
    expect(world.asked).toEqual([0, 1_050, 2_100]);
  });

  test('not by one comparison that is shown twice', async () => {
    const world = new LookWorld();
    const { refresh } = world.applications;
    let looks = 0;
    world.applications.refresh = async (address) =>
      ++looks === 2 ? world.view : await refresh?.(address);
    expect((await world.run()).result.kind).toBe('holds');
    expect(looks).toBe(3);
  });

  test('not where the second one says otherwise', async () => {
    const world = new LookWorld();
    world.later(500, OUT_OF_SYNC);
    expect((await world.run()).result).toMatchObject({
      kind: 'needs-sync',
      unmet: { condition: 'synced' },
    });
  });
});

describe('it needs a sync', () => {
  test.each([
    ['this run has begun with it', { operationState: operationState(request('run/app:a/1')) }, 0],
    ['it was never synced', { operationState: undefined, health: MISSING }, 0],
    ['it was never synced, and is there', { operationState: undefined, ...OUT_OF_SYNC }, 1],
    ['what it had is gone', { health: MISSING, ...OUT_OF_SYNC }, 1],
  ])('%s', async (_, part, comparisons) => {
    const world = new LookWorld(part);
    expect((await world.run()).result).toMatchObject({ kind: 'needs-sync' });
    expect(world.asked).toHaveLength(comparisons);
  });

  const ended = (finishedAt: number | undefined, phase: 'Succeeded' | 'Failed' = 'Succeeded') => ({
    ...OUT_OF_SYNC,
    operationState: operationState({ ...request(undefined), phase, finishedAt }),
  });

  test.each([
    // Argo CD's picture of what an operation did lags behind: two comparisons are needed.
    ['just after one', ended(1_800_000_009), 2],
    ['a second later', ended(1_800_000_008), 2],
    ['another second later', ended(1_800_000_007), 1],
    ['after one that failed', ended(1_800_000_009, 'Failed'), 1],
    ['after one without an end', ended(undefined), 1],
  ])('where it is OutOfSync by as many comparisons as tell: %s', async (_, part, count) => {
    const world = new LookWorld(part);
    expect((await world.run()).result).toMatchObject({ kind: 'needs-sync' });
    expect(world.asked).toHaveLength(count);
  });

  test.each([
    ['only its health is missing', 'Progressing', {}, {}, true],
    ['it is OutOfSync', 'Healthy', OUT_OF_SYNC, {}, false],
    ['its operation failed', 'Healthy', {}, { phase: 'Failed' as const }, false],
    ['the end of it is not known', 'Progressing', {}, { finishedAt: undefined }, false],
  ])('what somebody did is taken over where %s', async (_, status, part, end, isAdopted) => {
    const state = operationState({ ...request('x/y/1'), finishedAt: 100, ...end });
    const health = { status, message: '', lastTransition: 't1' };
    const world = new LookWorld({ operationState: state, health, ...part });
    const { result } = await world.run();
    const adopted = { id: 'x/y/1', finishedAt: 100, revisions: ['rev-1'] };
    expect(result).toMatchObject({ kind: 'needs-sync' });
    expect(result.kind === 'needs-sync' && result.adopted).toEqual(isAdopted ? adopted : undefined);
  });
});

describe('Argo CD does not compare it', () => {
  test('when asked to: nothing is known, after eight times', async () => {
    const world = new LookWorld();
    world.applications.refresh = async () => {
      world.asked.push(0);
      return world.view;
    };
    expect((await world.run()).result).toMatchObject({
      kind: 'unknown',
      unmet: {
        condition: 'compared-afterwards',
        message: 'Argo CD does not compare it when it is refreshed',
      },
    });
    expect(world.asked).toHaveLength(8);
  });

  test('but what is wrong is known already', async () => {
    const world = new LookWorld(OUT_OF_SYNC);
    world.applications.refresh = async () => world.view;
    expect((await world.run()).result).toMatchObject({
      kind: 'needs-sync',
      unmet: { condition: 'synced' },
    });
  });

  test('within its timeout: that is no reason for a sync', async () => {
    const world = new LookWorld({ refreshPending: true, ...OUT_OF_SYNC });
    const { result, ms } = await world.run();
    expect(result).toMatchObject({
      kind: 'unknown',
      unmet: { message: 'Argo CD has not compared it again within its timeout' },
    });
    expect(ms).toBeGreaterThanOrEqual(300_000);
    expect(ms).toBeLessThan(302_000);
    expect(world.waits).toEqual(['Argo CD has not compared it again']);
  });

  test('for long: it is waited for', async () => {
    const world = new LookWorld({ refreshPending: true });
    world.later(60_000, { refreshPending: false });
    expect((await world.run()).result.kind).toBe('holds');
  });
});

describe('it is missing', () => {
  test.each([
    ['deleting', { deleting: true }, 'the Application is being deleted'],
    ['skipped', { skipped: true }, 'Argo CD does not reconcile it (annotation skip-reconcile)'],
  ])('%s', async (_, part, message) => {
    expect(await new LookWorld(part).run()).toEqual({
      result: { kind: 'missing', message },
      ms: 0,
    });
  });

  test('it was deleted during the look', async () => {
    const world = new LookWorld();
    world.applications.refresh = async () => {
      world.applications.get = async () => undefined;
      return undefined;
    };
    const { get } = world.honest;
    let reads = 0;
    world.applications.get = async (address) => (++reads > 1 ? undefined : await get(address));
    expect((await world.run()).result).toEqual({
      kind: 'missing',
      message: 'the Application was deleted',
    });
  });

  test('nobody makes it: until its sync timeout is over', async () => {
    const world = new LookWorld();
    world.appears(10_000_000);
    const { result, ms } = await world.run();
    expect(result).toMatchObject({
      kind: 'missing',
      message: 'the Application does not exist in Argo CD',
    });
    expect(ms).toBe(300_000);
    expect(world.waits).toEqual(['its Application does not exist yet']);
    expect(world.stages).toEqual(['appearing']);
  });

  test('it appears', async () => {
    const world = new LookWorld();
    world.appears(100_000);
    expect((await world.run()).result.kind).toBe('holds');
    expect(world.asked[0]).toBe(100_000);
  });
});

describe('its parent makes it', () => {
  function made(part: Partial<Maker> = {}) {
    const world = new LookWorld();
    const end = new AbortController();
    const none = () => undefined;
    world.walk.maker = { ended: end.signal, failure: none, contradiction: none, ...part };
    return { world, end };
  }

  test('it is waited for as long as the parent is synced', async () => {
    const { world } = made();
    world.appears(1_000_000);
    expect((await world.run()).result.kind).toBe('holds');
  });

  test('the time begins when the parent has ended, and is not endless', async () => {
    const { world, end } = made();
    world.appears(10_000_000);
    void world.clock.sleep(400_000).then(() => end.abort());
    const { result, ms } = await world.run();
    expect(result.kind).toBe('missing');
    expect(ms).toBe(600_000);
  });

  test('a parent that failed is the cause, at once', async () => {
    const cause = { node: 'open:stack:s', message: 'no' };
    const { world, end } = made({ failure: () => (end.signal.aborted ? cause : undefined) });
    world.appears(10_000_000);
    void world.clock.sleep(40_000).then(() => end.abort());
    expect(await world.run()).toMatchObject({ result: { kind: 'missing', cause }, ms: 40_000 });
  });

  test('a wave that contradicts the graph is named when time is up', async () => {
    const { world } = made({ contradiction: () => 'b' });
    world.appears(10_000_000);
    const { result, ms } = await world.run();
    expect(result).toMatchObject({ message: expect.stringContaining('sync wave than "b"') });
    expect(ms).toBe(300_000);
  });
});

describe('an operation is running', () => {
  const foreign = { operation: request(undefined), operationState: running(undefined) };

  test("somebody else's is waited for: it may be all that is needed", async () => {
    const world = new LookWorld(foreign);
    const state = operationState({ ...request(undefined), finishedAt: 1_800_000_030 });
    world.later(20_000, { operation: undefined, operationState: state });
    expect((await world.run()).result.kind).toBe('holds');
    expect(world.asked[0]).toBe(20_000);
  });

  test('it goes with its Application', async () => {
    const world = new LookWorld(foreign);
    const { get } = world.honest;
    world.applications.get = async (address) =>
      world.clock.monotonic() > 10_000 ? undefined : await get(address);
    world.watch.last = () => undefined;
    expect((await world.run()).result).toEqual({
      kind: 'missing',
      message: 'the Application was deleted',
    });
  });

  test('ours is gone on with', async () => {
    const own = { operation: request('run/app:a/1'), operationState: running('run/app:a/1') };
    expect(await new LookWorld(own).run()).toMatchObject({ result: { kind: 'needs-sync' }, ms: 0 });
  });

  test('that of a parent may wait for its children: nobody waits for it', async () => {
    const world = new LookWorld(foreign, nodeOf('open'));
    const { result, ms } = await world.run();
    expect(result).toMatchObject({ unmet: { condition: 'no-operation-running' } });
    expect(ms).toBeLessThan(3_000);
  });
});
