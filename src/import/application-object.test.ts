// What is known of an Application without looking at its content.
import { expect, test } from 'vitest';
import { readApplications } from './application-object.ts';

const SPEC = {
  project: 'platform',
  source: { repoURL: 'https://me:hunter@git.example/x', path: 'apps/a', targetRevision: 'main' },
  destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
};
const given = (spec: object = {}, more: { metadata?: object; status?: object } = {}) => ({
  metadata: { name: 'a', namespace: 'argocd', ...more.metadata },
  spec: { ...SPEC, ...spec },
  ...(more.status ? { status: more.status } : {}),
});
const read = (...of: Parameters<typeof given>) => {
  const { applications, unreadable } = readApplications([given(...of)]);
  expect(unreadable).toEqual([]);
  const [one] = applications;
  if (!one) throw new Error('none was read');
  return one;
};

test('where it is from, where it goes, and what it may do', () => {
  const { material } = read({
    syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'] },
  });
  expect(material).toEqual({
    name: 'a',
    project: 'platform',
    destination: { cluster: 'in-cluster', namespace: 'shop' },
    ...{ isRemote: false, createsNamespace: true, automated: true, labels: {} },
    sources: [{ repoURL: 'https://***@git.example/x', path: 'apps/a', targetRevision: 'main' }],
    ...{ charts: [], values: [], resources: [], objects: [], pastDurations: [] },
    content: 'unknown',
  });
});

test.each([
  [{ name: 'in-cluster' }, 'in-cluster', false],
  [{ name: 'edge', namespace: 'x' }, 'edge', true],
  [{ server: 'https://10.0.0.1/' }, 'https://10.0.0.1', true],
  [undefined, 'an unknown cluster', true],
])('destination %j', (destination, cluster, isRemote) => {
  expect(read({ destination }).material).toMatchObject({ destination: { cluster }, isRemote });
});

test.each([
  ['-5', -5],
  ['12', 12],
  ['1.5', undefined],
  ['', undefined],
  ['9'.repeat(20), undefined],
])('wave %j', (wave, expected) => {
  const annotations = { 'argocd.argoproj.io/sync-wave': wave };
  expect(read({}, { metadata: { annotations } }).material.wave).toBe(expected);
});

test('charts of all sources, as they are written', () => {
  const sources = [
    { repoURL: 'https://charts.example', chart: 'redis', targetRevision: '1.2.3' },
    { repoURL: 'oci://registry.example/charts/kyverno' },
    { repoURL: 'https://git.example', ref: 'values' },
  ];
  expect(read({ sources }).material.charts).toEqual([
    { name: 'redis', repository: 'https://charts.example', version: '1.2.3' },
    { name: 'kyverno', repository: 'oci://registry.example/charts/kyverno' },
  ]);
});

test('automated syncs can be switched off', () => {
  const syncPolicy = { automated: { enabled: false } };
  expect(read({ syncPolicy }).material.automated).toBe(false);
});

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
const operation = { phase: 'Succeeded', startedAt: at(1000), finishedAt: at(1010) };
const history = [
  { id: 0, deployStartedAt: at(0), deployedAt: at(300) },
  { id: 1, deployStartedAt: at(400), deployedAt: at(400) },
  { id: 2, deployStartedAt: at(1000), deployedAt: at(1010) },
];
test.each([
  ['to health', { operationState: operation, health: health(1090) }, [90, 300]],
  ['health long after it', { operationState: operation, health: health(90_000) }, [10, 300]],
  ['not Healthy', { operationState: operation, health: health(1090, 'Degraded') }, [10, 300]],
  ['no operation', {}, [10, 300]],
  ['failed', { operationState: { ...operation, phase: 'Failed' } }, [10, 300]],
])('past durations: %s', (_, status, expected) => {
  expect(read({}, { status: { history, ...status } }).material.pastDurations).toEqual(expected);
});

function health(second: number, status = 'Healthy') {
  return { status, lastTransitionTime: at(second) };
}

test('hooks are seen in the last operation, or in what was left', () => {
  const result = { syncResult: { resources: [{ hookType: 'PreSync' }] } };
  const plain = { syncResult: { resources: [{ hookType: '' }] } };
  const seen = (status: object) => read({}, { status }).hasHooks;
  expect(seen({ operationState: { ...operation, ...result } })).toBe(true);
  expect(seen({ operationState: { ...operation, ...plain } })).toBe(false);
  expect(seen({ resources: [{ kind: 'Job', name: 'a', hook: true }] })).toBe(true);
});

test('one that is malformed, and the second of a name, are problems', () => {
  const wrong = { metadata: { name: 'b\u001b[31m' }, spec: { sources: 7 } };
  const { applications, unreadable } = readApplications([given(), wrong, given(), null]);
  expect(applications).toHaveLength(1);
  expect(unreadable.map(({ subject, message }) => [subject, message.split(':')[0]])).toEqual([
    ['b\u001b[31m', 'Its form is not that of an Application at spec.sources'],
    ['a', 'Another Application has the same name. Only one of them is read.'],
    ['an Application without a name', 'Its form is not that of an Application at '],
  ]);
});
