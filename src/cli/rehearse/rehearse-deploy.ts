// tiphys rehearse deploy, and validate after it.
import { type ExitStatus, TiphysError } from '../../errors.ts';
import type { RehearsalReport } from '../../report/rehearsal-report.ts';
import type { RunEvent } from '../../run/events.ts';
import { renderJsonLine } from '../../view/lines.ts';
import type { Context } from '../command.ts';
import type { Planned, PlanningOptions } from '../input/planning.ts';
import type { Io } from '../io.ts';
import type { RunOptions } from '../options/run-options.ts';
import { createPrinter } from '../output/printer.ts';
import { type StopSignals, stopSignals } from '../run/signals.ts';
import { nextCommands } from './next-commands.ts';
import { passTime, type Speed } from './pace.ts';
import type { Rehearsing, RehearsingOptions } from './prepare-rehearsal.ts';

export interface RehearseOptions extends PlanningOptions, RunOptions, RehearsingOptions {
  readonly withDependents?: boolean;
  readonly speed?: Speed;
}

export type Action = (
  context: Context,
  options: RehearseOptions,
  planned: Planned,
  rehearsing: Rehearsing,
) => Promise<void>;

export const deployAction: Action = async ({ io, finish }, options, planned, rehearsing) => {
  const { renderRehearsal } = await import('../../view/rehearsal-text.ts');
  const signals = stopSignals(io);
  const now = () => rehearsing.rehearsal.time.calendar;
  const printer = await createPrinter(io, planned.plan, { ...options, now });
  try {
    const play = { io, options, planned, rehearsing, signals, listen: printer.event };
    const report = refusedAlone(await playDeployment(play));
    printer.close();
    const next = nextCommands(io, options, report);
    io.stdout(options.output === 'json' ? renderJsonLine(report) : renderRehearsal(report, next));
    finish(report.exitStatus as ExitStatus);
  } finally {
    printer.close();
    signals.close();
  }
};

/** The deployment goes before it, unseen. */
export const validateAction: Action = async ({ io, finish }, options, planned, rehearsing) => {
  const [{ validate }, { connectOver }, { renderJson }, { renderValidation }] = await Promise.all([
    import('../../engines/inspect/validate-platform.ts'),
    import('../../targets/connect.ts'),
    import('../../view/data.ts'),
    import('../../view/validation-text.ts'),
  ]);
  const { rehearsal } = rehearsing;
  const signals = stopSignals(io, { reads: true });
  try {
    await deployUnseen({ io, options, planned, rehearsing, signals });
    const { clock, random, transport } = rehearsal.join('validate');
    const { namespace } = rehearsal;
    const judging = async () => {
      const transports = { kubernetes: transport, argocd: undefined };
      const target = await connectOver(transports, { namespace, clock, random });
      const { concurrency } = planned.plan;
      const parts = { target, clock, signal: signals.stop, concurrency, refresh: true };
      return await validate(planned.plan, parts);
    };
    const validation = await rehearsal.time.until(judging());
    io.stdout(options.output === 'json' ? renderJson(validation) : renderValidation(validation));
    finish(validation.exitStatus as ExitStatus);
  } finally {
    signals.close();
  }
};

export async function deployUnseen(play: Omit<Play, 'listen'>): Promise<void> {
  const options = { ...play.options, speed: 'max' as const };
  refusedAlone(await playDeployment({ ...play, options, listen: () => {} }));
}

interface Play {
  readonly io: Io;
  readonly options: RehearseOptions;
  readonly planned: Planned;
  readonly rehearsing: Rehearsing;
  readonly signals: StopSignals;
  readonly listen: (event: RunEvent) => void;
}

/** So long a rehearsal takes on a terminal, in seconds. */
const SHOW_SECONDS = 10;

async function playDeployment(play: Play): Promise<RehearsalReport> {
  const { io, options, planned, signals } = play;
  const { rehearsal, faults, profile } = play.rehearsing;
  const [{ rehearseDeploy }, { expectedTimes, Observer }, { makespan }] = await Promise.all([
    import('../../rehearsal/deploy-in-rehearsal.ts'),
    import('../../rehearsal/build-report.ts'),
    import('../../report/makespan.ts'),
  ]);
  const plan = { ...planned.plan, runTimeout: options.timeout ?? planned.plan.runTimeout };
  const concurrency = options.concurrency ?? plan.concurrency;
  const expected = expectedTimes(plan, profile);
  const observer = new Observer(rehearsal);
  const deployment = rehearseDeploy({
    ...{ rehearsal, plan, whole: planned.whole, concurrency, keepHold: options.mode === 'gated' },
    ...{ stop: signals.stop, leave: signals.leave },
    listen: (event) => {
      observer.event(event);
      play.listen(event);
    },
  });
  const shown = Math.max(1, makespan(plan, expected, concurrency) / SHOW_SECONDS);
  const speed = options.speed ?? (io.screen() ? shown : 'max');
  const pace = { speed, clock: io.clock, hurry: signals.stop };
  const runs = await passTime(rehearsal.time, deployment, pace);
  const { seed } = options;
  return observer.report({ rehearsal, seed, faults, plan, concurrency, expected, runs });
}

/** One run that was refused is an error as on a real cluster: there is nothing to report. */
function refusedAlone(report: RehearsalReport): RehearsalReport {
  const [run, ...others] = report.runs;
  if (run?.end === 'refused' && others.length === 0) throw new TiphysError(run.errors);
  return report;
}
