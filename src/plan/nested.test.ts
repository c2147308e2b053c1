// Stacks inside of stacks in, the plan as lines out.
import { expect, test } from 'vitest';
import { renderPlanText } from '../view/plan-text.ts';
import { buildPlan, type PlanOptions } from './build-plan.ts';
import { compile } from './compile.ts';
import { makersOf } from './makers.ts';

const STACKS = [
  '{name: web, dependsOn: [stack:data], applications: [{name: site}]}',
  '{name: data, application: data-stack, applications: [{name: operator}]}',
  '{name: cluster, parent: data, application: cluster-stack, dependsOn: [operator], applications: [{name: db}]}',
  '{name: backups, parent: cluster, applications: [{name: backup, dependsOn: [db]}]}',
];
const compiled = (stacks: readonly string[]) => {
  const head =
    'apiVersion: tiphys.dev/v1alpha1\nkind: Platform\nmetadata: {name: shop}\nspec:\n  root: shop-root\n';
  const text = `${head}  stacks:\n${stacks.map((stack) => `    - ${stack}\n`).join('')}`;
  return compile({ file: 'shop.yaml', text });
};
const planOf = (options: PlanOptions) => buildPlan(compiled(STACKS), options);
const lines = (options: PlanOptions) =>
  planOf(options).nodes.map(
    ({ id, application, dependsOn }) =>
      `${id}${application ? ` (${application})` : ''} <- ${dependsOn.join(' ')}`,
  );
const idsOf = (options: PlanOptions) => planOf(options).nodes.map(({ id }) => id);

test('a stack opens after the one around it, which closes after it', () => {
  expect(lines({ action: 'deploy' })).toMatchInlineSnapshot(`
    [
      "open:platform (shop-root) <- ",
      "open:stack:data (data-stack) <- open:platform",
      "app:operator (operator) <- open:stack:data",
      "open:stack:cluster (cluster-stack) <- app:operator open:stack:data",
      "app:db (db) <- open:stack:cluster",
      "open:stack:backups <- open:stack:cluster",
      "app:backup (backup) <- app:db open:stack:backups",
      "close:stack:backups <- app:backup",
      "close:stack:cluster (cluster-stack) <- app:db close:stack:backups",
      "close:stack:data (data-stack) <- app:operator close:stack:cluster",
      "open:stack:web <- close:stack:data open:platform",
      "app:site (site) <- open:stack:web",
      "close:stack:web <- app:site",
      "close:platform (shop-root) <- close:stack:data close:stack:web",
    ]
  `);
});

test('on the way back a parent goes after the parents that it has made', () => {
  expect(lines({ action: 'teardown' })).toMatchInlineSnapshot(`
    [
      "close:platform <- ",
      "close:stack:web <- close:platform",
      "app:site (site) <- close:stack:web",
      "open:stack:web <- app:site",
      "close:stack:data <- close:platform open:stack:web",
      "close:stack:cluster <- close:stack:data",
      "close:stack:backups <- close:stack:cluster",
      "app:backup (backup) <- close:stack:backups",
      "app:db (db) <- app:backup close:stack:cluster",
      "open:stack:backups <- app:backup",
      "open:stack:cluster (cluster-stack) <- app:db open:stack:backups",
      "app:operator (operator) <- close:stack:data open:stack:cluster",
      "open:stack:data (data-stack) <- app:operator open:stack:cluster",
      "open:platform (shop-root) <- open:stack:data open:stack:web",
    ]
  `);
});

test('the scope of a stack has all that is inside of it', () => {
  expect(idsOf({ action: 'deploy', scope: ['stack:data'] }).sort()).toEqual([
    ...['app:backup', 'app:db', 'app:operator'],
    ...['close:stack:backups', 'close:stack:cluster', 'close:stack:data'],
    ...['open:stack:backups', 'open:stack:cluster', 'open:stack:data'],
  ]);
  const inner = planOf({ action: 'deploy', scope: ['stack:cluster'] });
  expect(inner.nodes.map(({ id }) => id)).not.toContain('open:stack:data');
  expect(inner.requires).toEqual(['app:operator']);
});

test('a member with its dependencies takes along the parents around it, and does not close them', () => {
  expect(idsOf({ action: 'deploy', scope: ['db'], withDependencies: true })).toEqual([
    ...['open:platform', 'open:stack:data', 'app:operator', 'open:stack:cluster', 'app:db'],
  ]);
});

test('the order of the file does not show', () => {
  const { hash } = planOf({ action: 'deploy' });
  expect(buildPlan(compiled(STACKS.toReversed()), { action: 'deploy' }).hash).toBe(hash);
});

test('who is expected to make what, the nearest first', () => {
  const plan = planOf({ action: 'deploy' });
  const makers = makersOf(plan);
  const named = (id: string) =>
    plan.nodes
      .filter((node) => node.id === id)
      .flatMap(makers)
      .map(({ application }) => application);
  expect(named('app:backup')).toEqual(['cluster-stack', 'data-stack', 'shop-root']);
  expect(named('open:stack:cluster')).toEqual(['data-stack', 'shop-root']);
  expect(named('app:site')).toEqual(['shop-root']);
  expect(named('open:platform')).toEqual([]);
});

test.each(['deploy', 'teardown'] as const)(
  'the table of a %s names what is waited for',
  (action) => {
    const elsewhere = { environment: undefined, absent: [] };
    const table = renderPlanText(planOf({ action }), { all: false, elsewhere });
    expect(table.split('\n').slice(2, 7)).toMatchSnapshot();
  },
);

test('a cycle through a stack inside of another is named by what somebody wrote', () => {
  const stacks = STACKS.with(
    1,
    '{name: data, dependsOn: [site], applications: [{name: operator}]}',
  );
  expect(() => compiled(stacks)).toThrow('These depend on each other: ');
  const inner = [
    '{name: a, applications: [{name: x, dependsOn: [w]}]}',
    '{name: b, parent: a, applications: [{name: y}]}',
    '{name: d, dependsOn: [stack:a], applications: [{name: w}]}',
  ];
  expect(() => compiled(inner)).toThrow(
    'These depend on each other: w -> stack:d -> stack:a -> x -> w.',
  );
});
