// The ways into a session: by taking the Lease, by joining a run whose processes share it, and to bring that to its end.
import { beforeEach, describe, expect, test } from 'vitest';
import { codeOf } from '../../test/fakes/failure.ts';
import { planOf, World } from '../../test/fakes/run-world.ts';
import type { VirtualClock } from '../../test/fakes/virtual-clock.ts';
import type { RunEvent } from '../run/events.ts';
import { endingOf, leaseName, runOf } from './lease/lease-data.ts';
import {
  type AcquireRequest,
  acquireSession,
  type JoinRequest,
  joinSession,
  joinToEnd,
} from './open-session.ts';

const PLAN = planOf('a:');
const WORKFLOW = 'workflow 1';

let world: World;
let clock: VirtualClock;
let events: RunEvent[];

beforeEach(() => {
  world = new World({ a: {} });
  ({ clock } = world);
  events = [];
});

const request = () => ({
  plan: PLAN,
  basis: PLAN.hash,
  target: world.target,
  clock,
  listen: (event: RunEvent) => void events.push(event),
  holder: WORKFLOW,
});
const acquire = (part: Partial<AcquireRequest> = {}) => {
  const own = { runId: 'r1', isShared: true, signal: new AbortController().signal };
  return clock.until(acquireSession({ ...request(), ...own, ...part }));
};
const join = (part: Partial<JoinRequest> = {}) =>
  clock.until(joinSession({ ...request(), part: 'a', ...part }));

const lease = () => {
  const found = world.argocd.leases.peek(leaseName('shop'));
  if (!found) throw new Error('no Lease');
  return found;
};
const rewrite = (part: object) => world.argocd.leases.put({ ...lease(), ...part });

/** The beginning of a run has left its Lease to the other processes. */
async function begun(): Promise<void> {
  const { session } = await acquire();
  await session.close();
  await session.detach();
}

describe('taking the Lease', () => {
  test.each([
    ['of one process lasts 15 s', false, undefined, 15],
    ['of several lasts from one to the next', true, undefined, 60],
    ['of several outlasts the longest request', true, 300, 315],
  ])('that %s', async (_, isShared, requestTimeout, seconds) => {
    const { session } = await acquire({ isShared, plan: { ...PLAN, requestTimeout } });
    expect([lease().durationSeconds, session.mayRunTwice]).toEqual([seconds, isShared]);
    await clock.advance(6_000);
    expect(lease().durationSeconds).toBe(seconds);
  });

  test('of a run that did not finish goes on under its id', async () => {
    const first = await acquire();
    await first.session.release({ finished: false });
    const second = await acquire({ runId: 'r2' });
    expect(second).toMatchObject({ isResumed: true, previous: { run: 'r1' } });
    second.session.begin(PLAN, 'embedded');
    expect(events).toMatchObject([{ type: 'run.started', run: 'r1', resumed: true }]);
  });

  test.each([
    [false, 1],
    [true, 0],
  ])('that cannot be renewed is a warning, unless it is shared (%s)', async (isShared, count) => {
    const { session } = await acquire({ isShared });
    session.begin(PLAN, 'embedded');
    world.argocd.leases.down = new Error('restarting');
    await clock.advance(20_000);
    const told = JSON.stringify(events).split('lease cannot be renewed: restarting');
    expect(told).toHaveLength(count + 1);
  });

  test('that another run takes: the session is lost, with the reason', async () => {
    const { session } = await acquire();
    expect(() => session.assertOwned()).not.toThrow();
    rewrite({ holder: 'another' });
    await clock.advance(6_000);
    expect([session.lost.aborted, codeOf(session.lost.reason)]).toEqual([true, 'lease-lost']);
    expect(() => session.assertOwned()).toThrow('"another" took it over');
    expect(session.mayWrite()).toBe(false);
  });
});

