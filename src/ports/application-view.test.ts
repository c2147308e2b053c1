import { expect, test } from 'vitest';
import { application } from '../../test/fakes/application.ts';
import { ageOf, isNews } from './application-view.ts';

const SEEN = application({ uid: 'new', resourceVersion: '20' });
const DEGRADED = { status: 'Degraded', message: '', lastTransition: undefined };

test.each([
  ['a later state of the same Application', { resourceVersion: '21', health: DEGRADED }, true],
  ['a refresh of the same Application', { resourceVersion: '21' }, false],
  ['an earlier state of the same Application', { resourceVersion: '19', health: DEGRADED }, false],
  ['an Application that was made anew', { uid: 'newer', resourceVersion: '21' }, true],
  ['the Application before it, of a watch that lags', { uid: 'old', resourceVersion: '19' }, false],
])('%s', (_, part, expected) => {
  expect(isNews({ ...SEEN, ...part }, SEEN)).toBe(expected);
});

test('an Application that came or went is news', () => {
  expect([isNews(undefined, SEEN), isNews(SEEN, undefined), isNews(undefined, undefined)]).toEqual([
    true,
    true,
    false,
  ]);
});

test('an age is never negative, whatever the clock of the cluster says', () => {
  const ages = [undefined, 10, 30].map((at) => ageOf({ ...SEEN, reconciledAt: at }, 25_900));
  expect(ages).toEqual([null, 15, 0]);
});
