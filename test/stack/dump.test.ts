import { expect, test } from 'vitest';
import { normal } from './kit/dump.ts';

const service = (given: object, wanted = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'a', uid: crypto.randomUUID(), creationTimestamp: new Date() },
  spec: { ...given, selector: { app: 'a' }, ...wanted },
  status: { loadBalancer: {} },
});

test('what a cluster chooses for itself makes no difference', () => {
  const one = service({ clusterIP: '10.96.0.1', ports: [{ port: 80, nodePort: 30_001 }] });
  const two = service({ clusterIP: '10.96.0.2', ports: [{ port: 80, nodePort: 30_002 }] });
  expect(normal(one, 'x')).toEqual(normal(two, 'x'));
});

test.each([
  ['another port', { ports: [{ port: 81 }] }],
  ['another selector', { ports: [{ port: 80 }], selector: { app: 'b' } }],
  ['one more key', { ports: [{ port: 80 }], sessionAffinity: 'ClientIP' }],
])('%s does', (_, wanted) => {
  const one = service({ ports: [{ port: 80 }] });
  expect(normal(service({}, wanted), 'x')).not.toEqual(normal(one, 'x'));
});

test('the repository is the same wherever it lies', () => {
  const application = (repoURL: string) => ({ kind: 'Application', spec: { source: { repoURL } } });
  expect(normal(application('file:///a'), 'file:///a')).toEqual(
    normal(application('file:///b'), 'file:///b'),
  );
});
