import { describe, expect, test } from 'vitest';
import { foreignWindow, projectNamed } from '../../test/fakes/cluster.ts';
import type { ProjectView, ProjectWindow } from '../ports/app-projects.ts';
import {
  changeTo,
  HOLD_ANNOTATION,
  holdOf,
  holdWindow,
  isHeldBy,
  isHoldWindow,
  windowsOwner,
  withNames,
  withoutNames,
} from './hold.ts';

const owner = { platform: 'shop', run: 'r1' };
const held = (windows: readonly ProjectWindow[], annotation?: string): ProjectView =>
  projectNamed('platform', {
    windows,
    annotations: new Map(annotation === undefined ? [] : [[HOLD_ANNOTATION, annotation]]),
  });

test('the window denies, lets requested syncs through, and has the exact names, sorted, once', () => {
  expect(holdWindow(['b', 'a', 'b'])).toEqual({
    kind: 'deny',
    schedule: '0-59 0-23 * * *',
    duration: '8784h',
    applications: ['a', 'b'],
    manualSync: true,
    given: undefined,
  });
});

describe('recognition', () => {
  test('ours', () => {
    expect(holdOf(held([foreignWindow(), holdWindow(['a', 'b'])], 'shop/r1'), 'shop')).toEqual({
      ...owner,
      slot: 0,
      names: ['a', 'b'],
      intact: true,
    });
  });

  test.each([
    ['another kind', { kind: 'allow' }],
    ['another schedule', { schedule: '* * * * *' }],
    ['another duration', { duration: '24h' }],
    ['seconds in the duration', { duration: '8784h5s' }],
    ['minutes that no hold has', { duration: '8784h0m' }],
  ] as const)('not with %s', (_, part) => {
    const window = { ...holdWindow(['a']), ...part };
    expect(isHoldWindow(window)).toBe(false);
    expect(holdOf(held([window], 'shop/r1'), 'shop')).toBeUndefined();
  });

  test('an annotation without a window holds nothing', () => {
    expect(holdOf(held([foreignWindow()], 'shop/r1'), 'shop')).toBeUndefined();
  });

  test.each([undefined, 'shop', 'shop/', '/r1', 'shop/r1/x', 'shop r1'])(
    'nobody is named by the annotation %s',
    (annotation) => {
      const hold = holdOf(held([holdWindow(['a'])], annotation), 'shop');
      expect(hold).toMatchObject({ platform: undefined, run: undefined, intact: false });
    },
  );

  test.each([
    ['manual syncs denied', [{ ...holdWindow(['a', 'b']), manualSync: false }]],
    ['names out of order', [{ ...holdWindow([]), applications: ['b', 'a'] }]],
    ['a second one', [holdWindow(['a']), holdWindow(['b'])]],
    ['a second one with some of the names', [holdWindow(['a', 'b']), holdWindow(['b'])]],
    ['namespaces', [{ ...holdWindow(['a', 'b']), given: { namespaces: ['x'] } }]],
    ['clusters', [{ ...holdWindow(['a', 'b']), given: { clusters: ['x'] } }]],
    ['the AND operator', [{ ...holdWindow(['a', 'b']), given: { andOperator: true } }]],
  ])('changed by hand: %s', (_, windows) => {
    const hold = holdOf(held(windows, 'shop/r1'), 'shop');
    expect(hold).toEqual({ ...owner, slot: 0, names: ['a', 'b'], intact: false });
  });

  test('what Argo CD adds to it does not count', () => {
    const given = { timeZone: 'UTC', namespaces: [], andOperator: false };
    expect(holdOf(held([{ ...holdWindow(['a']), given }], 'shop/r1'), 'shop')?.intact).toBe(true);
  });
});

