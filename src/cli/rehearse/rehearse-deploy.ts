// tiphys rehearse deploy, and validate after it.
import { type ExitStatus, TiphysError } from '../../errors.ts';
import type { RehearsalReport } from '../../report/rehearsal-report.ts';
import type { RunEvent } from '../../run/events.ts';
import { renderJson, renderJsonLine, renderWarning } from '../../view/lines.ts';
import type { Planned, PlanningOptions } from '../input/planning.ts';
import type { Io } from '../io.ts';
import type { RunOptions } from '../options/run-options.ts';
import { lookOn } from '../output/look-on.ts';
import { createPrinter } from '../output/printer.ts';
import { type StopSignals, untilStopped } from '../run/signals.ts';
import { nextCommands } from './next-commands.ts';
import { passTime, type Speed } from './pace.ts';
import type { Rehearsing, RehearsingOptions } from './prepare-rehearsal.ts';

export interface RehearseOptions extends PlanningOptions, RunOptions, RehearsingOptions {
  readonly withDependents?: boolean;
  readonly speed?: Speed;
}

interface Play {
  readonly io: Io;
  readonly options: RehearseOptions;
  readonly planned: Planned;
  readonly rehearsing: Rehearsing;
}

export type Action = (play: Play) => Promise<ExitStatus>;

export const deployAction: Action = async (play) => {
  const { io, options, planned, rehearsing } = play;
  const { renderRehearsal } = await import('../../view/rehearsal-text.ts');
  const now = () => rehearsing.rehearsal.time.calendar;
  await warnOfTime(play);
  const printer = await createPrinter(io, planned.plan, { ...options, now });
  const run = async (signals: StopSignals) => {
    try {
      const report = refusedAlone(await playDeployment(play, signals, printer.event));
      printer.close();
      const next = nextCommands(io, options, report);
      io.stdout(
        options.output === 'json'
          ? renderJsonLine(report)
          : renderRehearsal(report, next, lookOn(io, 'stdout')),
      );
      return report.exitStatus as ExitStatus;
    } finally {
      printer.close();
    }
  };
  return await untilStopped(io, run, { notice: printer.notice });
};

/** Uses the durations of the profile, which may come from a real run. */
async function warnOfTime({ io, options, planned: { plan }, rehearsing }: Play): Promise<void> {
  const { expectedRunTime, runTimeWarning } = await import('../../report/run-time.ts');
  const { expectedTimes } = await import('../../rehearsal/build-report.ts');
  const { timeout, concurrency = plan.concurrency } = options;
  const expected = expectedRunTime(plan, concurrency, expectedTimes(plan, rehearsing.profile));
  const setting = timeout === undefined ? 'timeouts.run' : '--timeout';
  const run = { ...plan, runTimeout: timeout ?? plan.runTimeout };
  const notice = runTimeWarning(run, expected, setting);
  if (notice !== undefined) io.stderr(renderWarning(notice, lookOn(io, 'stderr')));
}

/** Deploys first, without output. */
export const validateAction: Action = async (play) => {
  const { io, options, planned, rehearsing } = play;
  const { validate } = await import('../../engines/inspect/validate-platform.ts');
  const { connectOver } = await import('../../targets/connect.ts');
  const { renderValidation } = await import('../../view/validation-text.ts');
  const { rehearsal } = rehearsing;
  const judge = async (signals: StopSignals) => {
    await deployUnseen(play, signals);
    const { clock, random, transport } = rehearsal.join('validate');
    const { namespace } = rehearsal;
    const judging = async () => {
      const transports = { kubernetes: transport, argocd: undefined };
      const target = await connectOver(transports, { namespace, clock, random });
      const { concurrency } = planned.plan;
      const looking = { target, clock, signal: signals.stop, concurrency, refresh: true };
      const { strict = false } = options;
      return await validate(planned.plan, { ...looking, strict });
    };
    return await rehearsal.time.until(judging());
  };
  const validation = await untilStopped(io, judge, { reads: true });
  io.stdout(
    options.output === 'json'
      ? renderJson(validation)
      : renderValidation(validation, lookOn(io, 'stdout')),
  );
  return validation.exitStatus as ExitStatus;
};

export async function deployUnseen(play: Play, signals: StopSignals): Promise<void> {
  const options = { ...play.options, speed: 'max' as const };
  const report = refusedAlone(await playDeployment({ ...play, options }, signals, () => {}));
  if (play.rehearsing.faults.length === 0 || options.output === 'json') return;
  const { exitStatus } = report;
  const notice = `the faults begin with the deployment that comes first and is not shown; it ended with exit status ${exitStatus}`;
  play.io.stderr(renderWarning(notice, lookOn(play.io, 'stderr')));
}

/** So long a rehearsal takes on a terminal, in seconds. */
const SHOW_SECONDS = 10;

async function playDeployment(
  play: Play,
  signals: StopSignals,
  listen: (event: RunEvent) => void,
): Promise<RehearsalReport> {
  const { io, options, planned } = play;
  const { rehearsal, faults, profile } = play.rehearsing;
  const { rehearseDeploy } = await import('../../rehearsal/deploy-in-rehearsal.ts');
  const { expectedTimes, Observer } = await import('../../rehearsal/build-report.ts');
  const { makespan } = await import('../../report/makespan.ts');
  const plan = { ...planned.plan, runTimeout: options.timeout ?? planned.plan.runTimeout };
  const concurrency = options.concurrency ?? plan.concurrency;
  const expected = expectedTimes(plan, profile);
  const observer = new Observer(rehearsal);
  const deployment = rehearseDeploy({
    rehearsal,
    plan,
    whole: planned.whole,
    concurrency,
    keepHold: options.mode === 'gated',
    strict: options.strict ?? false,
    stop: signals.stop,
    abort: signals.abort,
    listen: (event) => {
      observer.event(event);
      listen(event);
    },
  });
  const shown = Math.max(1, makespan(plan, expected, concurrency) / SHOW_SECONDS);
  const speed = options.speed ?? (io.screen() ? shown : 'max');
  const pace = { speed, clock: io.clock, hurry: signals.stop };
  const runs = await passTime(rehearsal.time, deployment, pace);
  const { seed } = options;
  return observer.report({ rehearsal, seed, faults, plan, concurrency, expected, runs });
}

/** A single refused run is an error, as on a real cluster: there is nothing to report. */
function refusedAlone(report: RehearsalReport): RehearsalReport {
  const [run, ...others] = report.runs;
  if (run?.end === 'refused' && others.length === 0) throw new TiphysError(run.errors);
  return report;
}
