// What the Lease of a platform says about the run that has it.
import { isoTime } from '../../run/iso-time.ts';
import type { LeaseView } from '../../run/target.ts';

export const LEASE_DURATION_MS = 15_000;

const RUN = 'tiphys.dev/run';
const PLAN = 'tiphys.dev/plan';
const FINISHED = 'tiphys.dev/finished';

/** A run, as the next one sees it. */
export interface LeasedRun {
  readonly run: string;
  /** The plan's hash. */
  readonly plan: string;
  readonly finished: boolean;
}

export function leaseName(platform: string): string {
  return `tiphys-${platform}`;
}

export function runOf({ annotations }: LeaseView): LeasedRun | undefined {
  const run = annotations.get(RUN);
  const plan = annotations.get(PLAN);
  if (!run || !plan) return undefined;
  return { run, plan, finished: annotations.get(FINISHED) === 'true' };
}

/** Nobody has it. */
export function isFree(lease: LeaseView): boolean {
  return lease.holder === '';
}

export function leaseFor(
  name: string,
  before: LeaseView | undefined,
  holder: string,
  { run, plan, finished }: LeasedRun,
  now: number,
  lastsMs: number = LEASE_DURATION_MS,
): Omit<LeaseView, 'resourceVersion'> {
  return {
    name,
    holder,
    durationSeconds: lastsMs / 1000,
    renewTime: isoTime(now),
    transitions: transitionsOf(before, holder),
    annotations: new Map([
      ...(before?.annotations ?? []),
      [RUN, run],
      [PLAN, plan],
      [FINISHED, String(finished)],
    ]),
  };
}

/** How often it changed hands; giving it back is half of that. */
function transitionsOf(before: LeaseView | undefined, holder: string): number {
  if (!before) return 0;
  return before.transitions + (holder === '' || before.holder === holder ? 0 : 1);
}
