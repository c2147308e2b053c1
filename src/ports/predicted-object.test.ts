import { expect, test } from 'vitest';
import { comparable } from './predicted-object.ts';

const NAME = { name: 'c' };
const secret = (data: unknown, key = 'data') => ({ kind: 'Secret', metadata: NAME, [key]: data });

test('what does not exist has no state', () => {
  expect(comparable(null, undefined)).toEqual({ live: undefined, predicted: undefined });
  expect(comparable({ kind: 'A' }, null)).toEqual({ live: { kind: 'A' }, predicted: undefined });
});

test('what only the API server writes is left out of both states, and what Git has is not', () => {
  const ofServer = {
    ...{ managedFields: [{}], uid: 'u', resourceVersion: '1', generation: 3 },
    ...{ creationTimestamp: 't', selfLink: '/x' },
  };
  const given = { kind: 'A', metadata: { ...NAME, ...ofServer, labels: { a: 'b' } }, status: {} };
  const shown = { kind: 'A', metadata: { ...NAME, labels: { a: 'b' } } };
  expect(comparable(given, given)).toEqual({ live: shown, predicted: shown });
});

test.each([
  'kubectl.kubernetes.io/last-applied-configuration',
  'kapp.k14s.io/original',
  'objectset.rio.cattle.io/applied',
  'banzaicloud.com/last-applied',
  'kopf.zalando.org/last-handled-configuration',
])('the annotation %s is left out: it holds everything again', (name) => {
  const annotations = { [name]: '{}', mine: 'x' };
  const { live } = comparable({ kind: 'Secret', metadata: { annotations } }, undefined);
  expect(live).toEqual({ kind: 'Secret', metadata: { annotations: { mine: 'x' } } });
});

test.each(['data', 'stringData'])('%s of a Secret is masked, and says what differs', (key) => {
  const { live, predicted } = comparable(
    secret({ same: 's', changed: 'a', gone: 'g' }, key),
    secret({ same: 's', changed: 'b', fresh: 'f' }, key),
  );
  expect(live?.[key]).toEqual({ same: '***', changed: '*** (before)', gone: '***' });
  expect(predicted?.[key]).toEqual({ same: '***', changed: '*** (after)', fresh: '***' });
});

test.each([
  ['a text', 'hunter'],
  ['a list', ['hunter']],
  ['values that are no texts', { a: { deep: 'hunter' }, b: ['hunter'] }],
])('a Secret whose data is %s shows none of it', (_, data) => {
  expect(JSON.stringify(comparable(secret(data), secret({ a: 'hunter' })))).not.toMatch('hunter');
});

test('a Secret inside of another object is masked, too', () => {
  const outer = (value: string) => ({
    ...{ kind: 'Object', metadata: NAME },
    spec: { forProvider: { manifests: [secret({ p: value })] } },
  });
  const { live, predicted } = comparable(outer('hunter1'), outer('hunter2'));
  expect(JSON.stringify([live, predicted])).not.toMatch('hunter');
  expect(JSON.stringify(predicted)).toContain('"p":"*** (after)"');
});

test('of other kinds data is shown', () => {
  const { live } = comparable({ kind: 'ConfigMap', metadata: NAME, data: { a: '1' } }, null);
  expect(live).toMatchObject({ data: { a: '1' } });
});
