// Submitting a plan, following it, and coming back to it: what the command line does with a Workflow.
import { describe, expect, test } from 'vitest';
import { outcomes, planOf, World } from '../../../test/fakes/run-world.ts';
import { FakeWorkflows } from '../../../test/fakes/workflows.ts';
import type { Plan } from '../../plan/plan.ts';
import type { RunEvent } from '../../run/events.ts';
import { runningWorkflow } from './find-workflows.ts';
import { type FollowRequest, followWorkflow } from './follow.ts';
import { submitPlan } from './submit.ts';

const PLAN = planOf('a:', 'b: a', 'c: b');
const SHOP = { name: 'shop', workflowsNamespace: 'argo' };
const GOOD = { a: {}, b: {}, c: {} };

function place(behaviour: ConstructorParameters<typeof World>[0], plan: Plan = PLAN) {
  const world = new World(behaviour);
  const workflows = new FakeWorkflows(world, plan);
  const heard: RunEvent[] = [];
  const compile = { namespace: 'argo', image: 'x', platformFile: '', environmentFile: '' };
  const submit = async (suffix: string, wait = false) => {
    const parts = { plan, target: world.target, suffix, wait, scopeArguments: [] };
    return (await submitPlan({ ...compile, ...parts, nodes: 'pods' })).name;
  };
  const request = (name: string): FollowRequest => ({
    ...{ plan, target: world.target, clock: world.clock, namespace: 'argo', name },
    listen: (event) => heard.push(event),
    signal: new AbortController().signal,
  });
  const follow = (name: string) => world.clock.until(followWorkflow(request(name)));
  return { world, workflows, heard, submit, request, follow };
}

describe('follow', () => {
  test('tells every event once, in order, and gives the report of the run', async () => {
    const { world, heard, submit, follow } = place(GOOD);
    const name = await submit('one');
    const report = await follow(name);
    expect([name, report.exitStatus, report.counts.healthy]).toEqual([
      'tiphys-deploy-shop-one',
      0,
      3,
    ]);
    const key = (event: RunEvent) => JSON.stringify(event);
    expect(new Set(heard.map(key)).size).toBe(heard.length);
    expect(heard.map(({ time }) => time)).toEqual(heard.map(({ time }) => time).sort());
    // All that its pods said, and nothing else.
    expect(heard.map(key).sort()).toEqual(world.events.map(key).sort());
    expect([heard[0]?.type, heard.at(-1)?.type]).toEqual(['run.started', 'run.finished']);
  });

  test('a failure has the same exit status as elsewhere', async () => {
    const { submit, follow } = place({ ...GOOD, b: { becomes: 'Degraded' } });
    const report = await follow(await submit('one'));
    expect(outcomes(report)).toEqual({ a: 'healthy', b: 'failed', c: 'skipped' });
    expect(report.exitStatus).toBe(2);
  });

  test('whoever stops following does not stop it, and can come back', async () => {
    const { world, submit, request, follow, heard } = place({ ...GOOD, a: { sync: 100 } });
    const name = await submit('one');
    const enough = new AbortController();
    const first = followWorkflow({ ...request(name), signal: enough.signal });
    await world.clock.advance(30_000);
    enough.abort();
    await expect(world.clock.until(first)).rejects.toThrow(/interrupted/i);
    const before = heard.length;
    const found = await runningWorkflow(SHOP, world.target);
    expect([found?.name, before > 0]).toEqual([name, true]);
    expect((await follow(name)).exitStatus).toBe(0);
  });

  test('a plan that its beginning refuses is told as that', async () => {
    const { submit, follow } = place({ a: {}, b: {} });
    const refused = follow(await submit('one'));
    await expect(refused).rejects.toMatchObject({
      exitStatus: 3,
      message: expect.stringContaining('Argo CD has no Application "c"'),
    });
  });

  test('one that is deleted, or whose end never ran, is told as that', async () => {
    const { world, workflows, submit, follow } = place({ ...GOOD, a: { sync: 100 } });
    const name = await submit('one');
    await world.clock.advance(20_000);
    workflows.entries.get(name)?.controller.end('terminate');
    await expect(follow(name)).rejects.toThrow(/ended without a report: its last step did not run/);
    workflows.entries.delete(name);
    await expect(follow(name)).rejects.toThrow(/no longer exists/);
  });

  test('one that has ended, with too many nodes to say which run it was, is found in the record', async () => {
    const { workflows, submit, follow } = place(GOOD);
    await follow(await submit('one'));
    const name = await submit('two');
    await follow(name);
    workflows.show(name, { run: undefined, isPacked: true, nodes: [] });
    const again = await follow(name);
    expect([again.exitStatus, again.run, again.counts.unchanged]).toEqual([0, `run-${name}`, 3]);
  });

  test('a pod that cannot start is told of, once for each reason', async () => {
    const { world, workflows, heard, submit, request } = place({ ...GOOD, a: { sync: 100 } });
    const name = await submit('one');
    const running = followWorkflow(request(name));
    await world.clock.advance(20_000);
    const nodes = [{ name: 'app-b(0)', phase: 'Pending', message: 'ImagePullBackOff' }];
    for (let times = 0; times < 2; times++) {
      workflows.show(name, { nodes });
      await world.clock.advance(5_000);
    }
    const told = heard.filter((event) => event.type === 'node.waiting' && event.node === 'app:b');
    expect(told).toMatchObject([
      {
        unmet: {
          condition: 'pod',
          message: expect.stringMatching(/^its pod cannot start: ImagePullBackOff; check/),
        },
      },
    ]);
    await world.clock.until(running);
  });
});

describe('a second one', () => {
  test('is refused while one is not over, and names it', async () => {
    const { world, submit, follow } = place({ ...GOOD, a: { sync: 100 } });
    const name = await submit('one');
    await expect(submit('two')).rejects.toThrow(
      `Workflow "argo/${name}" of platform "shop" has not finished`,
    );
    await world.clock.advance(20_000);
    expect(await runningWorkflow(SHOP, world.target)).toMatchObject({ namespace: 'argo', name });
    await follow(name);
    expect(await runningWorkflow(SHOP, world.target)).toBeUndefined();
  });

  test('waits where it is asked to', async () => {
    const { world, submit, follow } = place({ ...GOOD, a: { sync: 100 } });
    await submit('one');
    const second = await follow(await submit('two', true));
    expect([second.exitStatus, second.counts.unchanged]).toEqual([0, 3]);
    expect(world.argocd.syncs).toHaveLength(3);
  });
});

test('stop: what is in work is left, what is not through its gate stays held', async () => {
  const { world, workflows, submit, request } = place({ ...GOOD, a: { sync: 200 } });
  for (const name of Object.keys(GOOD))
    world.argocd.change(name, { automated: { prune: false, selfHeal: true } });
  const name = await submit('one');
  const running = followWorkflow(request(name));
  await world.clock.advance(30_000);
  await workflows.api.stop('argo', name);
  const report = await world.clock.until(running);
  expect([report.exitStatus, world.held()]).toEqual([2, ['a', 'b', 'c']]);
});

test('a cluster without Argo Workflows is told as that', async () => {
  const world = new World(GOOD);
  const compile = { namespace: 'argo', image: 'x', platformFile: '', environmentFile: '' };
  const parts = { plan: PLAN, target: world.target, suffix: 'x', wait: false, scopeArguments: [] };
  const nodes = 'agent';
  await expect(submitPlan({ ...compile, ...parts, nodes })).rejects.toMatchObject({
    exitStatus: 3,
  });
});