describe('joining a run', () => {
  test('renews its Lease first, for as long as processes that share one need', async () => {
    await begun();
    await clock.advance(50_000);
    const session = await join({ plan: { ...PLAN, requestTimeout: 300 } });
    expect(session).toMatchObject({ identity: { id: 'r1' }, mayRunTwice: true });
    expect(session?.mayWrite()).toBe(true);
    expect(Date.parse(lease().renewTime ?? '')).toBe(clock.now());
    expect(lease().durationSeconds).toBe(315);
  });

  test('waits until it is renewed', async () => {
    await begun();
    const { leases } = world.argocd;
    world.argocd.leases.faults.push({ result: 'lost-request' }, { result: 'lost-request' });
    const { writes } = leases;
    const session = await join();
    expect([leases.writes - writes, session?.mayWrite()]).toEqual([3, true]);
  });

  test.each<[string, () => void, Partial<JoinRequest>]>([
    ['there is none', () => world.argocd.leases.delete(leaseName('shop')), {}],
    ['it is another holder’s', () => rewrite({ holder: 'another' }), {}],
    ['it is of another plan', () => {}, { basis: 'sha256:other' }],
    ['it says nothing of a run', () => rewrite({ annotations: new Map() }), {}],
  ])('not where %s', async (_, change, part) => {
    await begun();
    change();
    const { writes } = world.argocd.leases;
    expect(await join(part)).toBeUndefined();
    expect(world.argocd.leases.writes).toBe(writes);
  });

  test('is lost with the Lease', async () => {
    await begun();
    const session = await join();
    rewrite({ holder: 'another' });
    await clock.advance(6_000);
    expect([session?.lost.aborted, codeOf(session?.lost.reason)]).toEqual([true, 'lease-lost']);
  });

  test('is no resumption', async () => {
    await begun();
    (await join())?.begin(PLAN, 'argo-workflows');
    expect(events).toMatchObject([{ type: 'run.started', resumed: false }]);
  });

  test('leaves the Lease to others when it is done', async () => {
    await begun();
    const session = await join();
    await session?.detach();
    const { renewTime } = lease();
    await clock.advance(30_000);
    expect([lease().renewTime, lease().holder]).toEqual([renewTime, WORKFLOW]);
  });
});

describe('joining a run to end it', () => {
  const end = (name: string, plan = PLAN) => clock.until(joinToEnd({ ...request(), plan }, name));
  const took = async (name: string, plan = PLAN) => {
    const before = clock.monotonic();
    const session = await end(name, plan);
    return { session, ms: clock.monotonic() - before };
  };

  test('takes no time where no other end has begun', async () => {
    await begun();
    const { session, ms } = await took('end-1');
    expect([session?.mayWrite(), endingOf(lease()), ms]).toEqual([true, 'end-1', 0]);
    expect(runOf(lease())).toMatchObject({ run: 'r1', finished: false });
  });

  test('nor where the same one begins again', async () => {
    await begun();
    await (await end('end-1'))?.detach();
    const { session, ms } = await took('end-1');
    expect([session?.mayWrite(), ms]).toEqual([true, 0]);
  });

  test.each([
    ['the longest request', undefined, 30_000],
    ['the Lease and a write', 5, 20_000],
  ])('outlasts another one by %s: that can write nothing more', async (_, requestTimeout, most) => {
    await begun();
    const first = await end('end-1');
    const { session, ms } = await took('end-2', { ...PLAN, requestTimeout });
    expect([first?.lost.aborted, session?.mayWrite()]).toEqual([true, true]);
    expect([ms, endingOf(lease())]).toEqual([most, 'end-2']);
  });

  test('is given up where the run is lost meanwhile, or there is none', async () => {
    await begun();
    await end('end-1');
    const second = joinToEnd(request(), 'end-2');
    await clock.advance(3_000);
    rewrite({ holder: 'another' });
    expect(await clock.until(second)).toBeUndefined();
    expect(await end('end-3')).toBeUndefined();
  });
});
