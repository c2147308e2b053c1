// What is left of an Application, when it hangs, and whom the message names.
import { describe, expect, test } from 'vitest';
import { application } from '../../test/fakes/application.ts';
import { VirtualClock } from '../../test/fakes/virtual-clock.ts';
import type { PresentObject } from '../ports/cluster-objects.ts';
import { describeLeft, Hanging, type Left, type Removal, whatIsLeft } from './removal.ts';

const named = (name: string) => ({ group: '', kind: 'Secret', namespace: 'data', name });

const left = (name: string, object: Partial<PresentObject> = {}): Left => ({
  resource: named(name),
  object: { uid: `uid-${name}`, finalizers: ['x/hold'], deletingSince: 60, ...object },
});

const removal = (part: Partial<Removal> = {}): Removal => ({
  uid: 'uid-1',
  resources: [],
  servedBy: () => [],
  cluster: '',
  objects: {
    get: async () => undefined,
    list: async () => [],
    contents: async () => [],
  },
  prepare: async () => undefined,
  stuckAfter: 60,
  unsafe: false,
  ...part,
});

test('what is gone and what may not be read is not left', async () => {
  const { object } = left('b');
  const found: Readonly<Record<string, PresentObject | 'unknown'>> = { b: object, c: 'unknown' };
  const { objects } = removal();
  const get = async ({ name }: { readonly name: string }) => found[name];
  const resources = ['a', 'b', 'c'].map(named);
  expect(await whatIsLeft({ resources, objects: { ...objects, get } })).toEqual([left('b')]);
});

test.each([
  ['objects', undefined, [left('a'), left('b')], '2 left, such as Secret data/a'],
  ['the Application', application(), [], 'Argo CD has not removed the Application yet'],
  ['nothing', undefined, [], 'nothing is left'],
])('it says what is left: %s', (_, view, objects, expected) => {
  expect(describeLeft(view, objects)).toBe(expected);
});

describe('it hangs', () => {
  const clock = () => new VirtualClock();

  test('after the time without any progress, and not before', () => {
    const time = clock();
    const hanging = new Hanging(removal(), time);
    const seen: boolean[] = [];
    for (const ms of [0, 59_999, 1]) {
      time.pause(ms);
      seen.push(hanging.since(application(), [left('a')]));
    }
    expect(seen).toEqual([false, false, true]);
  });

  const failing = (message: string) => [{ type: 'DeletionError', message, since: undefined }];

  test.each([
    ['nothing changes', application({ conditions: failing('no') }), [left('a')], true],
    ['its deletion begins', application({ deleting: true }), [left('a')], false],
    ['a finalizer goes', application({ finalizers: ['x'] }), [left('a')], false],
    [
      'Argo CD says something else',
      application({ conditions: failing('never') }),
      [left('a')],
      false,
    ],
    ['an object goes', application({ conditions: failing('no') }), [], false],
    ['it goes itself', undefined, [left('a')], false],
  ])('the time begins anew when something changes: %s', (_, view, objects, expected) => {
    const time = clock();
    const hanging = new Hanging(removal(), time);
    hanging.since(application({ conditions: failing('no') }), [left('a')]);
    time.pause(60_000);
    expect(hanging.since(view, objects)).toBe(expected);
    time.pause(60_000);
    expect(hanging.since(view, objects)).toBe(true);
  });

  test('the time begins anew when something was done about it', () => {
    const time = clock();
    const hanging = new Hanging(removal(), time);
    hanging.since(undefined, [left('a')]);
    time.pause(60_000);
    hanging.goOn();
    expect(hanging.since(undefined, [left('a')])).toBe(false);
  });
});

describe('the message', () => {
  const problem = (
    view: Parameters<Hanging['problem']>[0],
    objects: readonly Left[],
    part: Partial<Removal> = {},
  ) => new Hanging(removal(part), new VirtualClock()).problem(view, objects);
  const waits = (name: string, who = ', whose controller is unknown') =>
    `Secret data/${name} has been terminating since 1970-01-01T00:01:00.000Z and waits for its finalizer x/hold${who}`;

  test('names what is being deleted and has a finalizer, and nothing else', () => {
    const others = [
      left('b', { deletingSince: undefined }),
      left('c', { finalizers: [] }),
      left('d', { deletingSince: undefined, finalizers: [] }),
    ];
    expect(problem(undefined, [...others, left('a')])).toEqual({
      message: waits('a'),
      resource: 'Secret data/a',
    });
    expect(problem(undefined, others).message).toBe(
      'no progress for 60 s: 3 left, such as Secret data/b',
    );
  });

  test('names who should serve the finalizer', () => {
    const servedBy = () => ['app:x', 'app:y'];
    const { message } = problem(undefined, [left('a')], { servedBy });
    expect(message).toBe(waits('a', ', which app:x or app:y should remove'));
  });

  test.each([
    [3, ''],
    [4, '; and 1 more'],
    [6, '; and 3 more'],
  ])('names three of %i', (count, more) => {
    const all = ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, count);
    const { message } = problem(
      undefined,
      all.map((name) => left(name)),
    );
    expect(message).toBe(`${['a', 'b', 'c'].map((name) => waits(name)).join('; ')}${more}`);
  });

  test('is what Argo CD says of the deletion, and of nothing else', () => {
    const other = { type: 'SyncError', message: 'other', since: undefined };
    const error = { type: 'DeletionError', message: 'no', since: undefined };
    expect(problem(application({ conditions: [other, error] }), [])).toEqual({
      message: 'Argo CD cannot delete it: no',
    });
    expect(problem(application({ conditions: [other] }), []).message).toBe(
      'no progress for 60 s: Argo CD has not removed the Application yet',
    );
  });
});
