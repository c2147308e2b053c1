// What the policy tiphys-hold lets pods of a run change of an AppProject.
import { readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import { expect, test } from 'vitest';
import { holdWindow } from '../../../src/run/hold.ts';
import { type Policy, refusing } from './policies.ts';

const POLICIES = loadAll(readFileSync('workflows/rights.yaml', 'utf8')) as Policy[];
const THEIRS = { kind: 'allow', schedule: '0 3 * * *', duration: '1h', applications: ['*'] };
const { given: _, ...OURS } = holdWindow(['a']);
const BEFORE = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: {
    ...{ name: 'shop', uid: 'u', resourceVersion: '1', generation: 1, labels: { team: 'a' } },
    annotations: { note: 'theirs', 'tiphys.dev/hold-1': 'other/r' },
  },
  spec: { sourceRepos: ['*'], roles: [{ name: 'r', policies: ['p'] }], syncWindows: [THEIRS] },
  status: { jwtTokensByRole: {} },
};
const NEXT = { ...BEFORE.metadata, resourceVersion: '2', generation: 2, managedFields: [{}] };
const meta = (part: object) => ({ ...BEFORE, metadata: { ...NEXT, ...part } });
const spec = (part: object) => ({ ...meta({}), spec: { ...BEFORE.spec, ...part } });
const windows = (...syncWindows: object[]) => spec({ syncWindows });

const refused = (
  object: object,
  user = 'tiphys-node',
  operation: 'UPDATE' | 'CREATE' = 'UPDATE',
  oldObject: object = BEFORE,
) =>
  refusing(POLICIES, {
    ...{ user: `system:serviceaccount:argo:${user}`, operation, resource: 'appprojects' },
    ...{ object, oldObject },
  });

const { note, ...withoutNote } = BEFORE.metadata.annotations;
const { roles, ...withoutRoles } = BEFORE.spec;

test.each([
  ['a role', spec({ roles: [{ name: 'r', policies: ['p, r, *, *, *, allow'] }] })],
  ['no role', { ...meta({}), spec: withoutRoles }],
  ['repositories', spec({ sourceRepos: ['x'] })],
  ['a field that was not there', spec({ destinations: [] })],
  ['tokens', { ...meta({}), status: { jwtTokensByRole: { r: {} } } }],
  ['a label', meta({ labels: { team: 'b' } })],
  ['a finalizer', meta({ finalizers: ['x'] })],
  ['an annotation of others', meta({ annotations: { ...BEFORE.metadata.annotations, note: 'x' } })],
  ['no annotation of others', meta({ annotations: withoutNote })],
  ['no window of others', windows(OURS)],
  ['another window of others', windows({ ...THEIRS, duration: '2h' }, OURS)],
  ['a window like that of others', windows(THEIRS, THEIRS)],
  ['a hold that keeps requested syncs out', windows(THEIRS, { ...OURS, manualSync: false })],
])('a pod changes nothing of an AppProject but its hold: %s', (_, object) => {
  for (const user of ['tiphys-run', 'tiphys-node', 'tiphys-teardown'])
    expect(refused(object, user)).toEqual(['tiphys-hold']);
  expect(refused(object, 'other')).toEqual([]);
});

test('the policies stand before every right that they restrict', () => {
  const kinds = POLICIES.map(({ kind }) => kind);
  const isPolicy = (kind: string) => kind.startsWith('ValidatingAdmissionPolicy');
  const others = kinds.findIndex((kind) => !isPolicy(kind));
  expect(others).toBe(10);
  expect(kinds.slice(others).filter(isPolicy)).toEqual([]);
});

test('a pod puts up its hold, changes it and takes it away', () => {
  const annotations = { ...BEFORE.metadata.annotations, 'tiphys.dev/hold': 'shop/r1' };
  expect(refused({ ...windows(OURS, THEIRS), metadata: { ...NEXT, annotations } })).toEqual([]);
  expect(refused(meta({ annotations: { note } }))).toEqual([]);
  expect(roles).toHaveLength(1);
  expect(refused(windows(THEIRS, OURS), 'tiphys-run', 'CREATE')).toEqual(['tiphys-hold']);
});

const DENY = { kind: 'deny', schedule: OURS.schedule, duration: '8784h', applications: ['*'] };

test.each(['kind', 'schedule', 'duration'])('windows of others may be without %s', (field) => {
  const { [field as 'kind']: _, ...theirs } = DENY;
  const change = (...syncWindows: object[]) =>
    refused(windows(...syncWindows), 'tiphys-node', 'UPDATE', windows(theirs));
  expect(change(theirs, OURS)).toEqual([]);
  expect(change(OURS)).toEqual(['tiphys-hold']);
  expect(change({ ...theirs, applications: [] }, OURS)).toEqual(['tiphys-hold']);
  expect(change(theirs, theirs, OURS)).toEqual(['tiphys-hold']);
});
