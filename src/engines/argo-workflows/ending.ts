// What the end of a Workflow knows, whatever it brings to its end.
import type { Emit } from '../../run/events.ts';
import type { RunEnd } from '../../run/exit-status.ts';
import type { RunFold } from '../../run/run-state.ts';
import type { JoinedLease, PodRequest } from './pod.ts';

export interface EndRequest extends PodRequest {
  /** Milliseconds since 1970. */
  readonly runStartedAt: number;
  /** Seconds. */
  readonly runTimeout: number;
  /** Keeps what it held after the gates have opened, too. */
  readonly keepHold: boolean;
}

export interface Ending {
  readonly request: EndRequest;
  readonly joined: JoinedLease;
  readonly fold: RunFold;
  readonly emit: Emit;
  readonly end: RunEnd;
}

const REASONS: Readonly<Record<RunEnd, string>> = {
  done: '',
  interrupted: 'the Workflow was stopped, or its pod was lost',
  'time-up': "the run's time was up",
  lost: 'lost',
};

export const reasonOf = (end: RunEnd): string | undefined =>
  end === 'done' ? undefined : REASONS[end];
