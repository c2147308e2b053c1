// What came of a probe.

export interface ProbeResult {
  readonly succeeded: boolean;
  /** What was asked: an address, or an image. */
  readonly target: string;
  /** What was answered, in one line. */
  readonly message: string;
  /** When it was known, ISO 8601. */
  readonly at: string;
  /** How many there were, this one included. */
  readonly tries: number;
}

const FAILED = 'its probe failed: ';

export const probeFailed = ({ message }: ProbeResult): string => `${FAILED}${message}`;

/** Of a node whose time was up. */
export const neverSucceeded = (message: string): string =>
  `its probe did not succeed within its timeout; ${message.replace(FAILED, 'the last one: ')}`;
