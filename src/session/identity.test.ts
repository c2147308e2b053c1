import { describe, expect, test } from 'vitest';
import { application, operationState } from '../../test/fakes/application.ts';
import { isOfPlatform } from '../run/foreign-sync.ts';
import { infosOf, operationId, ownAttempt } from './identity.ts';

const RUN = { id: 'r1', platform: 'shop', plan: 'sha256:1' };
const requestOf = (id: string, run = RUN) => ({
  infos: infosOf(run, id),
  automated: false,
  username: 'tiphys',
});

describe('the try that an operation belongs to', () => {
  test.each([
    [{ number: 1, superseded: 0 }, 'r1/app:a/1'],
    [{ number: 2, superseded: 3 }, 'r1/app:a/2+3'],
    [{ number: 12, superseded: 0 }, 'r1/app:a/12'],
  ])('%j is known again', (attempt, text) => {
    const id = operationId(RUN, 'app:a', attempt);
    expect(id).toBe(text);
    const state = operationState({ infos: infosOf(RUN, id) });
    expect(ownAttempt(RUN, 'app:a', application({ operationState: state }))).toEqual(attempt);
  });

  test('is that of the request that waits, not of the operation before it', () => {
    const [before, now] = [1, 2].map((number) =>
      operationId(RUN, 'app:a', { number, superseded: 0 }),
    );
    const state = operationState({ infos: infosOf(RUN, before ?? '') });
    const view = application({ operation: requestOf(now ?? ''), operationState: state });
    expect(ownAttempt(RUN, 'app:a', view)?.number).toBe(2);
  });

  test.each([
    ['of another node', operationId(RUN, 'app:ab', { number: 1, superseded: 0 })],
    ['of another run', operationId({ ...RUN, id: 'r10' }, 'app:a', { number: 1, superseded: 0 })],
    ['of nobody', ''],
  ])('is none where the operation is %s', (_, id) => {
    const view = application({ operation: requestOf(id) });
    expect(ownAttempt(RUN, 'app:a', view)).toBeUndefined();
  });

  test('is none without an operation', () => {
    const view = application({ operationState: undefined });
    expect(ownAttempt(RUN, 'app:a', view)).toBeUndefined();
  });
});

test('an operation is of the platform whose run asked for it', () => {
  const request = requestOf('r1/app:a/1');
  expect([isOfPlatform(request, 'shop'), isOfPlatform(request, 'office')]).toEqual([true, false]);
  expect(isOfPlatform({ ...request, infos: new Map() }, 'shop')).toBe(false);
});
