// What of an Application's resources counts against it, and what Argo CD only lists.
import { describe, expect, test } from 'vitest';
import { gateInput, liveObjects, resource } from '../../test/fakes/application.ts';
import { isWrong, type LiveResource } from '../ports/application-view.ts';
import type { GateInput } from './conditions.ts';
import { judge } from './gate.ts';

test('not what else makes it OutOfSync, whatever is listed beside', () => {
  const tolerant = { settings: { ...gateInput().settings, ignoreOutOfSync: ['CronJob/nightly'] } };
  const sync = { status: 'OutOfSync', revisions: ['rev-1'] };
  const nightly = resource({ kind: 'CronJob', name: 'nightly' });
  const copy = resource({ name: 'copy', status: '' });
  expect(judge(gateInput({ sync, resources: [nightly, copy] }, tolerant))).toEqual({
    open: false,
    unmet: { condition: 'synced', message: 'sync status is OutOfSync' },
  });
});

describe('what Argo CD lists and does not judge', () => {
  const names = { group: 'apps', kind: 'Deployment', namespace: 'web', name: 'other' };
  const live = (state: Partial<LiveResource>): GateInput['live'] =>
    liveObjects({ ...gateInput().application, resources: [resource(names)] }, state);
  const gone = live({ present: false });

  test.each([
    ['without a status: a copy of a tracking id, or skipped', { status: '' }],
    ['an extra with IgnoreExtraneous', { status: 'OutOfSync', requiresPruning: true }],
  ])('%s', (_, listed) => {
    const resources = [resource(), resource({ ...names, ...listed })];
    expect(judge(gateInput({ resources })).open).toBe(true);
    const states: Partial<LiveResource>[] = [
      { present: false },
      { generation: 2, observedGeneration: 1 },
      { unfinishedJob: true },
    ];
    for (const state of states) {
      expect(judge(gateInput({ resources }, { live: live(state) })).open).toBe(true);
    }
    // Its own resource is judged as ever, and so is one that it says nothing of.
    expect(judge(gateInput({}, { live: gone })).open).toBe(false);
  });

  test.each(['Synced', 'OutOfSync'])(
    'what is its own must be there, also where it may be %s',
    (status) => {
      const settings = { ...gateInput().settings, ignoreOutOfSync: ['Deployment/other'] };
      const part = { resources: [resource({ ...names, status })] };
      expect(judge(gateInput(part, { live: gone, settings }))).toMatchObject({
        open: false,
        unmet: { condition: 'all-present' },
      });
    },
  );

  test('an extra counts where it leaves the Application OutOfSync, or is not known', () => {
    const extra = resource({ ...names, status: 'OutOfSync', requiresPruning: true });
    const sync = { status: 'OutOfSync', revisions: ['rev-1'] };
    expect(judge(gateInput({ sync, resources: [resource(), extra] }))).toEqual({
      open: false,
      unmet: {
        condition: 'synced',
        message: 'it is no longer in Git and would be pruned',
        resource: 'apps/Deployment web/other',
      },
    });
    const unknown = { ...extra, status: 'Unknown' };
    expect(judge(gateInput({ resources: [resource(), unknown] })).open).toBe(false);
  });

  test('it is nothing to wait for, unless its health is', () => {
    const unwell = { status: 'Degraded', message: '' };
    const listed = [resource({ status: '' }), resource({ status: '', health: unwell })];
    expect(listed.map(isWrong)).toEqual([false, true]);
  });

  test('alone, it is as good as nothing', () => {
    const verdict = judge(gateInput({ resources: [resource({ status: '' })] }));
    expect(verdict).toMatchObject({ open: false, unmet: { condition: 'not-empty' } });
  });

  test('a resource that is missing is OutOfSync, whatever the Application is called', () => {
    const resources = [resource(), resource({ ...names, status: 'OutOfSync' })];
    expect(judge(gateInput({ resources }))).toMatchObject({
      open: false,
      unmet: { condition: 'synced', message: 'sync status is OutOfSync' },
    });
  });
});

test('a newer commit at which it is Synced wants what was deployed', () => {
  const sync = { status: 'Synced', revisions: ['rev-2'] };
  const verdict = judge(gateInput({ sync }));
  expect(verdict).toMatchObject({ open: true, evidence: { revisions: ['rev-2'] } });
});
