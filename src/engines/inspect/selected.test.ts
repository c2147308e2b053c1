// A label selector limits what is shown and judged, and a mistake in it never looks like a healthy platform.
import { expect, test } from 'vitest';
import { app, World } from '../../../test/fakes/run-world.ts';
import { parseLabelSelector } from '../../model/label-selector.ts';
import { buildPlan } from '../../plan/build-plan.ts';
import { compile } from '../../plan/compile.ts';
import { diffPlatform } from './diff-platform.ts';
import { statusOf } from './read-status.ts';
import { validate } from './validate-platform.ts';

const FILE = JSON.stringify({
  ...{ apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform', metadata: { name: 'shop' } },
  spec: {
    stacks: [{ name: 's', applications: ['api', 'db', 'web', 'gone'].map((one) => app(one)) }],
  },
});
const plan = buildPlan(compile({ file: 'platform.yaml', text: FILE }), { action: 'deploy' });
const [WEB, NONE] = [parseLabelSelector('tier in (web)'), parseLabelSelector('tier=wbe')];

function platform(): World {
  const world = new World({ api: {}, db: {}, web: {} });
  for (const [name, tier] of [
    ['api', 'web'],
    ['db', 'data'],
    ['web', 'web'],
  ] as const)
    world.argocd.change(name, { labels: new Map([['tier', tier]]) });
  return world;
}

const parts = ({ target, clock }: World) => ({
  ...{ target, clock, signal: new AbortController().signal, concurrency: 2, refresh: false },
});
interface Looked {
  readonly nodes: readonly { readonly id: string }[];
  readonly selector?: string;
}
type Selector = ReturnType<typeof parseLabelSelector>;

const LOOKS: Readonly<Record<string, (world: World, selector: Selector) => Promise<Looked>>> = {
  diff: (world, selector) => diffPlatform(plan, { ...parts(world), selector }),
  validate: (world, selector) => validate(plan, { ...parts(world), selector }),
  status: (world, selector) => statusOf(plan, world.target, world.clock, selector),
};

test.each(Object.entries(LOOKS))('%s', async (_, look) => {
  const world = platform();
  const { nodes, selector } = await world.clock.until(look(world, WEB));
  expect(nodes.map(({ id }) => id)).toEqual(['app:api', 'app:web']);
  expect(selector).toBe('tier in (web)');
  const all = await world.clock.until(look(world, undefined));
  expect(all.nodes.map(({ id }) => id)).toEqual(['app:api', 'app:db', 'app:gone', 'app:web']);
  expect(all).not.toHaveProperty('selector');
  await expect(world.clock.until(look(world, NONE))).rejects.toThrow(
    'No Application of the platform matches the selector "tier=wbe".',
  );
});

test('the exit status of a validation is that of what was judged', async () => {
  const world = platform();
  world.argocd.change('api', {
    health: { status: 'Unknown', message: '', lastTransition: undefined },
  });
  const validated = (text: string) =>
    world.clock.until(validate(plan, { ...parts(world), selector: parseLabelSelector(text) }));
  const [web, data] = [await validated('tier=web'), await validated('tier=data')];
  expect([web.state, web.exitStatus]).toEqual(['Failed', 1]);
  expect(data.state).not.toBe('Failed');
  expect(data.exitStatus).toBe(2);
});
