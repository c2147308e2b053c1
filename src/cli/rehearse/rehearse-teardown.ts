// tiphys rehearse teardown: deploys first without output, then tears down.
import type { ExitStatus } from '../../errors.ts';
import { CAUTIOUS } from '../../inventory/inventory.ts';
import { renderDuration } from '../../model/duration.ts';
import { renderJsonLine, renderLines } from '../../view/lines.ts';
import { planFor, scopeless } from '../input/planning.ts';
import { STUCK_AFTER_SECONDS } from '../options/policy-options.ts';
import { lookOn } from '../output/look-on.ts';
import type { RunOutput } from '../output/output.ts';
import { createPrinter } from '../output/printer.ts';
import { type StopSignals, untilStopped } from '../run/signals.ts';
import { passTime } from './pace.ts';
import { type Action, deployUnseen } from './rehearse-deploy.ts';

export const teardownAction: Action = async (play) => {
  const { io, options, planned, rehearsing } = play;
  const { withDependents: withDependencies, scope } = options;
  if (withDependencies && !scope) throw scopeless('teardown');
  const { plan, whole } = await planFor(io, 'teardown', { ...options, withDependencies });
  const { rehearsal } = rehearsing;
  const { rehearseTeardown } = await import('../../rehearsal/teardown-in-rehearsal.ts');
  const { renderTeardownRehearsal } = await import('../../view/rehearsal-text.ts');
  const now = () => rehearsal.time.calendar;
  let notice: RunOutput['notice'] = (text) =>
    io.stderr(renderLines([text([])], lookOn(io, 'stderr')));
  const run = async (signals: StopSignals) => {
    await deployUnseen(play, signals);
    if (!options.quiet && options.output !== 'json') {
      const took = renderDuration(Math.floor(rehearsal.time.now / 1000));
      const line = `the deployment before it took ${took} (not shown)`;
      io.stderr(renderLines([line], lookOn(io, 'stderr')));
    }
    const printer = await createPrinter(io, plan, { ...options, now });
    notice = printer.notice;
    try {
      const rehearsed = rehearseTeardown({
        plan: { ...plan, runTimeout: options.timeout ?? plan.runTimeout },
        rehearsal,
        seed: options.seed,
        policy: CAUTIOUS,
        whole,
        deployment: planned.plan,
        concurrency: options.concurrency ?? plan.concurrency,
        stuckAfter: STUCK_AFTER_SECONDS,
        listen: printer.event,
        stop: signals.stop,
        abort: signals.abort,
      });
      const { speed = 'max', output } = options;
      const pace = { speed, clock: io.clock, hurry: signals.stop };
      const result = await passTime(rehearsal.time, rehearsed, pace);
      printer.close();
      io.stdout(
        output === 'json'
          ? renderJsonLine(result)
          : renderTeardownRehearsal(result, lookOn(io, 'stdout')),
      );
      return result.exitStatus as ExitStatus;
    } finally {
      printer.close();
    }
  };
  return await untilStopped(io, run, { notice: (text) => notice(text) });
};
