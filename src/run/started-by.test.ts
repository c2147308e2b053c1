import { expect, test } from 'vitest';
import { claimedName, renderStartedBy, TRIGGER_FORM, triggerOf } from './started-by.ts';

test.each([
  ['jane@example.org', 'jane@example.org'],
  ['system:serviceaccount:ci:runner', 'system:serviceaccount:ci:runner'],
  ['CN=Jane Doe, O=Ops', 'CN=Jane Doe, O=Ops'],
  ['José', 'José'],
  ['{{=sprig.env("X")}}', '??=sprig.env??X????'],
  ['a\nb\u001b[2K', 'a?b??2K'],
  ['admin (verified)', 'admin ?verified?'],
  ['  ', ''],
])('a name that somebody claims: %j becomes %j', (name, claimed) => {
  expect(claimedName(name)).toBe(claimed);
});

test('a name is cut between characters', () => {
  expect([...claimedName('𝒳'.repeat(200))]).toHaveLength(128);
});

test.each([
  ['cli', { kind: 'cli' }],
  ['workflow', { kind: 'workflow' }],
  ['event:push', { kind: 'event', event: 'push' }],
])('the trigger %s', (text, trigger) => {
  expect(text).toMatch(TRIGGER_FORM);
  expect(triggerOf(text)).toEqual(trigger);
});

test.each(['event', 'event:', 'event:{{x}}', 'workflow:x', 'push', `event:${'x'.repeat(64)}`])(
  'no trigger: %s',
  (text) => {
    expect(text).not.toMatch(TRIGGER_FORM);
  },
);

test.each([
  [{ trigger: 'cli', user: 'jane', argocdAccount: 'tiphys' }, 'jane, Argo CD account tiphys'],
  [{ trigger: 'cli' }, 'an unknown user'],
  [{ trigger: 'workflow', user: 'sa' }, 'sa'],
  [{ trigger: 'workflow' }, 'a Workflow'],
  [{ trigger: 'workflow', user: 'sa', submittedBy: 'jane' }, 'jane (unverified), as sa'],
  [{ trigger: 'event', user: 'sa', event: 'push' }, 'event push, as sa'],
  [{ trigger: 'event' }, 'an event'],
] as const)('%j is %s', (startedBy, text) => {
  expect(renderStartedBy(startedBy)).toBe(text);
});