describe('whose it is', () => {
  const project = held([holdWindow(['a', 'b'])], 'shop/r1');
  test('its own', () => expect(isHeldBy(project, owner, ['a', 'b'])).toBe(true));
  test.each([
    ['another run', project, { ...owner, run: 'r2' }, ['a', 'b']],
    ['another platform', project, { ...owner, platform: 'office' }, ['a', 'b']],
    ['other names', project, owner, ['a', 'c']],
    ['more names', project, owner, ['a', 'b', 'c']],
    ['nothing wanted', project, owner, []],
    ['no window', held([], 'shop/r1'), owner, ['a', 'b']],
    [
      'changed by hand',
      held([{ ...holdWindow(['a', 'b']), manualSync: false }], 'shop/r1'),
      owner,
      ['a', 'b'],
    ],
    ['no annotation', held([holdWindow(['a', 'b'])]), owner, ['a', 'b']],
  ])('not: %s', (_, other, who, names) => expect(isHeldBy(other, who, names)).toBe(false));
  test('nothing wanted, nothing there', () => {
    expect(isHeldBy(held([foreignWindow()]), owner, [])).toBe(true);
  });
  test('nothing wanted, and a window without an owner has other names', () => {
    const ownerless = held([holdWindow(['x'])]);
    expect(isHeldBy(ownerless, owner, [], ['a'])).toBe(true);
    expect(isHeldBy(ownerless, owner, [], ['a', 'x'])).toBe(false);
  });
});

describe('changes', () => {
  const [first, last] = [foreignWindow(), foreignWindow({ kind: 'deny', schedule: '0 1 * * *' })];

  test('a new window comes after those of others, which stay as they are', () => {
    const { windows, annotations } = changeTo(held([first, last]), ['b', 'a'], owner);
    expect(windows).toEqual([first, last, holdWindow(['a', 'b'])]);
    expect(windows[0]).toBe(first);
    expect(annotations).toEqual(new Map([[HOLD_ANNOTATION, 'shop/r1']]));
  });

  test('a window that is there keeps its place, and a second one goes', () => {
    const project = held([first, holdWindow(['a']), last, holdWindow(['x'])], 'shop/r0');
    expect(changeTo(project, ['b'], owner).windows).toEqual([first, holdWindow(['b']), last]);
  });

  test('without a name, window and annotation go', () => {
    const { windows, annotations } = changeTo(
      held([first, holdWindow(['a'])], 'shop/r1'),
      [],
      owner,
    );
    expect(windows).toEqual([first]);
    expect(annotations).toEqual(new Map([[HOLD_ANNOTATION, undefined]]));
  });

  test('a window without an owner is taken over only if all of its names are wanted', () => {
    const ownerless = held([holdWindow(['x'])]);
    expect(changeTo(ownerless, ['a', 'x'], owner).windows).toEqual([holdWindow(['a', 'x'])]);
    const { windows, annotations } = changeTo(ownerless, ['a'], owner);
    expect(windows).toEqual([holdWindow(['x']), holdWindow(['a'], 1)]);
    expect(annotations).toEqual(new Map([['tiphys.dev/hold-1', 'shop/r1']]));
  });

  test('names come and go', () => {
    expect(withNames(['b', 'c'], ['a', 'b'])).toEqual(['a', 'b', 'c']);
    expect(withoutNames(['a', 'b', 'c'], ['b', 'x'])).toEqual(['a', 'c']);
  });
});

