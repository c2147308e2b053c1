// Asking for a sync: once, when nothing forbids it, with the options of the moment.
import { describe, expect, test } from 'vitest';
import { nodeOf, request, running } from '../../test/fakes/node-world.ts';
import { RequestWorld, refusal } from '../../test/fakes/request-world.ts';
import type { RefusalReason, WriteResult } from '../ports/write-result.ts';

const OURS = 'run/app:a/1';
const ACCEPTED = { kind: 'accepted', before: expect.anything() };
const unanswered: WriteResult = { kind: 'unknown', message: 'no answer within 5 s' };
const closed = { until: 'until noon' };

describe('the request', () => {
  test('says who makes it, and has the options that were seen', async () => {
    const world = new RequestWorld({ syncOptions: ['ServerSideApply=true'] });
    expect(await world.run()).toEqual({ result: ACCEPTED, ms: 0 });
    const infos = new Map([
      ['tiphys/op', OURS],
      ['tiphys/platform', 'shop'],
      ['tiphys/plan', 'hash'],
    ]);
    const options = { prune: false, syncOptions: ['ServerSideApply=true'] };
    expect(world.requests).toEqual([{ infos, ...options, at: 0, isLong: true }]);
    expect(world.events).toEqual([
      { type: 'node.sync-requested', node: 'app:a', operation: OURS, attempt: 1 },
    ]);
    expect(world.stages).toEqual(['requested']);
    expect(world.reads).toBe(0);
  });

  test.each([
    [undefined, false],
    [{ prune: false, selfHeal: true }, false],
    [{ prune: true, selfHeal: true }, true],
  ])('prunes as the Application does by itself', async (automated, prune) => {
    const world = new RequestWorld({ automated });
    await world.run();
    expect(world.requests).toMatchObject([{ prune, isLong: true }]);
  });

  test.each([
    ['of a second attempt', 2, []],
    ['after a wait', 1, [unanswered]],
  ])('%s has the options of then', async (_, attempt, answers) => {
    const world = new RequestWorld();
    world.answers.push(...answers);
    const running = world.start(attempt);
    world.change({ syncOptions: ['Replace=true'], automated: { prune: true, selfHeal: false } });
    await world.clock.until(running);
    expect(world.requests.at(-1)).toMatchObject({ prune: true, syncOptions: ['Replace=true'] });
  });

  test.each([
    ['gone', undefined],
    ['made anew', { uid: 'uid-other' }],
  ])('is not made for an Application that is %s by then', async (_, part) => {
    const world = new RequestWorld();
    world.applications.get = async () => part && { ...world.view, ...part };
    expect((await world.run(2)).result).toEqual({
      kind: 'failed',
      failure: { message: 'it was deleted while its sync was pending', final: true },
    });
    expect(world.requests).toEqual([]);
  });

  test('is not made again by a second process of the same run', async () => {
    const world = new RequestWorld({ operation: request(OURS) });
    world.mayRunTwice = true;
    expect((await world.run()).result).toEqual(ACCEPTED);
    expect(world.requests).toEqual([]);
    const other = new RequestWorld({ operation: request('run/app:a/0') });
    other.mayRunTwice = true;
    await other.run();
    expect(other.requests).toHaveLength(1);
  });
});

describe('a sync window forbids it', () => {
  test('it is looked at every 15 s, and its time stands still', async () => {
    const world = new RequestWorld();
    world.blocked = async () => {
      await world.clock.sleep(100);
      return world.clock.monotonic() < 400_000 ? closed : undefined;
    };
    expect((await world.run()).result).toEqual(ACCEPTED);
    expect(world.times).toEqual([27 * 15_100 + 100]);
    expect(world.waits).toEqual(['a sync window forbids it until noon']);
  });

  test('Argo CD says so', async () => {
    const world = new RequestWorld();
    world.answers.push(...Array.from({ length: 30 }, () => refusal('blocked-by-window', 'closed')));
    expect((await world.run()).result).toEqual(ACCEPTED);
    expect(world.times.at(-1)).toBe(450_000);
    expect(world.waits).toEqual(['closed']);
  });

  test('a wait that the run gives up makes no request', async () => {
    const world = new RequestWorld();
    world.blocked = async () => {
      await world.clock.sleep(100);
      return closed;
    };
    const running = world.start();
    await world.clock.advance(20_000);
    world.stop.abort();
    await expect(world.clock.until(running)).rejects.toThrow();
    expect(world.requests).toEqual([]);
  });
});

describe('no answer', () => {
  test('it is made again where nothing comes of it, until time is up', async () => {
    const world = new RequestWorld();
    world.answers.push(...Array.from({ length: 100 }, () => unanswered));
    const { result, ms } = await world.run();
    expect(ms).toBeGreaterThanOrEqual(300_000);
    expect(ms).toBeLessThan(306_000);
    const pauses = world.times.slice(1).map((at, n) => at - (world.times[n] ?? 0));
    // And the time of a look.
    expect(pauses.every((pause) => pause >= 5_000 && pause < 5_200)).toBe(true);
    expect(world.times.length).toBeGreaterThan(55);
    expect(result).toMatchObject({ kind: 'failed', failure: { final: true } });
    expect(result).toMatchObject({
      failure: {
        message: expect.stringMatching(
          /^Argo CD did not accept the sync request in time; .* failed \d+ times/,
        ),
      },
    });
    expect(world.waits[0]).toContain('no answer within 5 s');
  });

  test('that there is none is told after 5 s', async () => {
    const world = new RequestWorld();
    world.applications.requestSync = async () => {
      await world.clock.sleep(9_000);
      return { kind: 'done' };
    };
    await world.run();
    expect(world.waits).toEqual([
      expect.stringMatching(/^the sync request of "a": no answer since .* UTC$/),
    ]);
  });

  test.each([
    ['it waits to be taken up', { operation: request(OURS) }],
    ['it is under way', { operation: request(OURS), operationState: running(OURS) }],
    ['it has ended', { operationState: running(OURS, { phase: 'Failed' }) }],
  ])('it is not made again where the operation shows: %s', async (_, part) => {
    const world = new RequestWorld();
    world.answers.push(unanswered);
    world.later(1_000, part);
    const { result, ms } = await world.run();
    expect(result).toEqual(ACCEPTED);
    expect(ms).toBeLessThan(5_200);
    expect(world.requests).toHaveLength(1);
  });

  test('it is not made again where only a server that lags behind does not show it', async () => {
    const world = new RequestWorld();
    const before = world.view;
    world.answers.push(unanswered);
    world.later(1_000, { operation: request(OURS) });
    world.applications.get = async () => before;
    expect((await world.run()).result).toEqual(ACCEPTED);
    expect(world.requests).toHaveLength(1);
  });
});

test.each([
  // Git that cannot be reached is answered so.
  ['invalid', false],
  ['conflict', false],
  ['forbidden', true],
  ['not-found', true],
  ['deleting', true],
] as const)('a refusal: %s', async (reason: RefusalReason, final) => {
  const world = new RequestWorld();
  world.answers.push(refusal(reason, 'because'));
  expect((await world.run()).result).toEqual({
    kind: 'failed',
    failure: { message: 'because', final },
  });
  expect(world.requests).toHaveLength(1);
});

test('without any answer of Argo CD, the end says only that', async () => {
  const world = new RequestWorld({}, nodeOf('application', { timeouts: { sync: 0, health: 0 } }));
  expect((await world.run()).result).toEqual({
    kind: 'failed',
    failure: { message: 'Argo CD did not accept the sync request in time', final: true },
  });
  expect(world.requests).toEqual([]);
});
