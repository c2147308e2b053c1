// A platform whose gate asks for approval, and every engine that can run it.
import type { Shape } from '../../../src/engines/argo-workflows/compile-workflow.ts';
import { TiphysError } from '../../../src/errors.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import type { Report } from '../../../src/report/run-report.ts';
import { ASKS } from '../../fakes/approvals.ts';
import { app, planFrom, World } from '../../fakes/run-world.ts';
import { MiniController } from '../../fakes/workflow-controller.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
/** Until somebody is asked, and some time more. */
export const WHILE = 3 * MINUTE;

export interface Started {
  readonly report: Promise<Report>;
  /** The process at work at vault goes; another one goes on. */
  readonly kill: () => Promise<Started>;
}

export type Start = (world: World, plan: Plan, name?: string) => Started;

export function embedded(world: World, plan: Plan): Started {
  const { concurrency } = plan;
  const abort = new AbortController();
  const report = world.start(plan, { concurrency, abort: abort.signal });
  const kill = async () => {
    abort.abort();
    await world.clock.until(report);
    return embedded(world, plan);
  };
  return { report, kill };
}

const by =
  (shape: Shape): Start =>
  (world, plan, name = 'wf-1') => {
    const controller = new MiniController(world, plan, name, shape);
    const report = controller.run().then(({ report: given }) => {
      if (!given) throw new Error('no report');
      return given;
    });
    const started: Started = {
      report,
      kill: async () => {
        controller.lose('app:vault');
        return started;
      },
    };
    return started;
  };

export const ENGINES: readonly (readonly [string, Start])[] = [
  ['embedded', embedded],
  ['argo-workflows, pods', by('pods')],
  ['argo-workflows, agent', by('agent')],
];

export const spec = (vault: object = {}, more: object = {}) => ({
  timeouts: { run: '10h' },
  stacks: [
    {
      name: 's',
      applications: [app('vault', [], { ...ASKS, ...vault }), app('api', ['vault']), app('other')],
    },
  ],
  ...more,
});
export const PLAN = planFrom(spec());
export const made = () => new World({ vault: {}, api: {}, other: {} });
export const ended = (world: World, { report }: Started) => world.clock.until(report, 12 * HOUR);
export const unreachable = () =>
  new TiphysError([{ code: 'cluster-unreachable', message: 'no answer' }]);
export const approvals = (world: World) =>
  [...world.argocd.store.texts.keys()].filter((name) => name.startsWith('tiphys-approval-'));
