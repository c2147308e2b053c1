// Whom the policy tiphys-guard lets sync the Applications of a platform, and what it rests on.
import { readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import {
  application,
  attempt,
  automated,
  BEFORE,
  by,
  CONTROLLER,
  GENERATOR,
  GUARD,
  PARAMS,
  refused,
  requesting,
  SERVER,
  STATUS,
  SYNCED_AT_R2,
  state,
  synced,
  withStatus,
} from './guarded-writes.ts';
import { type Policy, refusing } from './policies.ts';

const both = (username: string) => ({
  operation: { initiatedBy: { username, automated: true }, sync: synced('r1') },
});

describe('a sync that is requested', () => {
  test('is allowed by the account of Tiphys', () => {
    expect(attempt(SERVER, requesting(by('tiphys')))).toEqual({
      ...{ policy: 'tiphys-guard', messages: [], audited: [] },
    });
  });

  test.each(['alice', 'bob@example.com'])('is allowed by a break-glass account: %s', (name) => {
    const { messages, audited } = attempt(SERVER, requesting(by(name)));
    expect(messages).toEqual([]);
    expect(audited).toEqual([
      `break-glass: Application "db" belongs to the Tiphys platform "reference", and the break-glass account "${name}" syncs it`,
    ]);
  });

  test('is refused by anybody else, with what to do instead', () => {
    expect(refused(SERVER, requesting(by('jane')))).toEqual([
      'Application "db" belongs to the Tiphys platform "reference", and the Argo CD account "jane" may not sync it: run `tiphys deploy --scope app:db`, or sync it with a break-glass account of the AppProject platform',
    ]);
  });

  test.each<[string, string, object]>([
    ['nobody', SERVER, by('')],
    ['no initiator', SERVER, { operation: { sync: synced('r1') } }],
    ['a part of a name', SERVER, by('alic')],
    ['Tiphys and automated at once', SERVER, both('tiphys')],
    ['break-glass and automated at once', SERVER, both('alice')],
    ['an automated sync from argocd-server', SERVER, automated(synced('r1'))],
    ['kubectl in the name of Tiphys', 'jane', by('tiphys')],
    ['kubectl in the name of break-glass', 'jane', by('alice')],
    ['kubectl in the name of Argo CD', 'jane', automated(synced('r1'))],
    ['the ApplicationSet controller', GENERATOR, automated(synced('r1'))],
    ['a manifest in Git', CONTROLLER, by('tiphys', synced('r1'))],
    ['another ServiceAccount of the name', 'system:serviceaccount:x:argocd-server', by('tiphys')],
  ])('is refused: %s', (_, user, operation) => {
    expect(refused(user, requesting(operation))).not.toEqual([]);
    // When the Application is made, too.
    const object = application(operation);
    expect(refused(user, object, { operation: 'CREATE', oldObject: null })).not.toEqual([]);
  });

  test('may not replace one that is in progress', () => {
    const oldObject = { ...BEFORE, ...by('tiphys') };
    expect(refused('jane', { ...BEFORE, ...by('tiphys', synced('r3')) }, { oldObject })).toEqual([
      expect.stringContaining('the Kubernetes user "jane" may not sync it'),
    ]);
    expect(refused('jane', { ...oldObject, metadata: { name: 'db', labels: {} } }, { oldObject }))
      // It is as it was.
      .toEqual([]);
  });

  test.each([CONTROLLER, 'jane'])('ends: %s', (user) => {
    expect(refused(user, BEFORE, { oldObject: { ...BEFORE, ...by('tiphys') } })).toEqual([]);
  });
});

describe('what the guard rests on', () => {
  test.each([
    ['history', { history: [synced('r2')] }],
    ['the last operation', { operationState: state(synced('r2')) }],
    ['the last comparison', { sync: SYNCED_AT_R2 }],
  ])('is written by Argo CD alone: %s', (_, part) => {
    for (const user of ['jane', GENERATOR])
      expect(refused(user, withStatus(part))).toEqual([
        expect.stringContaining('only Argo CD writes its status'),
      ]);
    for (const user of [SERVER, CONTROLLER]) expect(refused(user, withStatus(part))).toEqual([]);
    const made = { operation: 'CREATE', oldObject: null } as const;
    expect(refused('jane', application({ status: part }), made)).not.toEqual([]);
  });

  test('leaves everything else to others', () => {
    expect(refused('jane', { ...BEFORE, metadata: { name: 'db', labels: { a: 'b' } } })).toEqual(
      [],
    );
    expect(refused('jane', application({ status: {} }), { oldObject: null })).toEqual([]);
    expect(refused('jane', application())).toEqual([]);
  });

  test('is not left by moving an Application to another AppProject', () => {
    const moved = application({ status: STATUS }, 'other');
    for (const user of ['jane', SERVER])
      expect(refused(user, moved)).toEqual([expect.stringContaining('another AppProject')]);
    for (const user of [CONTROLLER, GENERATOR]) expect(refused(user, moved)).toEqual([]);
    // Not by moving and syncing at once either, nor by moving it in.
    expect(refused('jane', { ...moved, ...by('tiphys') })).toHaveLength(2);
    expect(refused('jane', BEFORE, { oldObject: moved })).toEqual([]);
  });
});

describe('an AppProject', () => {
  const of = (name: string) => ({ metadata: { ...PARAMS.metadata, name } });
  const made = { operation: 'CREATE', oldObject: null } as const;

  test('that is guarded leaves Applications of others to anybody', () => {
    const object = application(by('jane'), 'other');
    expect(refused(SERVER, object, made)).toEqual([]);
    expect(refused(SERVER, object, { ...made, params: of('other') })).toHaveLength(1);
  });

  test('that an Application does not name is the project default', () => {
    const object = application(by('jane'), '');
    expect(refused(SERVER, object, { ...made, params: of('default') })).toHaveLength(1);
    expect(refused(SERVER, object, made)).toEqual([]);
    const oldObject = application({}, '');
    const moved = { oldObject, params: of('default') };
    expect(refused('jane', application({}, 'x'), moved)).toHaveLength(1);
  });

  test('without annotations has no break-glass account', () => {
    const empty = { 'guard.tiphys.dev/break-glass': '' };
    const none = { metadata: { name: 'platform', annotations: empty } };
    expect(refused(SERVER, requesting(by('')), { params: none })).toHaveLength(1);
    const params = { metadata: { name: 'platform' } };
    expect(refused(SERVER, requesting(by('alice')), { params })).toHaveLength(1);
    expect(refused(SERVER, requesting(by('tiphys')), { params })).toEqual([]);
  });

  const { labels, annotations } = PARAMS.metadata;
  const key = 'guard.tiphys.dev/break-glass';
  test.each([
    ['without its label', { annotations }],
    ['with another label', { labels: { 'tiphys.dev/guard': 'false' }, annotations }],
    ['without its accounts', { labels, annotations: {} }],
    ['with another account', { labels, annotations: { ...annotations, [key]: 'jane' } }],
    ['with another note', { labels, annotations: { ...annotations, [`${key}-x`]: 'jane' } }],
  ])('keeps its guard, whoever may write it in Argo CD or is a pod of a run: %s', (_, part) => {
    const object = { metadata: { name: 'platform', ...part }, spec: {} };
    const write = { operation: 'UPDATE', resource: 'appprojects', object } as const;
    const attempt = { ...write, oldObject: { ...PARAMS, spec: {} } };
    const rights = loadAll(readFileSync('workflows/rights.yaml', 'utf8')) as Policy[];
    const by = (user: string) => refusing([...GUARD, ...rights], { ...attempt, user });
    expect(by(SERVER)).toEqual(['tiphys-guarded-projects']);
    expect(by('system:serviceaccount:argo:tiphys-run')).toEqual(['tiphys-hold']);
    expect([by(CONTROLLER), by('jane')]).toEqual([[], []]);
  });

  test('is otherwise written by Argo CD', () => {
    const metadata = { ...PARAMS.metadata, labels: { ...labels, a: 'b' } };
    const object = { metadata: { ...metadata, annotations: { ...annotations, a: 'b' } } };
    const write = { operation: 'UPDATE', resource: 'appprojects', object, user: SERVER } as const;
    expect(refusing(GUARD, { ...write, oldObject: PARAMS })).toEqual([]);
    expect(refusing(GUARD, { ...write, oldObject: { metadata: { name: 'x' } } })).toEqual([]);
  });
});

test('both policies are in force, and record what they refuse', () => {
  const bindings = GUARD.filter(({ kind }) => kind === 'ValidatingAdmissionPolicyBinding');
  const validationActions = ['Deny', 'Audit'];
  expect(bindings.map(({ spec }) => spec)).toEqual([
    {
      ...{ policyName: 'tiphys-guard', validationActions },
      paramRef: {
        namespace: 'argocd',
        selector: { matchLabels: { 'tiphys.dev/guard': 'true' } },
        parameterNotFoundAction: 'Allow',
      },
    },
    { policyName: 'tiphys-guarded-projects', validationActions },
  ]);
});
