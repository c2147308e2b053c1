// A deployment in the rehearsal: the command as a process inside the simulated cluster, and what befalls that process.
// The client, gate and engine are the real ones.

import { deploy } from '../engines/embedded/run-deploy.ts';
import { requireHealthy } from '../engines/inspect/required-gates.ts';
import { EXIT, TiphysError } from '../errors.ts';
import type { Plan } from '../plan/plan.ts';
import type { RehearsedRun } from '../report/rehearsal-report.ts';
import type { Report } from '../report/run-report.ts';
import type { RunEvent } from '../run/events.ts';
import type { Participant } from '../simulator/participant.ts';
import { connectOver } from '../targets/connect.ts';
import { Approver } from './approver.ts';
import type { Fault } from './fault.ts';
import type { Rehearsal } from './rehearsal.ts';

export interface RehearsedDeployment {
  readonly rehearsal: Rehearsal;
  readonly plan: Plan;
  /** Of the whole platform. */
  readonly whole: Plan;
  readonly concurrency: number;
  readonly keepHold: boolean;
  readonly strict?: boolean;
  readonly listen: (event: RunEvent) => void;
  readonly stop: AbortSignal;
  readonly abort: AbortSignal;
}

/** Until a user or a supervisor starts a command again that has ended without being done. */
const RESTART_MS = 5_000;

/** One start of the command. */
interface Start {
  readonly who: Participant;
  readonly stop: AbortController;
  /** Ends it in the books, though not in the process: that one hears nothing any more. */
  readonly killed: () => void;
  readonly ended: Promise<RehearsedRun>;
}

/** Every start of the command, in order. */
export async function rehearseDeploy(given: RehearsedDeployment): Promise<RehearsedRun[]> {
  const { rehearsal, whole } = given;
  const approver = new Approver(rehearsal, whole);
  const listen = (event: RunEvent) => {
    given.listen(event);
    approver.event(event);
  };
  const deployment = { ...given, listen };
  const starts: Start[] = [];
  const start = () => {
    const next = begin(deployment, starts.length + 1);
    starts.push(next);
    return next;
  };
  let main = start();
  for (const fault of rehearsal.faults.all('tiphys')) {
    rehearsal.time.after((fault.at ?? 0) * 1000, () => {
      if (main.who.isDead) return;
      EFFECTS[fault.effect]?.(main, fault, start);
      rehearsal.faults.note(fault);
    });
  }
  for (;;) {
    const { end } = await main.ended;
    const isStopped = end === 'killed' || main.stop.signal.aborted;
    if (!isStopped || deployment.stop.aborted) break;
    await rehearsal.time.sleep(RESTART_MS, deployment.stop);
    main = start();
  }
  return await Promise.all(starts.map(({ ended }) => ended));
}

const EFFECTS: Readonly<Record<string, (main: Start, fault: Fault, start: () => Start) => void>> = {
  killed: (main) => {
    main.who.kill();
    main.killed();
  },
  stopped: (main) => main.stop.abort(),
  paused: (main, { for: seconds = 0 }) => main.who.pause(seconds * 1000),
  'clock-jumps': (main, { by = 0 }) => main.who.jump(by * 1000),
  doubled: (_, __, start) => void start(),
};

function begin(deployment: RehearsedDeployment, number: number): Start {
  const { rehearsal } = deployment;
  const who = rehearsal.join(number === 1 ? 'tiphys' : `tiphys-${number}`);
  const stop = new AbortController();
  const startedAt = seconds(rehearsal);
  let opened = 0;
  const listen = (event: RunEvent) => {
    if (who.isDead) return;
    if (event.type === 'gate.opened' && event.node.startsWith('app:')) opened++;
    deployment.listen(event);
  };
  const said = (end: RehearsedRun['end'], rest: Partial<RehearsedRun> = {}): RehearsedRun => {
    const times = { startedAt, endedAt: seconds(rehearsal), opened };
    // Nothing of it may continue when it is over.
    who.kill();
    return { name: who.name, ...times, end, report: null, errors: [], ...rest };
  };
  let killed: () => void = () => {};
  const death = new Promise<RehearsedRun>((resolve) => {
    killed = () => resolve(said('killed'));
  });
  const run = attempt({ ...deployment, listen }, who, stop.signal).then(
    (report) => said('reported', { report }),
    (error: unknown) => {
      if (!(error instanceof TiphysError)) throw error;
      return said('refused', { errors: error.diagnostics });
    },
  );
  return { who, stop, killed, ended: Promise.race([run, death]) };
}

const NOTHING_DEPLOYED =
  'Nothing is deployed at the start of a rehearsal: add --with-dependencies.';

async function attempt(
  deployment: RehearsedDeployment,
  who: Participant,
  stopped: AbortSignal,
): Promise<Report> {
  const { rehearsal, whole, ...request } = deployment;
  const { plan, concurrency } = request;
  const { clock, random, name } = who;
  const stop = AbortSignal.any([deployment.stop, stopped]);
  const transports = { kubernetes: who.transport, argocd: undefined };
  const target = await connectOver(transports, { namespace: rehearsal.namespace, clock, random });
  const looking = { target, clock, signal: stop, concurrency };
  const required = await requireHealthy(plan, whole, looking, NOTHING_DEPLOYED);
  return await deploy({
    ...request,
    required,
    target,
    clock,
    stop,
    runId: rehearsal.random.named(`run of ${name}`).id(),
    holder: `rehearsal/${name}`,
  });
}

const seconds = ({ time }: Rehearsal): number => Math.round(time.now) / 1000;

/** What came out in the end: of the run that ended last with a report, else of the first refusal. */
export function exitStatusOf(runs: readonly RehearsedRun[]): number {
  const reported = runs.filter(({ report }) => report !== null);
  const end = Math.max(...reported.map(({ endedAt }) => endedAt));
  const last = reported.findLast(({ endedAt }) => endedAt === end);
  if (last?.report) return last.report.exitStatus;
  const errors = runs.flatMap((run) => run.errors);
  return errors.length > 0 ? new TiphysError(errors).exitStatus : EXIT.partial;
}
