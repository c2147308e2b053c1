import { expect, test } from 'vitest';
import { buildPlan } from '../plan/build-plan.ts';
import { compile } from '../plan/compile.ts';
import { explain, type Seen } from './explanation.ts';

const PLAN = buildPlan(
  compile({
    file: 'shop',
    text: `
apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec:
  stacks:
    - {name: data, applications: [{name: operator}, {name: db, dependsOn: [operator]}]}
    - {name: web, dependsOn: [stack:data], applications: [{name: api}, {name: site, dependsOn: [api]}]}
`,
  }),
  { action: 'deploy' },
);

const shut = (message: string): Seen => ({
  unmet: { condition: 'healthy', message, resource: 'Pod a' },
  evidence: null,
});
const seenWith = (wrong: Readonly<Record<string, Seen>>) =>
  new Map(
    PLAN.nodes
      .filter(({ kind }) => kind === 'application')
      .map(({ id }) => [id, wrong[id] ?? { unmet: undefined, evidence: null }]),
  );
const chain = (wrong: Readonly<Record<string, Seen>>, id: string) =>
  explain(PLAN, seenWith(wrong), id).map(({ node, message }) => `${node}: ${message}`);

test('goes back through stacks to what is the matter', () => {
  const wrong = {
    'app:db': shut('health is Degraded'),
    'app:api': shut('never synced'),
    'app:site': shut('never synced'),
  };
  expect(chain(wrong, 'app:site')).toEqual([
    'app:site: never synced',
    'app:db: health is Degraded',
  ]);
  expect(chain(wrong, 'close:stack:web').at(-1)).toBe('app:db: health is Degraded');
});

test('something that is wrong by itself is its own cause', () => {
  expect(chain({ 'app:api': shut('health is Degraded') }, 'app:api')).toEqual([
    'app:api: health is Degraded',
  ]);
});

test('nothing is the matter', () => {
  expect(explain(PLAN, seenWith({}), 'app:site')).toMatchObject([{ condition: 'open' }]);
});
