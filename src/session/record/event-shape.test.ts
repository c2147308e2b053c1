// Only what has the shape of an event is made anything from.
import { expect, test } from 'vitest';
import { eventOf } from './event-shape.ts';

const END = {
  ...{ type: 'node.finished', time: '2026-01-01T00:00:00Z', run: 'r1', node: 'app:shop' },
  ...{ outcome: 'healthy', attempts: 1, operations: [], revisions: [], repositories: [] },
  durations: { wait: 0, sync: 1, health: 1, dwell: 0 },
};
const MEMBER = {
  ...{ application: 'shop-a', outcome: 'healthy', evidence: { uid: 'u' }, attempts: 1 },
  ...{ operations: [], revisions: ['rev-1'], repositories: [] },
};
const START = {
  ...{ type: 'run.started', time: '2026-01-01T00:00:00Z', run: 'r1', action: 'deploy' },
  ...{ platform: 'shop', plan: 'sha256:0', engine: 'embedded', scope: [], nodes: 1 },
  ...{ expectedDuration: 1, resumed: false },
};

test.each([
  ['of an older version', START],
  ['by somebody', { ...START, startedBy: { trigger: 'cli', user: 'jane' } }],
  ['by an event', { ...START, startedBy: { trigger: 'event', event: 'push' } }],
])('the start of a run %s', (_, event) => {
  expect(eventOf(event)).toBe(event);
});

test.each([
  ['a text', 'jane'],
  ['an unknown trigger', { trigger: 'cron' }],
  ['a user that is no text', { trigger: 'cli', user: {} }],
])('not with %s as who started it', (_, startedBy) => {
  expect(() => eventOf({ ...START, startedBy })).toThrow();
});

const RUN_END = {
  ...{ type: 'run.finished', time: '2026-01-01T00:00:00Z', run: 'r1' },
  ...{ exitStatus: 2, counts: { failed: 1 }, held: ['app:shop'] },
};

test('the end of a run', () => expect(eventOf(RUN_END)).toBe(RUN_END));

test.each([
  ['a text as its exit status', { exitStatus: '0' }],
  ['an exit status that no run has', { exitStatus: 5 }],
  ['a part of one', { exitStatus: 0.5 }],
  ['texts as counts', { counts: { failed: 'none' } }],
  ['numbers on hold', { held: [1] }],
])('not with %s', (_, wrong) => {
  expect(() => eventOf({ ...RUN_END, ...wrong })).toThrow();
});

const CAUSE = { node: 'app:shop', message: 'no' };

test.each([
  ['no members', END],
  ['none', { ...END, members: [] }],
  ['one that is Healthy', { ...END, members: [MEMBER] }],
  [
    'one that failed',
    { ...END, members: [{ ...MEMBER, outcome: 'failed', evidence: null, cause: CAUSE }] },
  ],
])('the end of a node with %s', (_, event) => {
  expect(eventOf(event)).toBe(event);
});

test.each([
  ['no list', {}],
  ['a text', ['shop-a']],
  ['nothing', [null]],
  ['no name', [{ ...MEMBER, application: undefined }]],
  ['an outcome that nobody knows', [{ ...MEMBER, outcome: 'good' }]],
  ['a text as evidence', [{ ...MEMBER, evidence: 'yes' }]],
  ['a cause without a message', [{ ...MEMBER, cause: { node: 'app:shop' } }]],
  ['no revisions', [{ ...MEMBER, revisions: undefined }]],
  ['no repositories', [{ ...MEMBER, repositories: undefined }]],
])('not with %s as members', (_, members) => {
  expect(() => eventOf({ ...END, members })).toThrow();
});
