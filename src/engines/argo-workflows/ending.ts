// What the end of a Workflow knows, for a deployment or a teardown.
import { type RunEnd, TIME_UP } from '../../run/events.ts';
import type { Session } from '../../session/session.ts';
import type { PodRequest } from './pod.ts';

export interface EndRequest extends PodRequest {
  /** Milliseconds since 1970. */
  readonly runStartedAt: number;
  /** Seconds. */
  readonly runTimeout: number;
  /** Keeps applications on hold after their gates have opened, too. */
  readonly keepHold: boolean;
  /** A sync that bypassed the order is not a success. */
  readonly strict?: boolean;
  /** The unique name of this process. */
  readonly ender: string;
}

export interface Ending {
  readonly request: EndRequest;
  readonly session: Session;
  readonly stop: Stop;
}

/** How the run ended, with the reason if it did not complete. */
export interface Stop {
  readonly end: RunEnd;
  readonly reason: string | undefined;
}

const REASONS = {
  interrupted: 'the Workflow was stopped, or its pod was lost',
  'time-up': TIME_UP,
} as const;

export const DONE: Stop = { end: 'done', reason: undefined };

export const stopBy = (end: keyof typeof REASONS): Stop => ({ end, reason: REASONS[end] });
