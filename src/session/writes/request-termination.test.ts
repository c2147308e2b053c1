// A termination is requested until Argo CD accepts it, and never of what has ended meanwhile.
import { expect, test } from 'vitest';
import type { WriteResult } from '../../ports/write-result.ts';
import { requestTermination } from './request-termination.ts';

type Sent = WriteResult | 'not-allowed' | undefined;

const DONE: Sent = { kind: 'done' };
const LOST: Sent = { kind: 'unknown', message: 'no answer' };
const refused = (reason: 'forbidden' | 'nothing-in-progress'): Sent => ({
  ...{ kind: 'refused', reason, message: 'no' },
});

/** With one look, one answer and one pause after the other. */
async function requested(looks: (boolean | undefined)[], answers: Sent[], pauses = 9) {
  let [looked, sent, paused] = [0, 0, 0];
  const outcome = await requestTermination({
    isStill: async () => (looked < looks.length ? looks[looked++] : true),
    send: async () => answers[sent++],
    pause: async () => ++paused <= pauses,
  });
  return { outcome, sent };
}

test.each<[string, (boolean | undefined)[], Sent[], string, number]>([
  ['is accepted', [true], [DONE], 'accepted', 1],
  ['whose answer is lost is requested again', [true], [LOST, undefined, DONE], 'accepted', 3],
  [
    'that comes too early does so, too',
    [true],
    [refused('nothing-in-progress'), DONE],
    'accepted',
    2,
  ],
  ['that is forbidden is not', [true], [refused('forbidden'), DONE], 'forbidden', 1],
  ['that the lease does not allow is not, either', [true], ['not-allowed', DONE], 'not-allowed', 1],
  ['of what has ended is not sent', [false], [DONE], 'ended', 0],
  ['of what ends meanwhile is not sent again', [true, false], [LOST, DONE], 'ended', 1],
])('one %s', async (_, looks, answers, outcome, sent) => {
  expect(await requested(looks, answers)).toEqual({ outcome, sent });
});

test('what cannot be read is looked at again, and nothing is sent before', async () => {
  const looks = [undefined, undefined, true];
  expect(await requested(looks, [DONE])).toEqual({ outcome: 'accepted', sent: 1 });
  expect(await requested(looks, [DONE], 1)).toEqual({ outcome: 'late', sent: 0 });
});

test('its time ends', async () => {
  expect(await requested([], [LOST, LOST, LOST], 1)).toEqual({ outcome: 'late', sent: 2 });
});
