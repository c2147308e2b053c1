import { expect, test } from 'vitest';
import { planOf, World } from '../../../test/fakes/run-world.ts';
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
