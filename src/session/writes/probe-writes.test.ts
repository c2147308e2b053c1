import { expect, test } from 'vitest';
import { send } from '../../../test/fakes/lease-world.ts';
import type { ProbeRequest } from '../../ports/probe-jobs.ts';
import type { Target } from '../../ports/target.ts';
import { Abandoned } from '../abandoned.ts';
import { probeWrites } from './probe-writes.ts';

const REQUEST: ProbeRequest = {
  name: 'tiphys-probe-1',
  labels: new Map(),
  annotations: new Map(),
  probe: { tcp: 'a:1', timeout: 1 },
};

function doorWith(awaitWritePermit: () => Promise<void>) {
  const steps: string[] = [];
  const create = async ({ name }: ProbeRequest) => {
    steps.push(name);
    return { kind: 'done' as const };
  };
  const stop = new AbortController();
  const lease = {
    awaitWritePermit: async () => {
      steps.push('lease');
      await awaitWritePermit();
    },
    send: async <T>(action: () => Promise<T>) => {
      steps.push('send');
      return await send(action);
    },
  };
  const target = { probes: { create } } as unknown as Target;
  return { steps, stop, writes: probeWrites(target, lease, stop.signal) };
}

test('a Job waits for the Lease, and is sent under it', async () => {
  const { steps, writes } = doorWith(async () => {});
  expect(await writes.create(REQUEST)).toEqual({ kind: 'done' });
  expect(steps).toEqual(['lease', 'send', 'tiphys-probe-1']);
});

test('without the Lease there is none', async () => {
  const { steps, writes } = doorWith(() => Promise.reject(new Error('lost')));
  await expect(writes.create(REQUEST)).rejects.toThrow('lost');
  expect(steps).toEqual(['lease']);
});

test('nor where the run was told to stop meanwhile', async () => {
  const { steps, stop, writes } = doorWith(async () => stop.abort());
  await expect(writes.create(REQUEST)).rejects.toThrow(Abandoned);
  expect(steps).toEqual(['lease']);
});
