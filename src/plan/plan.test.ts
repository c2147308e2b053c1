// A platform as YAML in, the plan as lines out.
import { expect, test } from 'vitest';
import { TiphysError } from '../errors.ts';
import { buildPlan, type PlanOptions } from './build-plan.ts';
import { compile } from './compile.ts';

const PLATFORM = `
apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec:
  root: shop-root
  stacks:
    - name: base
      applications: [{name: dns}, {name: ingress, dependsOn: [dns]}]
    - name: data
      application: data-stack
      dependsOn: [stack:base]
      applications: [{name: operator}, {name: db, dependsOn: [operator], expectedDuration: 9m}]
    - name: web
      applications: [{name: api, dependsOn: [db]}, {name: site, dependsOn: [api, stack:base]}]
`;

const compiled = (text: string) => compile({ file: 'shop.yaml', text });
const planLines = (options: PlanOptions) => {
  const plan = buildPlan(compiled(PLATFORM), options);
  const lines = plan.nodes.map(
    ({ id, application, layer, dependsOn }) =>
      `${layer} ${id}${application ? ` (${application})` : ''} <- ${dependsOn.join(' ')}`,
  );
  return [
    ...lines,
    `critical: ${plan.criticalPath.join(' ')}`,
    `requires: ${plan.requires.join(' ')}`,
  ];
};

test('deploy', () =>
  expect(planLines({ action: 'deploy' })).toMatchInlineSnapshot(`
  [
    "0 open:platform (shop-root) <- ",
    "0 open:stack:base <- open:platform",
    "0 open:stack:web <- open:platform",
    "0 app:dns (dns) <- open:stack:base",
    "1 app:ingress (ingress) <- app:dns open:stack:base",
    "2 close:stack:base <- app:dns app:ingress",
    "2 open:stack:data (data-stack) <- close:stack:base open:platform",
    "2 app:operator (operator) <- open:stack:data",
    "3 app:db (db) <- app:operator open:stack:data",
    "4 app:api (api) <- app:db open:stack:web",
    "4 close:stack:data (data-stack) <- app:db app:operator",
    "5 app:site (site) <- app:api close:stack:base open:stack:web",
    "6 close:stack:web <- app:api app:site",
    "6 close:platform (shop-root) <- close:stack:base close:stack:data close:stack:web",
    "critical: open:platform open:stack:base app:dns app:ingress close:stack:base open:stack:data app:operator app:db app:api app:site close:stack:web close:platform",
    "requires: ",
  ]
`));

test('teardown is the way back, and a parent goes last', () => {
  expect(planLines({ action: 'teardown' })).toMatchInlineSnapshot(`
    [
      "0 close:platform <- ",
      "0 close:stack:data <- close:platform",
      "0 close:stack:web <- close:platform",
      "0 app:site (site) <- close:stack:web",
      "1 app:api (api) <- app:site close:stack:web",
      "2 app:db (db) <- app:api close:stack:data",
      "2 open:stack:web <- app:api app:site",
      "3 app:operator (operator) <- app:db close:stack:data",
      "4 open:stack:data (data-stack) <- app:db app:operator",
      "4 close:stack:base <- app:site close:platform open:stack:data",
      "4 app:ingress (ingress) <- close:stack:base",
      "5 app:dns (dns) <- app:ingress close:stack:base",
      "6 open:stack:base <- app:dns app:ingress",
      "6 open:platform (shop-root) <- open:stack:base open:stack:data open:stack:web",
      "critical: close:platform close:stack:web app:site app:api app:db app:operator open:stack:data close:stack:base app:ingress app:dns open:stack:base open:platform",
      "requires: ",
    ]
  `);
});

test('a scope names what must be Healthy outside of it', () => {
  expect(planLines({ action: 'deploy', scope: ['stack:web'] })).toMatchInlineSnapshot(`
    [
      "0 open:stack:web <- ",
      "0 app:api (api) <- open:stack:web",
      "1 app:site (site) <- app:api open:stack:web",
      "2 close:stack:web <- app:api app:site",
      "critical: app:api app:site",
      "requires: app:db app:dns app:ingress app:operator",
    ]
  `);
});

test('order between two applications holds through one that is left out', () => {
  expect(planLines({ action: 'deploy', scope: ['site', 'db'] })).toMatchInlineSnapshot(`
    [
      "0 app:db (db) <- ",
      "1 app:site (site) <- app:db",
      "critical: app:db app:site",
      "requires: app:api app:dns app:ingress app:operator",
    ]
  `);
});

