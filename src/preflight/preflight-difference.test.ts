// Two looks at one cluster, with something that happened between them.
import { expect, test } from 'vitest';
import { type Changes, look, node, object } from '../../test/fakes/preflight-world.ts';
import { changesSince, parseSnapshot } from './preflight-difference.ts';
import type { Wanted } from './wanted.ts';

async function changes(now: Changes, wanted: Partial<Wanted> = {}) {
  return changesSince(await look(), await look(now, wanted));
}

test('nothing happened', async () => expect(await changes({})).toEqual([]));

test('a row turned, and what came and went', async () => {
  const now: Changes = {
    cluster: {
      version: async () => 'v1.37.0',
      nodes: async () => [node('node1'), node('node2'), node('node4')],
      namespaces: async () => [object('default'), object('argo-events')],
      dnsPods: async () => [{ name: 'x', ready: false }],
    },
  };
  expect(await changes(now)).toEqual([
    'cluster:api: https://cluster.example.com:6443 answers: Kubernetes v1.37.0; before: https://cluster.example.com:6443 answers: Kubernetes v1.36.4',
    'dns changed from pass to failure: 0 of 1 pods ready',
    'absent:argo-events changed from pass to failure: the namespace argo-events exists, and bootstrap did not create it',
    'Kubernetes v1.37.0; before: v1.36.4',
    'Node node4 is new',
    'Node node3 is gone',
    'Namespace argo-events is new',
    'Namespace kube-system is gone',
  ]);
});

test('other rows', async () => {
  expect(await changes({}, { charts: 'charts' })).toEqual([
    'reach:charts is new: pass',
    'reach:charts:argoproj.github.io is no longer checked',
    'reach:charts:bitnami-labs.github.io is no longer checked',
  ]);
});

test('what could not be read has neither come nor gone', async () => {
  const before = await look();
  const { inventory } = before;
  const now = { ...before, inventory: { ...inventory, namespaces: null, nodes: null } };
  expect(changesSince(before, now)).toEqual([]);
  expect(changesSince(now, before)).toEqual([]);
});

test('a snapshot is read back, and nothing else is taken for one', async () => {
  const report = await look();
  expect(parseSnapshot(JSON.stringify(report))).toEqual(report);
  for (const text of [
    '',
    '{',
    'null',
    '[]',
    '{"kind": "Plan", "rows": []}',
    '{"kind":"Preflight"}',
  ]) {
    expect(parseSnapshot(text)).toBeUndefined();
  }
});
