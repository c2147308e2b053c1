import { expect, test } from 'vitest';
import { application, operationState } from '../../../test/fakes/application.ts';
import { ASKS } from '../../../test/fakes/approvals.ts';
import { app, oneStack } from '../../../test/fakes/run-world.ts';
import type { PlanNode } from '../../plan/plan.ts';
import type { ApplicationView } from '../../ports/application-view.ts';
import type { StoredText } from '../../ports/record-store.ts';
import { approvalText, decisionIn } from './approval.ts';

const nodeOf = (more: object = ASKS): PlanNode => {
  const node = oneStack(app('api', [], more)).nodes.find(({ id }) => id === 'app:api');
  if (!node) throw new Error('no node');
  return node;
};
const NODE = nodeOf();
const RUN = 'run-1';

const said = (approved: boolean, reason?: string): StoredText =>
  approvalText({
    ...{ platform: 'shop', node: NODE, question: 'Unseal Vault', application: application() },
    decision: { approved, by: 'jane', at: '2026-01-02T03:04:05Z', reason },
    run: RUN,
  });

const found = (text: StoredText, now: Partial<ApplicationView> = {}, node = NODE, run = RUN) =>
  decisionIn([text], node, application(now), run);

test('is found again, with who, when and why', () => {
  const by = { by: 'jane', at: '2026-01-02T03:04:05Z' };
  expect(found(said(true))).toEqual({ approved: true, ...by });
  expect(found(said(false, 'no keys'))).toEqual({ approved: false, ...by, reason: 'no keys' });
});

test.each<[string, Partial<ApplicationView>]>([
  ['another object', { uid: 'uid-2' }],
  ['another commit', { operationState: operationState({ revisions: ['rev-2'] }) }],
  ['another spec', { wanted: 'spec-2', compared: 'spec-2' }],
])('%s needs another one', (_, now) => expect(found(said(true), now)).toBeUndefined());

test('another question needs another one', () => {
  const node = nodeOf({ gate: { approval: 'Unseal Vault again' } });
  expect(found(said(true), {}, node)).toBeUndefined();
  expect(found(said(true), {}, nodeOf({}))).toBeUndefined();
});

test('a commit that was not deployed, a new look or another health needs none', () => {
  const now = {
    sync: { status: 'Synced', revisions: ['rev-9'] },
    resourceVersion: '99',
    reconciledAt: 9999,
    health: { status: 'Healthy', message: '', lastTransition: 't9' },
  };
  expect(found(said(true), now)).toBeDefined();
});

test('what was never synced by an operation is known by its comparison', () => {
  const before = { operationState: undefined };
  const text = approvalText({
    ...{ platform: 'shop', node: NODE, question: 'Unseal Vault', run: '' },
    application: application(before),
    decision: { approved: true, by: 'jane', at: '2026-01-02T03:04:05Z' },
  });
  expect(found(text, before)).toBeDefined();
  const sync = { status: 'Synced', revisions: ['rev-2'] };
  expect(found(text, { ...before, sync })).toBeUndefined();
});

test('an approval counts in every run, a denial in its own alone', () => {
  expect(found(said(true), {}, NODE, 'run-2')).toBeDefined();
  expect(found(said(true), {}, NODE, '')).toBeDefined();
  expect(found(said(false), {}, NODE, 'run-2')).toBeUndefined();
  expect(found(said(false), {}, NODE, '')).toBeUndefined();
});

test.each([
  ['decision', 'maybe'],
  ['decision', undefined],
  ['by', undefined],
  ['at', 'yesterday'],
  ['at', undefined],
  ['subject', undefined],
])('one whose %s is %s counts for nothing', (key, value) => {
  const text = said(true);
  const annotations = new Map(text.annotations);
  if (value === undefined) annotations.delete(`tiphys.dev/${key}`);
  else annotations.set(`tiphys.dev/${key}`, value);
  expect(found({ ...text, annotations })).toBeUndefined();
});

test('is no part of the record of a run, and of no other gate', () => {
  const text = said(true);
  expect([...text.labels.keys()]).not.toContain('tiphys.dev/run');
  expect(text.name).toMatch(/^tiphys-approval-[0-9a-f]{16}$/);
  expect(found({ ...text, name: 'tiphys-approval-0000000000000000' })).toBeUndefined();
});
