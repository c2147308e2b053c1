// Which automated syncs the policy tiphys-guard takes for the correction of drift.
import { describe, expect, test } from 'vitest';
import {
  application,
  automated,
  BEFORE,
  CONTROLLER,
  refused,
  requesting,
  type Shown,
  SOURCE,
  STATUS,
  SYNCED_AT_R2,
  state,
  synced,
  withStatus,
} from './guarded-writes.ts';

const OTHER = { ...SOURCE, helm: { values: 'replicas: 2' } };
const SEVERAL_SYNCED = {
  ...{ status: 'Synced', revisions: ['r2'] },
  comparedTo: { sources: [SOURCE] },
};
const FIRST = application({ status: { sync: STATUS.sync } });

describe('an automated sync', () => {
  test.each<[string, object, Shown]>([
    ['what was deployed', synced('r1'), BEFORE],
    [
      'what the last operation deployed',
      synced('r2'),
      withStatus({ operationState: state(synced('r2')) }),
    ],
    ['what succeeded last', synced('r1'), withStatus({ operationState: state(synced('r2')) })],
    ['a commit that changed nothing', synced('r2'), withStatus({ sync: SYNCED_AT_R2 })],
    [
      'several sources',
      { revisions: ['r1', 'x1'], sources: [SOURCE, OTHER] },
      withStatus({ history: [{ revisions: ['r1', 'x1'], sources: [SOURCE, OTHER], source: {} }] }),
    ],
    [
      'several sources and a commit that changed nothing',
      { revisions: ['r2'], sources: [SOURCE] },
      withStatus({ sync: SEVERAL_SYNCED }),
    ],
  ])('corrects drift: %s', (_, sync, before) => {
    const object = requesting(automated(sync), before);
    expect(refused(CONTROLLER, object, { oldObject: before })).toEqual([]);
  });

  const DRY = { operation: { sync: { dryRun: true } } };
  test.each<[string, object, Shown]>([
    ['a new commit', synced('r2'), BEFORE],
    ['an older one', synced('r0'), BEFORE],
    ['other values of the same commit', synced('r1', OTHER), BEFORE],
    ['the first of all', synced('r2'), FIRST],
    ['without any status', synced('r2'), application()],
    [
      'the first, of what looks Synced',
      synced('r2'),
      application({ status: { sync: SYNCED_AT_R2 } }),
    ],
    [
      'other values of a commit that changed nothing',
      synced('r2', OTHER),
      withStatus({ sync: SYNCED_AT_R2 }),
    ],
    [
      'what was tried in a dry run',
      synced('r2'),
      withStatus({ operationState: state(synced('r2'), DRY) }),
    ],
    ['a commit after one that changed nothing', synced('r3'), withStatus({ sync: SYNCED_AT_R2 })],
    ...[
      { revisions: ['r3'], sources: [SOURCE] },
      { revisions: ['r2'], sources: [OTHER] },
    ].map((sync): [string, object, Shown] => [
      'several sources after a commit that changed nothing',
      sync,
      withStatus({ sync: SEVERAL_SYNCED }),
    ]),
    ['no revision', { source: SOURCE }, BEFORE],
    ['a revision of another source alone', { revision: 'r1' }, BEFORE],
    [
      'one of several new commits',
      { revisions: ['r1', 'x2'], sources: [SOURCE, OTHER] },
      withStatus({ history: [{ revisions: ['r1', 'x1'], sources: [SOURCE, OTHER] }] }),
    ],
    [
      'other values of several sources',
      { revisions: ['r1'], sources: [OTHER] },
      withStatus({ history: [{ revisions: ['r1'], sources: [SOURCE] }] }),
    ],
  ])('is refused: %s', (_, sync, before) => {
    const object = requesting(automated(sync), before);
    expect(refused(CONTROLLER, object, { oldObject: before })).toEqual([
      'Application "db" belongs to the Tiphys platform "reference", which deploys new revisions in order, and Argo CD alone only corrects drift at what was deployed: run `tiphys deploy --scope app:db`, or sync it with a break-glass account of the AppProject platform',
    ]);
  });

  test('does not take up a newer commit when it is tried again', () => {
    const object = requesting(automated(synced('r1'), { retry: { refresh: true } }));
    expect(refused(CONTROLLER, object)).toEqual([expect.stringContaining('retry.refresh')]);
    const pinned = requesting(automated(synced('r1'), { retry: { limit: 5 } }));
    expect(refused(CONTROLLER, pinned)).toEqual([]);
  });
});
