// A teardown by a Workflow in the rehearsal, as its agent carries it out.
import { CAUTIOUS, type Inventory } from '../../../src/inventory/inventory.ts';
import type { Report } from '../../../src/report/run-report.ts';
import type { RunEvent } from '../../../src/run/events.ts';
import { MiniController } from '../../fakes/workflow-controller.ts';
import { type DeployedShop, deployment, whole } from '../teardown/deployed-shop.ts';

export async function tornByWorkflow(
  shop: DeployedShop,
  approved: Inventory,
  listen: (event: RunEvent) => void = () => {},
): Promise<Report> {
  const { target, participant } = await shop.connect('wf');
  const place = { clock: participant.clock, target, events: { push: listen } };
  const controller = new MiniController(place, whole, 'wf', 'agent', {
    ...{ approved, deployment, policy: CAUTIOUS, planned: { plan: whole, whole } },
    ...{ stuckAfter: 120, unsafe: new Set<string>() },
  });
  const { report, messages } = await controller.run();
  if (!report) throw new Error(messages.join('\n'));
  return report;
}
