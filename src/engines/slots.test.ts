import { expect, test } from 'vitest';
import { Slots } from './slots.ts';

const never = new AbortController().signal;

async function settled(promise: Promise<void>): Promise<string> {
  const pending = Promise.resolve('waits');
  return await Promise.race([promise.then(() => 'goes on').catch(() => 'abandoned'), pending]);
}

test('all that wait for the slot of one node get it', async () => {
  const slots = new Slots(1);
  slots.take('other');
  const waits = [slots.wait('shop', never), slots.wait('shop', never)];
  slots.giveBack('other');
  slots.admit();
  await Promise.all(waits);
  expect(slots.areFree).toBe(false);
});

test('one of them that gives up leaves the others in the queue', async () => {
  const slots = new Slots(1);
  slots.take('other');
  const tired = new AbortController();
  const [left, stays] = [slots.wait('shop', tired.signal), slots.wait('shop', never)];
  tired.abort();
  await expect(left).rejects.toThrow();
  expect(await settled(stays)).toBe('waits');
  slots.giveBack('other');
  slots.admit();
  await stays;
});

test('when all of them have given up, the next one gets the slot', async () => {
  const slots = new Slots(1);
  slots.take('other');
  const tired = new AbortController();
  const left = slots.wait('shop', tired.signal);
  const next = slots.wait('next', never);
  tired.abort();
  await expect(left).rejects.toThrow();
  slots.giveBack('other');
  slots.admit();
  await next;
  expect(slots.isFreeFor('shop')).toBe(false);
});
