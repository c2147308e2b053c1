// The result of a probe.

export interface ProbeResult {
  readonly succeeded: boolean;
  /** The target: an address, or an image. */
  readonly target: string;
  /** The answer, in one line. */
  readonly message: string;
  /** When the result was known, ISO 8601. */
  readonly at: string;
  /** The number of tries so far, including this one. */
  readonly tries: number;
}

const FAILED = 'the probe failed: ';

export const probeFailed = ({ message }: ProbeResult): string => `${FAILED}${message}`;

/** The message of a node that timed out. */
export const neverSucceeded = (message: string, within: string): string =>
  `the probe did not succeed ${within}; ${message.replace(FAILED, 'last result: ')}`;
