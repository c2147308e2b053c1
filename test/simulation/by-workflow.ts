// The platform is to be deployed by a Workflow: its controller, in small, and its pods live and die together. In some worlds its agent,
// or a pod, is lost now and then, and replaced.
import type { Shape } from '../../src/engines/argo-workflows/compile-workflow.ts';
import { TiphysError } from '../../src/errors.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { MiniController } from '../fakes/workflow-controller.ts';
import { deployment, planOf } from './deployment.ts';
import type { Command } from './life.ts';
import type { Mission, MissionParts } from './mission.ts';
import type { World } from './seeded-world.ts';

/** Seconds that a node costs more, and beginning and end. */
const OF_NODE = 8;
const OF_RUN = 40;

export function byWorkflow(parts: MissionParts): Mission {
  const { world } = parts;
  const mission = deployment(parts, 'workflow');
  const made = planOf(world);
  const plan = { ...made, runTimeout: 3 * made.runTimeout };
  const shape = world.seed % 2 === 0 ? 'agent' : 'pods';
  return {
    ...mission,
    command: submitting(plan, shape, world),
    expected: mission.expected + OF_RUN + OF_NODE * plan.nodes.length,
  };
}

/** Seconds after which something is lost, one after the other. */
const lossesOf = ({ seed }: World): readonly number[] =>
  [11, 17, 29, 41].slice(0, seed % 5).map((step) => (seed * step) % 50);

const submitting =
  (plan: Plan, shape: Shape, world: World): Command =>
  async ({ target, clock, listen, left, holder, stop, abort }) => {
    const events = { push: (event: Parameters<typeof listen>[0]) => void listen(event) };
    const place = { target, clock, events, left, keepHold: world.mode === 'gated' };
    const controller = new MiniController(place, plan, holder, shape);
    const over = new AbortController();
    stop.addEventListener('abort', () => controller.end('stop'), { once: true });
    abort.addEventListener('abort', () => controller.end('terminate'), { once: true });
    void (async () => {
      for (const seconds of lossesOf(world)) {
        await clock.sleep(seconds * 1_000, over.signal);
        if (over.signal.aborted) return;
        controller.loseOne();
      }
    })();
    try {
      const { report, messages } = await controller.run();
      if (report) return report;
      const message = `It ended without a report: ${messages.join('; ')}.`;
      throw new TiphysError([{ code: 'workflow-failed', message, hint: 'Submit it again.' }]);
    } finally {
      over.abort();
    }
  };