test('a scope with its dependencies', () => {
  const plan = buildPlan(compiled(PLATFORM), {
    action: 'deploy',
    scope: ['app:db'],
    withDependencies: true,
  });
  expect(plan.nodes.map(({ id }) => id).join(' ')).toMatchInlineSnapshot(
    `"open:platform open:stack:base app:dns app:ingress close:stack:base open:stack:data app:operator app:db"`,
  );
  expect(plan.requires).toEqual([]);
});

test('a teardown of what others need names who must be gone', () => {
  expect(planLines({ action: 'teardown', scope: ['dns'] })).toMatchInlineSnapshot(`
    [
      "0 app:dns (dns) <- ",
      "critical: app:dns",
      "requires: app:api app:db app:ingress app:operator app:site open:stack:data",
    ]
  `);
});

test('an unknown scope', () => {
  const attempt = () =>
    buildPlan(compiled(PLATFORM), { action: 'deploy', scope: ['stack:dat', 'X'] });
  expect(attempt).toThrow(TiphysError);
  expect(attempt).toThrow('The platform has no "stack:dat".');
});

test('a cycle through a stack is named with the lines that make it', () => {
  const text = PLATFORM.replace('[{name: dns}', '[{name: dns, dependsOn: [api]}');
  try {
    compiled(text);
    expect.unreachable();
  } catch (error) {
    expect((error as TiphysError).diagnostics).toMatchInlineSnapshot(`
      [
        {
          "code": "graph-cycle",
          "column": 46,
          "details": [
            "line 9: dns dependsOn api",
            "line 12: stack:data dependsOn stack:base",
            "line 15: api dependsOn db",
          ],
          "file": "shop.yaml",
          "hint": "Remove one of these dependencies.",
          "line": 9,
          "message": "These depend on each other: api -> db -> stack:data -> stack:base -> dns -> api.",
        },
      ]
    `);
  }
});

const hashOf = (text: string, action: 'deploy' | 'teardown') =>
  buildPlan(compiled(text), { action }).hash;

test('the hash of a platform that asks nobody is what it was before anybody could be asked', () => {
  expect([hashOf(PLATFORM, 'deploy'), hashOf(PLATFORM, 'teardown')]).toEqual([
    'sha256:849d44d360498e89ec4e3657580756643d53f3d1a37680f80ed606ca996616b1',
    'sha256:aeb1df18999afd0962a3fc5720516ac1712b33703abad097122c27d4b4c4a1b7',
  ]);
});

const ASKING = PLATFORM.replace('{name: dns}', '{name: dns, gate: {approval: Delegate}}').replace(
  'application: data-stack',
  'application: data-stack\n      gate: {approval: Unseal, dwell: 7s}',
);

test('an approval is asked for at the gate that has it, and by a deployment alone', () => {
  const asked = (action: 'deploy' | 'teardown') =>
    buildPlan(compiled(ASKING), { action }).nodes.flatMap(({ id, gate }) =>
      'approval' in gate ? [`${id}: ${gate.approval}`] : [],
    );
  expect(asked('deploy')).toEqual(['app:dns: Delegate', 'close:stack:data: Unseal']);
  expect(asked('teardown')).toEqual([]);
  const other = ASKING.replace('Unseal', 'Unseal it');
  expect(hashOf(other, 'deploy')).not.toBe(hashOf(ASKING, 'deploy'));
  expect(hashOf(other, 'teardown')).toBe(hashOf(ASKING, 'teardown'));
});

const PROBING = PLATFORM.replace(
  '{name: dns}',
  '{name: dns, gate: {probe: {tcp: "dns.svc:53"}}}',
).replace(
  'application: data-stack',
  'application: data-stack\n      gate: {probe: {http: "http://data.svc/"}}',
);

test('a probe is run at the gate that has it, and by a deployment alone', () => {
  const probed = (action: 'deploy' | 'teardown') =>
    buildPlan(compiled(PROBING), { action }).nodes.flatMap(({ id, gate }) =>
      'probe' in gate ? [`${id}: ${gate.probe?.tcp ?? gate.probe?.http}`] : [],
    );
  expect(probed('deploy')).toEqual(['app:dns: dns.svc:53', 'close:stack:data: http://data.svc/']);
  expect(probed('teardown')).toEqual([]);
  expect(hashOf(PROBING, 'deploy')).not.toBe(hashOf(PLATFORM, 'deploy'));
  expect(hashOf(PROBING, 'teardown')).toBe(hashOf(PLATFORM, 'teardown'));
});
