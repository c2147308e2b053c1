import { expect, test } from 'vitest';
import { application } from '../../test/fakes/application.ts';
import { buildPlan } from '../plan/build-plan.ts';
import { compile } from '../plan/compile.ts';
import { unexpectedOf, withUnexpected } from './unexpected.ts';

const PLATFORM = `
apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec:
  root: root
  stacks:
    - {name: data, application: data-stack, applications: [{name: db}]}
    - {name: web, dependsOn: [stack:data], applications: [{name: site}]}
`;
const PLAN = buildPlan(compile({ file: 'shop', text: PLATFORM }), { action: 'teardown' });
const stranger = (name: string, madeBy: string) => ({
  name,
  namespace: 'argocd',
  project: 'platform',
  madeBy,
});

test('what is unexpected goes before its stack, after what depends on that, and the hash stays', () => {
  const plan = withUnexpected(PLAN, [stranger('x', 'data-stack'), stranger('y', 'data-stack')]);
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  expect(nodes.get('app:x')).toMatchObject({
    application: 'x',
    kind: 'application',
    stack: 'data',
  });
  expect(nodes.get('close:stack:data')?.dependsOn).toEqual(['app:x', 'app:y']);
  const before = PLAN.nodes.find(({ id }) => id === 'close:stack:data')?.dependsOn;
  expect([before, nodes.get('app:y')?.dependsOn]).toEqual([before, before]);
  expect(before).toContain('open:stack:web');
  expect(nodes.get('app:db')?.dependsOn).toContain('close:stack:data');
  const order = plan.nodes.map(({ id }) => id);
  for (const { id, dependsOn } of plan.nodes) {
    for (const other of dependsOn) expect(order.indexOf(other)).toBeLessThan(order.indexOf(id));
  }
  expect(plan.hash).toBe(PLAN.hash);
});

test('what the root made goes before everything; what nobody of the plan made is left out', () => {
  const plan = withUnexpected(PLAN, [stranger('x', 'root'), stranger('z', 'others')]);
  expect(plan.nodes[0]).toMatchObject({ id: 'app:x', dependsOn: [] });
  expect(plan.nodes.map(({ id }) => id)).not.toContain('app:z');
});

test('what something unexpected has made goes before it', () => {
  const strangers = [stranger('v', 'u'), stranger('u', 'data-stack'), stranger('w', 'v')];
  const plan = withUnexpected(PLAN, strangers);
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  expect(nodes.get('app:u')?.dependsOn).toEqual(['app:v']);
  expect(nodes.get('app:v')?.dependsOn).toEqual(['app:w']);
  expect(nodes.get('app:w')?.dependsOn).toContain('open:stack:web');
  const order = plan.nodes.map(({ id }) => id);
  for (const { id, dependsOn } of plan.nodes) {
    for (const other of dependsOn) expect(order.indexOf(other)).toBeLessThan(order.indexOf(id));
  }
});

test('names that go round in a circle in several namespaces are each placed once', () => {
  const plan = withUnexpected(PLAN, [
    ...[stranger('u', 'data-stack'), stranger('v', 'u')],
    { ...stranger('u', 'v'), namespace: 'other' },
  ]);
  expect(plan.nodes.filter(({ id }) => ['app:u', 'app:v'].includes(id))).toHaveLength(2);
});

test('it is found behind any number of makers, and not behind those of others', () => {
  const deployment = buildPlan(compile({ file: 'shop', text: PLATFORM }), { action: 'deploy' });
  const views = [
    ...[application({ name: 'w', trackedBy: 'v' }), application({ name: 'v', trackedBy: 'u' })],
    ...[application({ name: 'u', trackedBy: 'data-stack' })],
    ...[application({ name: 'z', trackedBy: 'y' }), application({ name: 'db', trackedBy: 'x' })],
  ];
  const found = unexpectedOf(deployment, views, []);
  expect(found.map(({ name, madeBy }) => `${name} of ${madeBy}`)).toEqual([
    'w of v',
    'v of u',
    'u of data-stack',
  ]);
});
