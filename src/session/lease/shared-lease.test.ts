// A lease that several processes of one run have: what they tell each other by it, and which of them brings the run to its end.
import { beforeEach, describe, expect, test } from 'vitest';
import type { FakeLeases } from '../../../test/fakes/cluster.ts';
import { codeOf, failure } from '../../../test/fakes/failure.ts';
import { LEASE, LeaseWorld } from '../../../test/fakes/lease-world.ts';
import type { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { Lease, momentOf } from './lease.ts';
import { endingOf, holdsOf } from './lease-data.ts';

let world: LeaseWorld;
let clock: VirtualClock;
let leases: FakeLeases;

beforeEach(() => {
  world = new LeaseWorld();
  ({ clock, leases } = world);
});

const written = () => {
  const lease = leases.peek(LEASE);
  if (!lease) throw new Error('no Lease');
  return lease;
};
const holds = () => [...holdsOf(written())];

/** Another process of the run that has the lease. */
const joined = (ending?: string) => {
  const losses: unknown[] = [];
  const leased = { run: 'r1', plan: 'sha256:1', finished: false };
  const onLost = (error: unknown) => losses.push(error);
  const sent = momentOf(clock);
  const lease = new Lease({ ...world.request(), leased, sent, ending, onLost });
  return { lease, losses };
};

describe('AppProjects that have the hold of the run', () => {
  test('are written when marking them ends, which costs no time', async () => {
    const { lease } = await world.acquire();
    expect(holds()).toEqual([]);
    await lease.mark(['p', 'q']);
    expect([holds(), clock.monotonic()]).toEqual([['p', 'q'], 0]);
  });

  test('are written once: marking them again asks for nothing', async () => {
    const { lease } = await world.acquire();
    await lease.mark(['p']);
    const { writes } = leases;
    await lease.mark(['p']);
    await lease.mark([]);
    expect(leases.writes).toBe(writes);
  });

  test('stay there through renewals of every process, and others are added', async () => {
    const { lease } = await world.acquire();
    await lease.mark(['p']);
    const other = joined();
    await other.lease.mark(['q']);
    await clock.advance(10_000);
    expect(holds()).toEqual(['p', 'q']);
  });

  test('are written later where the API server does not answer', async () => {
    const { lease } = await world.acquire();
    leases.down = new Error('restarting');
    const marked = lease.mark(['p']);
    await clock.advance(2_500);
    expect(holds()).toEqual([]);
    leases.down = undefined;
    await clock.until(marked);
    expect([holds(), clock.monotonic()]).toEqual([['p'], 3_000]);
  });

  test('cannot be marked by a run that has lost the lease, and it says to whom', async () => {
    const { lease } = await world.acquire();
    world.rewrite({ holder: 'ci/2' });
    const error = await clock.until(failure(lease.mark(['p'])));
    expect(codeOf(error)).toBe('lease-lost');
    expect(String(error)).toContain('"ci/2" took it over');
    expect(holds()).toEqual([]);
  });

  test('are those of no run after it is given back, nor of one that takes it over', async () => {
    const first = await world.acquire();
    await first.lease.mark(['p']);
    await first.lease.release({ finished: false });
    expect([holds(), written().annotations.has('tiphys.dev/holds')]).toEqual([[], false]);
    const second = await world.acquire({ holder: 'ci/2' });
    await second.lease.mark(['q']);
    await world.kill(second.lease);
    expect(holds()).toEqual(['q']);
    await world.acquire({ holder: 'ci/3' });
    expect(holds()).toEqual([]);
  });
});

describe('the process that brings the run to its end', () => {
  test('has the lease alone from its first renewal on', async () => {
    const node = joined();
    await world.acquire();
    const end = joined('end-1');
    await end.lease.mark(['p']);
    expect(endingOf(written())).toBe('end-1');
    await clock.advance(12_000);
    expect(String(node.losses[0])).toContain('another process completes it');
    expect([node.losses.length, node.lease.mayWrite()]).toEqual([1, false]);
    expect([end.losses, end.lease.mayWrite()]).toEqual([[], true]);
  });

  test('is not disturbed by a process that comes late', async () => {
    await world.acquire();
    const end = joined('end-1');
    await end.lease.mark(['p']);
    const late = joined();
    await clock.until(failure(late.lease.mark(['q'])));
    expect([late.losses.length, end.losses, endingOf(written())]).toEqual([1, [], 'end-1']);
    expect(holds()).toEqual(['p']);
  });

  test('loses it to a second one, which keeps it', async () => {
    await world.acquire();
    const first = joined('end-1');
    await clock.advance(5_000);
    expect(endingOf(written())).toBe('end-1');
    const second = joined('end-2');
    await clock.advance(12_000);
    expect([first.losses.length, second.losses, endingOf(written())]).toEqual([1, [], 'end-2']);
  });

  test('is named by a lease that is given back no more', async () => {
    await world.acquire();
    const end = joined('end-1');
    await clock.advance(5_000);
    await end.lease.release({ finished: true });
    expect([written().holder, endingOf(written())]).toEqual(['', undefined]);
  });
});

describe('what others wrote on it', () => {
  test('stays through renewal, takeover and return', async () => {
    const { lease } = await world.acquire();
    leases.put({ ...written(), annotations: new Map([...written().annotations, ['team', 'x']]) });
    await clock.advance(5_000);
    expect(written().annotations.get('team')).toBe('x');
    await lease.release({ finished: true });
    await world.acquire({ holder: 'ci/2' });
    expect(written().annotations.get('team')).toBe('x');
  });

  test('how often it changed hands: neither a renewal nor a return counts', async () => {
    const { lease } = await world.acquire();
    await clock.advance(20_000);
    expect(written().transitions).toBe(0);
    await lease.release({ finished: true });
    expect(written().transitions).toBe(0);
    const { lease: second } = await world.acquire({ holder: 'ci/2' });
    await clock.advance(20_000);
    expect(written().transitions).toBe(1);
    await world.kill(second);
    await world.acquire({ holder: 'ci/3' });
    expect(written().transitions).toBe(2);
  });
});

test('a process that leaves the lease to others renews it no more and writes nothing', async () => {
  const { lease } = await world.acquire();
  await lease.detach();
  const { writes } = leases;
  await clock.advance(60_000);
  expect([leases.writes, lease.mayWrite(), written().holder]).toEqual([writes, false, 'laptop/1']);
  const error = await clock.until(failure(lease.awaitWritePermit()));
  expect(String(error)).toContain('it was given back');
});
