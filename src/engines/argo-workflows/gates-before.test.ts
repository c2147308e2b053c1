import { expect, test } from 'vitest';
import { buildPlan } from '../../plan/build-plan.ts';
import { compile } from '../../plan/compile.ts';
import { gatesBefore } from './gates-before.ts';

const TEXT = `apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec:
  root: shop-root
  stacks:
    - {name: data, application: data-stack, applications: [{name: db}]}
    - {name: backups, parent: data, applications: [{name: backup, dependsOn: [db]}]}
    - {name: web, application: web-stack, dependsOn: [stack:data], applications: [{name: site}, {name: shop, dependsOn: [site]}]}
`;

const whole = buildPlan(compile({ file: 'shop.yaml', text: TEXT }), { action: 'deploy' });

const before = (id: string): string[] => {
  const node = whole.nodes.find((one) => one.id === id);
  if (!node) throw new Error(`no ${id}`);
  return gatesBefore(whole, whole, node)
    .map((one) => one.id)
    .sort();
};

const DATA = ['app:backup', 'app:db', 'close:stack:data'];

test('what a stack depends on is judged again for its members, also where the stack has an Application', () => {
  expect(before('open:stack:web')).toEqual(DATA);
  expect(before('app:site')).toEqual(DATA);
  expect(before('app:shop')).toEqual(['app:backup', 'app:db', 'app:site', 'close:stack:data']);
});

test('what is before an application that it depends on is not judged again', () => {
  expect(before('app:backup')).toEqual(['app:db']);
  expect(before('app:db')).toEqual([]);
  expect(before('close:stack:data')).toEqual(['app:backup', 'app:db']);
});

test('what a scope needs outside of its plan is judged again', () => {
  const plan = buildPlan(compile({ file: 'shop.yaml', text: TEXT }), {
    ...{ action: 'deploy', scope: ['app:site'] },
  });
  const [site] = plan.nodes.filter(({ id }) => id === 'app:site');
  if (!site) throw new Error('no site');
  expect(
    gatesBefore(plan, whole, site)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(DATA);
});
