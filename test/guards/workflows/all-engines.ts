// Every way to run a plan: in this process, and as a Workflow of either shape.
import type { Shape } from '../../../src/engines/argo-workflows/compile-workflow.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import type { Report } from '../../../src/report/run-report.ts';
import type { World } from '../../fakes/run-world.ts';
import { MiniController } from '../../fakes/workflow-controller.ts';

type Engine = (world: World, plan: Plan, name?: string) => Promise<Report>;

const embedded: Engine = (world, plan) => world.run(plan);
export const by =
  (shape: Shape): Engine =>
  async (world, plan, name) => {
    const { report } = await world.clock.until(new MiniController(world, plan, name, shape).run());
    if (!report) throw new Error('no report');
    return report;
  };
export const SHAPES = ['pods', 'agent'] as const;
export const ENGINES = [
  ['embedded', embedded],
  ['argo-workflows, pods', by('pods')],
  ['argo-workflows, agent', by('agent')],
] as const;
