// tiphys rehearse teardown: the deployment goes before it, unseen.
import type { ExitStatus } from '../../errors.ts';
import { CAUTIOUS } from '../../inventory/inventory.ts';
import { renderJsonLine } from '../../view/lines.ts';
import { planFor, scopeless } from '../input/planning.ts';
import { createPrinter } from '../output/printer.ts';
import { stopSignals } from '../run/signals.ts';
import { passTime } from './pace.ts';
import { type Action, deployUnseen } from './rehearse-deploy.ts';

/** Seconds. */
const STUCK_AFTER = 300;

export const teardownAction: Action = async ({ io, finish }, options, planned, rehearsing) => {
  const { withDependents: withDependencies, scope } = options;
  if (withDependencies && !scope) throw scopeless('teardown');
  const { plan, whole } = await planFor(io, 'teardown', { ...options, withDependencies });
  const { rehearsal } = rehearsing;
  const [{ rehearseTeardown }, { renderTeardownRehearsal }] = await Promise.all([
    import('../../rehearsal/teardown-in-rehearsal.ts'),
    import('../../view/rehearsal-text.ts'),
  ]);
  const signals = stopSignals(io);
  const now = () => rehearsal.time.calendar;
  await deployUnseen({ io, options, planned, rehearsing, signals });
  const printer = await createPrinter(io, plan, { ...options, now });
  try {
    const rehearsed = rehearseTeardown({
      plan: { ...plan, runTimeout: options.timeout ?? plan.runTimeout },
      ...{ rehearsal, seed: options.seed, policy: CAUTIOUS, whole, deployment: planned.plan },
      concurrency: options.concurrency ?? plan.concurrency,
      stuckAfter: STUCK_AFTER,
      listen: printer.event,
      stop: signals.stop,
      leave: signals.leave,
    });
    const { speed = 'max' } = options;
    const pace = { speed, clock: io.clock, hurry: signals.stop };
    const result = await passTime(rehearsal.time, rehearsed, pace);
    printer.close();
    io.stdout(options.output === 'json' ? renderJsonLine(result) : renderTeardownRehearsal(result));
    finish(result.exitStatus as ExitStatus);
  } finally {
    printer.close();
    signals.close();
  }
};
