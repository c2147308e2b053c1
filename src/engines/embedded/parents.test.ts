// The Application of a stack: what it makes, what it must not take away, and what its failure is.
import { expect, test } from 'vitest';
import { resource } from '../../../test/fakes/application.ts';
import { app, stackOf, World } from '../../../test/fakes/world.ts';

const A_MEMBER = stackOf('parent', [app('a')]);

test('Git that loses a child during the run makes no sync that prunes it', async () => {
  const world = new World({ parent: { automated: true, sync: 1 }, a: {} });
  world.argocd.change('parent', { automated: { prune: true, selfHeal: false } });
  const pruned: boolean[] = [];
  world.applications.requestSync = async (address, request) => {
    if (address.name === 'parent') pruned.push(request.prune);
    return await world.honest.requestSync(address, request);
  };
  const running = world.start(A_MEMBER);
  await world.clock.advance(8_000);
  world.argocd.revision = 'rev-2';
  const old = resource({ group: 'argoproj.io', kind: 'Application', name: 'old' });
  world.argocd.change('parent', {
    sync: { status: 'OutOfSync', revisions: ['rev-2'] },
    resources: [{ ...old, status: 'OutOfSync', requiresPruning: true }],
  });
  await world.clock.advance(60_000);
  world.leaveNow();
  await world.clock.until(running);
  expect(pruned).toEqual([false]);
});

test('a parent that was opened does not count as something that became Healthy', async () => {
  const world = new World({ parent: { sync: 1 }, a: { phases: ['Failed'] } });
  expect((await world.run(A_MEMBER)).exitStatus).toBe(1);
});
