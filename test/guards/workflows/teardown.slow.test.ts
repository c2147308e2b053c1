// A teardown by a Workflow, in the rehearsal: the same as by the embedded engine, whatever is lost on the way.
import { describe, expect, test, vi } from 'vitest';
import type { Shape } from '../../../src/engines/argo-workflows/compile-workflow.ts';
import { CAUTIOUS, type Inventory, type Policy } from '../../../src/inventory/inventory.ts';
import type { Report } from '../../../src/report/run-report.ts';
import type { RunEvent } from '../../../src/run/events.ts';
import { MiniController } from '../../fakes/workflow-controller.ts';
import { DeployedShop, deployment, whole } from '../teardown/deployed-shop.ts';

vi.setConfig({ testTimeout: 60_000 });

async function workflow(
  shop: DeployedShop,
  approved: Inventory,
  shape: Shape,
  name: string,
  policy: Policy = CAUTIOUS,
) {
  const { target, participant } = await shop.until(shop.connect(name));
  const events: RunEvent[] = [];
  const controller = new MiniController(
    ...[{ clock: participant.clock, target, events }, whole, name, shape],
    {
      ...{ approved, deployment, policy, planned: { plan: whole, whole } },
      ...{ stuckAfter: 120, unsafe: new Set<string>() },
    },
  );
  return { controller, events };
}

/** All that does not hang on the moment or the random name of a run. */
const lasting = (report: Pick<Report, 'nodes' | 'held' | 'exitStatus' | 'leftovers'>) => ({
  ...{ exitStatus: report.exitStatus, held: report.held, leftovers: report.leftovers },
  nodes: report.nodes.map(({ durations: _, ...node }) => node),
});

describe.each(['pods', 'agent'] as const)('by %s', (shape) => {
  test('it goes in reverse, and the report is that of the embedded engine', async () => {
    const other = await DeployedShop.create();
    const embedded = await other.until(other.down());
    const shop = await DeployedShop.create();
    const approved = await shop.until(shop.look());
    const order = shop.deletions();
    const { controller } = await workflow(shop, approved, shape, 'wf-1');
    const { report, messages, pods } = await shop.until(controller.run());
    if (!report) throw new Error(messages.join());
    expect(lasting(report)).toEqual(lasting(embedded));
    expect([report.exitStatus, order.length, order.at(-1)]).toEqual([0, 8, 'shop-root']);
    const at = (id: string) => order.indexOf(id.replace(/^app:/, ''));
    for (const { id, dependsOn } of whole.nodes.filter(({ kind }) => kind === 'application'))
      for (const before of dependsOn.filter((one) => one.startsWith('app:')))
        expect(at(before)).toBeLessThan(at(id));
    expect(shop.names()).toEqual([]);
    expect(shop.inNamespace('argocd')).not.toContain('ConfigMap tiphys-teardown-shop');
    expect(pods).toBe(shape === 'pods' ? 10 : 1);
  });

  test('nothing goes where the cluster is not as it was approved', async () => {
    const shop = await DeployedShop.create();
    const approved = await shop.until(shop.look());
    const order = shop.deletions();
    // What is found with another policy is not what was approved with this one.
    const policy = { ...CAUTIOUS, crds: true };
    const { controller } = await workflow(shop, approved, shape, 'wf-1', policy);
    const { phases, report, messages } = await shop.until(controller.run());
    expect([phases.get('begin'), report, order]).toEqual(['Failed', undefined, []]);
    expect(messages.join()).toContain('The cluster has changed since the approval');
  });

  test.each([7_000, 9_000, 12_000, 15_000])(
    'ended after %i ms, the next one goes on under its id, and finishes',
    async (ms) => {
      const shop = await DeployedShop.create();
      const approved = await shop.until(shop.look());
      const order = shop.deletions();
      const first = await workflow(shop, approved, shape, 'wf-1');
      const running = first.controller.run();
      await shop.until(shop.rehearsal.join('clock').clock.sleep(ms));
      first.controller.end('terminate');
      await shop.until(running);
      expect(shop.names()).not.toEqual([]);
      const again = await workflow(shop, approved, shape, 'wf-2');
      const { report, messages } = await shop.until(again.controller.run());
      expect([report?.exitStatus, messages]).toEqual([0, []]);
      expect(shop.names()).toEqual([]);
      expect(order.at(-1)).toBe('shop-root');
    },
  );
});
