import { describe, expect, test } from 'vitest';
import { operationState } from '../../../test/fakes/application.ts';
import { planOf, World } from '../../../test/fakes/run-world.ts';
import type { Deployment } from '../../ports/application-view.ts';
import { BREAK_GLASS } from '../../run/break-glass.ts';
import { statusOf } from './read-status.ts';

const DAY = 86_400;

test.each<[string, number | undefined, boolean]>([
  ['expires soon', 14 * DAY, true],
  ['is good for long', 15 * DAY, false],
  ['does not say when it expires', undefined, false],
])('a token that %s', async (_, left, isTold) => {
  const world = new World({ a: {} });
  const now = Math.floor(world.clock.now() / 1000);
  const expires = left === undefined ? undefined : now + left;
  const secret = 'tiphys-argocd-token-teardown';
  world.part.tokenLives = async () => [
    { secret: undefined, expires: now + 90 * DAY },
    { secret, expires },
  ];
  const { argocd } = await statusOf(planOf('a:'), world.target, world.clock);
  const at = expires === undefined ? null : new Date(expires * 1000).toISOString();
  const warning = `the Argo CD token in the Secret "${secret}" expires at ${at}`;
  expect(argocd.tokens).toEqual([
    { secret: null, expires: new Date((now + 90 * DAY) * 1000).toISOString(), warning: null },
    { secret, expires: at, warning: isTold ? warning : null },
  ]);
});

describe('a sync by a break-glass account', () => {
  const sync = (username: string, startedAt: number, automated = false) => ({
    ...{ username, automated, startedAt },
  });
  const stateOf = (world: World) => statusOf(planOf('a:'), world.target, world.clock);
  const status = (...deployments: Deployment[]) => {
    const world = new World({ a: {} });
    world.settle('a', { deployments });
    world.edit({ annotations: new Map([[BREAK_GLASS, 'alice bob@example.com']]) });
    return { world, found: async () => (await stateOf(world)).nodes[0] };
  };

  test('is named also where others have synced since: the last one', async () => {
    const { found } = status(sync('alice', 10), sync('bob@example.com', 20), sync('tiphys', 30));
    const at = '1970-01-01T00:00:20.000Z';
    expect(await found()).toMatchObject({ breakGlass: { by: 'bob@example.com', at } });
  });

  test.each([
    ['by somebody else', sync('jane', 10)],
    ['by a part of the name', sync('bob', 10)],
    ['by nobody', sync('', 10)],
    ['that was automated', sync('alice', 10, true)],
  ])('is none %s', async (_, one) => {
    expect(await status(one).found()).not.toHaveProperty('breakGlass');
  });

  test('is named once where it is the last sync of all', async () => {
    const { world, found } = status(sync('alice', 10));
    const last = { infos: new Map(), automated: false, username: 'alice', startedAt: 10 };
    world.settle('a', { deployments: [sync('alice', 10)], operationState: operationState(last) });
    const node = await found();
    expect(node).toMatchObject({ syncedBy: { by: 'alice' } });
    expect(node).not.toHaveProperty('breakGlass');
  });

  test('counts only where its AppProject says so', async () => {
    const { world, found } = status(sync('alice', 10));
    world.edit({ annotations: new Map() });
    expect(await found()).not.toHaveProperty('breakGlass');
  });
});
