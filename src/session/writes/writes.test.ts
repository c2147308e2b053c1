import { describe, expect, test } from 'vitest';
import { send, sendLong } from '../../../test/fakes/lease-world.ts';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { Target } from '../../ports/target.ts';
import type { LongRequest, WriteResult } from '../../ports/write-result.ts';
import { Abandoned } from '../abandoned.ts';
import { type WriteGuards, Writes } from './writes.ts';

const SHOP = { name: 'shop', namespace: 'argocd', project: 'p' };
const SYNC = { infos: new Map(), prune: false, syncOptions: [] };
const DONE: WriteResult = { kind: 'done' };

/** A door that notes what it waits for, and what it sends. */
function doorWith(part: Partial<WriteGuards> = {}) {
  const steps: string[] = [];
  const clock = new VirtualClock();
  const noted = (step: string) => async () => void steps.push(step);
  const sent = (step: string) => async () => {
    steps.push(step);
    return DONE;
  };
  const applications = {
    requestSync: sent('sync'),
    terminate: sent('end'),
    remove: sent('delete'),
  };
  const prepareFinalizerRemoval = async () => {
    steps.push('read');
    return sent('finalizers');
  };
  const at = () => ({ objects: { prepareFinalizerRemoval } });
  const target = { applications, at } as unknown as Target;
  const lease = { awaitWritePermit: noted('lease'), send, sendLong };
  const guards: WriteGuards = {
    dependenciesReady: noted('dependencies'),
    held: noted('hold'),
    signal: new AbortController().signal,
    ...part,
  };
  const writes = new Writes({ target, lease, clock }, guards);
  return { steps, clock, writes, noted, applications, lease };
}

describe('a write', () => {
  test('waits for dependencies, hold and Lease, in this order, and says when it is sent', async () => {
    const { steps, writes } = doorWith();
    await writes.requestSync(SHOP, SYNC, { sending: () => steps.push('sending') });
    expect(steps.join(' ')).toBe('dependencies hold lease sending sync');
  });

  test('is not sent once everything must stop, not even where that came while it waited', async () => {
    const stop = new AbortController();
    const held = async () => stop.abort();
    const { steps, writes } = doorWith({ signal: stop.signal, held });
    await expect(writes.requestSync(SHOP, SYNC, {})).rejects.toBeInstanceOf(Abandoned);
    await expect(writes.terminateIf(SHOP, async () => true)).rejects.toBeInstanceOf(Abandoned);
    expect(steps.join(' ')).toBe('dependencies lease lease');
  });

  test('of an object that it gives back is read before it waits for hold and Lease', async () => {
    const { steps, writes } = doorWith();
    const resource = { group: '', kind: 'ConfigMap', namespace: 'n', name: 'main' };
    expect(await writes.clearFinalizers('', resource, 'u')).toEqual(DONE);
    expect(steps.join(' ')).toBe('read hold lease finalizers');
  });

  test('that takes long is given up once everything must stop', async () => {
    const stop = new AbortController();
    const { writes, applications } = doorWith({ signal: stop.signal });
    let given: AbortSignal | undefined;
    applications.requestSync = async (...[, , long]: unknown[]) => {
      given = (long as LongRequest).signal;
      return DONE;
    };
    await writes.requestSync(SHOP, SYNC, {});
    expect(given?.aborted).toBe(false);
    stop.abort();
    expect(given?.aborted).toBe(true);
  });

  test('whose grounds do not last is not given more time than any other', async () => {
    const { writes, applications } = doorWith();
    const given: unknown[] = [];
    applications.requestSync = async (...[, , long]: unknown[]) => {
      given.push(long);
      return DONE;
    };
    await writes.requestSync(SHOP, SYNC, { isShort: true });
    await writes.requestSync(SHOP, SYNC, {});
    expect(given).toEqual([undefined, expect.anything()]);
  });

  test('is not sent where what it depends on has failed', async () => {
    const dependenciesReady = () => Promise.reject(new Error('failed'));
    const { steps, writes } = doorWith({ dependenciesReady });
    await expect(writes.removeApplication(SHOP, {})).rejects.toThrow('failed');
    expect(steps).toEqual([]);
  });

  test('that goes on with what was begun waits for no dependency, and for all else', async () => {
    const { steps, writes, noted } = doorWith();
    const isStill = async () => {
      await noted('look')();
      return true;
    };
    expect(await writes.terminateIf(SHOP, isStill)).toEqual(DONE);
    expect(steps.join(' ')).toBe('hold look lease end');
  });

  test('that ends an operation looks again where it had to wait after its look', async () => {
    const { steps, clock, writes, noted, lease } = doorWith();
    lease.awaitWritePermit = async () => {
      steps.push('lease');
      // The Lease ran out during the first look, and came back with another operation.
      await clock.sleep(5_000);
    };
    const isStill = async () => {
      await noted('look')();
      return clock.monotonic() < 5_000;
    };
    expect(await clock.until(writes.terminateIf(SHOP, isStill))).toEqual({ kind: 'not-wanted' });
    expect(steps.join(' ')).toBe('hold look lease hold look');
  });

  test('that ends an operation is sent although each look at the hold takes long', async () => {
    const { clock, writes } = doorWith({ held: () => clock.sleep(5_000) });
    expect(await clock.until(writes.terminateIf(SHOP, async () => true))).toEqual(DONE);
    expect(clock.monotonic()).toBe(5_000);
  });

  test('that would end an operation of somebody else is not sent', async () => {
    const { steps, writes } = doorWith();
    expect(await writes.terminateIf(SHOP, async () => false)).toEqual({ kind: 'not-wanted' });
    expect(steps.join(' ')).toBe('hold');
  });
});

describe('a write that has to be confirmed', () => {
  test('is confirmed last, and must still be permitted then', async () => {
    const { steps, writes, noted } = doorWith();
    const confirm = async () => {
      await noted('confirm')();
      return true;
    };
    expect(await writes.requestSync(SHOP, SYNC, { confirm })).toEqual(DONE);
    expect(steps.join(' ')).toBe('dependencies hold lease confirm hold lease sync');
  });

  test.each([undefined, 1_000])(
    'is not sent where it is not wanted any more (%s)',
    async (freshMs) => {
      const { steps, writes } = doorWith(freshMs === undefined ? {} : { freshMs });
      const confirm = async () => false;
      expect(await writes.removeApplication(SHOP, { confirm })).toEqual({ kind: 'not-wanted' });
      expect(steps).not.toContain('delete');
    },
  );

  test('asks again where the hold took longer than what was read is good for', async () => {
    let waits = 0;
    let confirmed = 0;
    const { steps, clock, writes } = doorWith({
      freshMs: 1_000,
      held: () => clock.sleep(waits++ === 0 ? 1_001 : 1_000),
    });
    const confirm = async () => ++confirmed > 0;
    await clock.until(writes.removeApplication(SHOP, { confirm }));
    expect(steps.join(' ')).toBe('dependencies lease dependencies lease delete');
    expect(confirmed).toBe(2);
  });
});
