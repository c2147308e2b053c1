// A member of a late sync wave does not exist while something of an earlier wave waits for people, in every engine.
import { expect, test } from 'vitest';
import { ASKS, askedFor, decide } from '../../fakes/approvals.ts';
import { app, outcomes, planFrom, World } from '../../fakes/run-world.ts';
import { ENGINES, ended, MINUTE } from './engines.ts';

const TIMES = { timeouts: { run: '10h', sync: '1m', health: '1h' } };
const MEMBERS = [app('vault', [], ASKS), app('api', ['vault'])];
/** The operation of the parent waits for api, and api for the approval of vault. */
const BESIDE = planFrom({
  ...TIMES,
  stacks: [{ name: 's', application: 'parent', applications: [...MEMBERS, app('late')] }],
});
/** The operation of the inner parent has ended, and the outer one waits for its health. */
const BELOW = planFrom({
  ...TIMES,
  stacks: [
    { name: 's', application: 'parent', applications: [app('late')] },
    { name: 'i', parent: 's', application: 'inner', applications: MEMBERS },
  ],
});
/** Asked for in a stack of its own. */
const ELSEWHERE = planFrom({
  ...TIMES,
  stacks: [
    { name: 's', application: 'parent', applications: [app('api', ['vault']), app('late')] },
    { name: 't', applications: [app('vault', [], ASKS)] },
  ],
});

const CASES = ENGINES.flatMap(([engine, start]) =>
  [
    { where: 'beside it', plan: BESIDE },
    { where: 'below a parent beside it', plan: BELOW },
    { where: 'in another stack', plan: ELSEWHERE },
  ].map((one) => ({ ...one, engine, start })),
);

function made(plan: (typeof CASES)[number]['plan']): World {
  const names = plan.nodes.flatMap(({ application }) => application ?? []);
  const world = new World(Object.fromEntries(names.map((name) => [name, {}])));
  world.argocd.behave('parent', { sync: 1800 });
  if (plan === BELOW) world.argocd.behave('inner', { becomes: 'Missing' });
  const isUp = (name: string) => world.argocd.view(name).health.status === 'Healthy';
  world.hide('late', () => isUp('api'));
  return world;
}

test.each(CASES)('$engine: somebody is asked $where', async ({ start, plan }) => {
  const world = made(plan);
  const run = start(world, plan);
  await world.clock.advance(15 * MINUTE);
  expect(askedFor(world)).toEqual(['app:vault']);
  expect(world.order()).not.toContain('late');
  decide(world, plan, 'vault');
  await world.clock.advance(5 * MINUTE);
  expect(world.order()).toContain('late');
  if (plan === BELOW) world.settle('inner');
  expect(outcomes(await ended(world, run))).toMatchObject({ api: 'healthy', late: 'healthy' });
});