describe('two platforms on one project', () => {
  const theirs = holdWindow(['x']);
  const office = { platform: 'office', run: 'r9' };
  const shared = held([theirs], 'office/r9');
  const write = (project: ProjectView, names: readonly string[], who: typeof owner) => {
    const { windows, annotations } = changeTo(project, names, who);
    const all = [...project.annotations, ...annotations].filter(([, value]) => value !== undefined);
    const removed = [...annotations].flatMap(([key, value]) => (value === undefined ? [key] : []));
    const kept = all.filter(([key]) => !removed.includes(key)) as [string, string][];
    return { ...project, windows, annotations: new Map(kept) };
  };

  test('what the other one holds is not ours', () => {
    expect(holdOf(shared, 'shop')).toBeUndefined();
    expect(isHeldBy(shared, owner, [])).toBe(true);
  });

  test('each has a window and an annotation of its own, even for the same names', () => {
    const both = write(shared, ['x'], owner);
    expect(both.windows).toEqual([theirs, holdWindow(['x'], 1)]);
    expect(both.windows[1]?.duration).toBe('8784h1m');
    expect(Object.fromEntries(both.annotations)).toEqual({
      'tiphys.dev/hold': 'office/r9',
      'tiphys.dev/hold-1': 'shop/r1',
    });
    expect([isHeldBy(both, owner, ['x']), isHeldBy(both, office, ['x'])]).toEqual([true, true]);
    expect(both.windows.every(isHoldWindow)).toBe(true);
  });

  test('one that lets go leaves the other, which keeps its window; the place is free again', () => {
    const both = write(shared, ['a'], owner);
    const ours = write(both, [], office);
    expect(ours.windows).toEqual([holdWindow(['a'], 1)]);
    expect(isHeldBy(ours, owner, ['a'])).toBe(true);
    expect(write(ours, ['a', 'b'], owner).windows).toEqual([holdWindow(['a', 'b'], 1)]);
    const again = write(ours, ['x'], office);
    expect(again.windows).toEqual([holdWindow(['a'], 1), theirs]);
    expect(isHeldBy(again, owner, ['a'])).toBe(true);
    expect(write(write(again, [], owner), [], office).annotations.size).toBe(0);
  });

  test("what somebody did to the other's does not touch ours", () => {
    const both = write(shared, ['a'], owner);
    const [, window] = both.windows;
    if (!window) throw new Error('no window');
    expect(isHeldBy({ ...both, windows: [window] }, owner, ['a'])).toBe(true);
    const annotations = new Map([['tiphys.dev/hold-1', 'shop/r1']]);
    expect(isHeldBy({ ...both, annotations }, owner, ['a'])).toBe(true);
    expect(isHeldBy({ ...both, windows: [theirs] }, owner, ['a'])).toBe(false);
  });
});

describe('two windows of one platform', () => {
  const project = projectNamed('platform', {
    windows: [holdWindow(['a', 'b'], 2), holdWindow(['x'], 1), holdWindow(['a', 'c'])],
    annotations: new Map([
      ['tiphys.dev/hold', 'shop/r1'],
      ['tiphys.dev/hold-1', 'office/r9'],
      ['tiphys.dev/hold-2', 'shop/r0'],
    ]),
  });

  test('are one hold, and not as written', () => {
    const names = ['a', 'b', 'c'];
    expect(holdOf(project, 'shop')).toEqual({ ...owner, slot: 0, names, intact: false });
    expect(isHeldBy(project, owner, names)).toBe(false);
    expect(isHeldBy(project, owner, ['a', 'c'])).toBe(false);
  });

  test.each([
    [['b'], [holdWindow(['b']), holdWindow(['x'], 1)], 'shop/r1'],
    [[], [holdWindow(['x'], 1)], undefined],
  ])('become one, or none: %j', (names, windows, annotation) => {
    expect(changeTo(project, names, owner)).toEqual({
      windows,
      annotations: new Map([
        ['tiphys.dev/hold', annotation],
        ['tiphys.dev/hold-2', undefined],
      ]),
    });
  });
});

describe('a project in Git', () => {
  const applied = (spec: unknown, trackedBy: string | undefined = 'root') =>
    projectNamed('platform', {
      trackedBy,
      annotations: new Map([
        ['kubectl.kubernetes.io/last-applied-configuration', JSON.stringify({ spec })],
      ]),
    });
  test.each([[[]], [[{ kind: 'allow' }]]])('with syncWindows %j', (syncWindows) => {
    expect(windowsOwner(applied({ syncWindows }))).toEqual({ application: 'root' });
  });
  test('without', () => expect(windowsOwner(applied({ destinations: [] }))).toBeUndefined());
  test('by hand, not by an Application', () => {
    expect(windowsOwner({ ...applied({ syncWindows: [] }), trackedBy: undefined })).toBeUndefined();
  });
  test('by server-side apply', () => {
    const project = projectNamed('platform', { windowsAppliedBy: 'argocd-controller' });
    expect(windowsOwner({ ...project, trackedBy: 'root' })).toEqual({ application: 'root' });
    expect(windowsOwner(project)).toEqual({ manager: 'argocd-controller' });
  });
  test('unreadable', () => {
    const annotations = new Map([['kubectl.kubernetes.io/last-applied-configuration', '{']]);
    expect(windowsOwner(projectNamed('p', { trackedBy: 'root', annotations }))).toBeUndefined();
  });
});
