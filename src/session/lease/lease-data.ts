// What the Lease of a platform says about the run that holds it.

import type { LeaseView } from '../../ports/lease-store.ts';
import { isoTime } from '../../run/iso-time.ts';

export const LEASE_DURATION_MS = 15_000;

const RUN = 'tiphys.dev/run';
const PLAN = 'tiphys.dev/plan';
const FINISHED = 'tiphys.dev/finished';
const HOLDS = 'tiphys.dev/holds';
const ENDING = 'tiphys.dev/ending';

/** It becomes part of names, labels and operations: a client that can write the Lease must not inject anything else. */
const RUN_ID = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export const isRunId = (text: string): boolean => RUN_ID.test(text);

/** A run, as the next run sees it. */
export interface LeasedRun {
  readonly run: string;
  /** The plan's hash. */
  readonly plan: string;
  readonly finished: boolean;
}

export interface LeaseContent extends LeasedRun {
  /** AppProjects that have the run's hold. */
  readonly holds: Iterable<string>;
  /** The process that completes the run. */
  readonly ending?: string | undefined;
}

export function leaseName(platform: string): string {
  return `tiphys-${platform}`;
}

export function runOf({ annotations }: LeaseView): LeasedRun | undefined {
  const run = annotations.get(RUN);
  const plan = annotations.get(PLAN);
  if (!run || !isRunId(run) || !plan) return undefined;
  return { run, plan, finished: annotations.get(FINISHED) === 'true' };
}

/** AppProjects with the hold of its run, for the processes of that run: none of it may be missing there. */
export function holdsOf({ annotations }: LeaseView): ReadonlySet<string> {
  return new Set((annotations.get(HOLDS) ?? '').split(',').filter((name) => name !== ''));
}

/** The process that completes its run, if one has started to. */
export function endingOf({ annotations }: LeaseView): string | undefined {
  return annotations.get(ENDING);
}

/** It is free. */
export function isFree(lease: LeaseView): boolean {
  return lease.holder === '';
}

/** By the clocks of its writer and this process: for people, not for the decision to take it over. */
export function looksExpired({ renewTime, durationSeconds }: LeaseView, now: number): boolean {
  return now > Date.parse(renewTime) + durationSeconds * 1000;
}

export function leaseFor(
  name: string,
  before: LeaseView | undefined,
  holder: string,
  { run, plan, finished, ending, holds }: LeaseContent,
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
      ...[...(before?.annotations ?? [])].filter(([key]) => key !== HOLDS && key !== ENDING),
      [RUN, run],
      [PLAN, plan],
      [FINISHED, String(finished)],
      ...markOf(HOLDS, [...holds].join(',')),
      ...markOf(ENDING, ending ?? ''),
    ]),
  };
}

const markOf = (key: string, value: string): [string, string][] =>
  value === '' ? [] : [[key, value]];

/** How often it changed hands; giving it back does not count. */
function transitionsOf(before: LeaseView | undefined, holder: string): number {
  if (!before) return 0;
  return before.transitions + (holder === '' || before.holder === holder ? 0 : 1);
}
