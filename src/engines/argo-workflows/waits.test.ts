// What a Workflow waits for while nothing of it says anything: told to whoever follows it, once, with what to do.
import { describe, expect, test } from 'vitest';
import { planOf, World } from '../../../test/fakes/run-world.ts';
import { FakeWorkflows } from '../../../test/fakes/workflows.ts';
import type { WorkflowView } from '../../ports/argo-workflows.ts';
import type { RunEvent } from '../../run/events.ts';
import { renderEvent } from '../../view/event-text.ts';
import { type FollowRequest, followWorkflow } from './follow.ts';
import { submitPlan } from './submit.ts';
import { type Sight, waitsOf } from './waits.ts';

const WORKFLOW: WorkflowView = {
  ...{ name: 'wf-2', namespace: 'argo', uid: 'u2', phase: 'Running', message: '' },
  ...{ run: undefined, nodes: [], isPacked: false, createdAt: '2026-11-15T20:00:00Z' },
  ...{ labels: new Map(), annotations: new Map() },
};
const SIGHT: Sight = {
  ...{ workflow: WORKFLOW, ids: ['app:a', 'app:b'], hasBegun: true },
  ...{ agent: '', other: undefined, holder: undefined },
};

const said = (part: Partial<Sight>, workflow: Partial<WorkflowView> = {}) =>
  waitsOf({ ...SIGHT, ...part, workflow: { ...WORKFLOW, ...workflow } }).map(
    ({ node, unmet, afterMs }) => `${node ?? 'all'} after ${afterMs / 1000} s: ${unmet.message}`,
  );
const pending = (name: string, message = '') => ({ name, phase: 'Pending', message });

describe('what it waits for', () => {
  test('nothing, where everything is well', () => {
    expect(said({})).toEqual([]);
    expect(said({}, { nodes: [pending('app-a'), pending('begin')] })).toEqual([]);
  });

  test('the controller', () => {
    expect(said({ hasBegun: false }, { phase: '' })).toEqual([
      'all after 15 s: Argo Workflows has not started it; check that its controller runs and serves namespace "argo"',
    ]);
  });

  test('another Workflow, or whatever else Argo Workflows says', () => {
    const message = 'Waiting for argo/Mutex/tiphys-shop lock. Lock status: 0/1';
    const other = { ...WORKFLOW, name: 'wf-1', uid: 'u1' };
    expect(said({ other }, { phase: 'Pending', message })).toEqual([
      'all after 0 s: Workflow "argo/wf-1" of this platform has not finished',
    ]);
    expect(said({}, { phase: 'Pending', message })).toEqual([`all after 10 s: ${message}`]);
  });

  test('the Lease of one that is gone', () => {
    const holder = 'workflow argo/wf-1/u1';
    expect(said({ hasBegun: false, holder })).toEqual([
      `all after 10 s: "${holder}" owns the platform until its Lease expires`,
    ]);
    expect(said({ hasBegun: true, holder })).toEqual([]);
  });

  test('pods of nodes, of the beginning, of the agent', () => {
    const image = 'ImagePullBackOff: Back-off pulling image "x"';
    const remedy =
      'check that the cluster can pull this image, or use another --image after `kubectl -n argo delete workflow wf-2`';
    expect(said({}, { nodes: [pending('app-a(0)', image), pending('begin(1)', image)] })).toEqual([
      `app:a after 0 s: its pod cannot start: ${image}; ${remedy}`,
      `all after 0 s: its first pod cannot start: ${image}; ${remedy}`,
    ]);
    expect(said({ agent: 'Unschedulable: 0/1 nodes are available' })).toEqual([
      "all after 0 s: its agent's pod cannot start: Unschedulable: 0/1 nodes are available; it starts when a node of the cluster has room for it",
    ]);
    expect(said({ agent: 'ContainerCreating' })).toEqual([
      "all after 30 s: its agent's pod cannot start: ContainerCreating; `kubectl -n argo describe pods -l workflows.argoproj.io/workflow=wf-2` shows more",
    ]);
  });

  test('an agent whose pod may not be seen', () => {
    const blind = { agent: undefined, hasBegun: false };
    expect(said(blind, { nodes: [pending('begin')] })).toEqual([
      'all after 30 s: it has not started, and there is no permission to read the pod of its agent; `kubectl -n argo get pods -l workflows.argoproj.io/workflow=wf-2` shows it',
    ]);
    expect(said(blind, { nodes: [{ ...pending('begin'), phase: 'Running' }] })).toEqual([]);
  });
});

describe('whoever follows', () => {
  const PLAN = planOf('a:', 'b: a');

  function place() {
    const world = new World({ a: { sync: 100 }, b: {} });
    const workflows = new FakeWorkflows(world, PLAN);
    const heard: RunEvent[] = [];
    const files = { platformFile: '', environmentFile: '', scopeArguments: [] };
    const submit = (suffix: string, wait = false) =>
      submitPlan({
        ...{ ...files, namespace: 'argo', image: 'x', nodes: 'pods', suffix, wait },
        ...{ plan: PLAN, target: world.target },
      });
    const follow = (name: string) => {
      const request: FollowRequest = {
        ...{ plan: PLAN, target: world.target, clock: world.clock, namespace: 'argo', name },
        listen: (event) => heard.push(event),
        signal: new AbortController().signal,
      };
      return followWorkflow(request);
    };
    const waits = () =>
      heard.flatMap((event) => (event.type === 'run.waiting' ? renderEvent(event)?.slice(9) : []));
    return { world, workflows, submit, follow, waits };
  }

  test('is told that it waits, and for whom', async () => {
    const { world, submit, follow, waits } = place();
    await submit('one');
    const { name, waitsFor } = await submit('two', true);
    expect(waitsFor?.name).toBe('tiphys-deploy-shop-one');
    const report = await world.clock.until(follow(name));
    expect([report.exitStatus, waits()]).toEqual([
      0,
      ['waiting: Workflow "argo/tiphys-deploy-shop-one" of this platform has not finished'],
    ]);
  });

  test('is told why the agent does not start, each reason once, before and after it has begun', async () => {
    const { world, workflows, submit, follow, waits } = place();
    const { name } = await submit('one');
    const running = follow(name);
    const reasons = ['ErrImagePull: no such image', 'ImagePullBackOff: Back-off'];
    for (const reason of [...reasons, ...reasons]) {
      await world.clock.advance(2_000);
      workflows.showAgent(reason);
    }
    await world.clock.advance(2_000);
    expect(waits()).toEqual(
      reasons.map((reason) =>
        expect.stringContaining(`agent's pod cannot start: ${reason}; check`),
      ),
    );
    workflows.showAgent('');
    await world.clock.advance(60_000);
    workflows.showAgent('Unschedulable: no room');
    await world.clock.advance(2_000);
    expect(waits().slice(2)).toEqual([
      expect.stringContaining('Unschedulable: no room; it starts'),
    ]);
    await world.clock.until(running);
  });

  test('hears of what is usual only where it lasts', async () => {
    const { world, workflows, submit, follow, waits } = place();
    const { name } = await submit('one');
    const running = follow(name);
    // Nobody begins.
    workflows.show(name, { phase: '' });
    await world.clock.advance(10_000);
    expect(waits()).toEqual([]);
    await world.clock.advance(10_000);
    expect(waits()).toEqual([expect.stringContaining('has not started it')]);
    await world.clock.until(running);
  });
});
