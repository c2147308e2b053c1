// A failure that the user can act on: printed as it is, without a stack trace.

export class Failure extends Error {
  readonly exitStatus: number;

  constructor(message: string, exitStatus = 1) {
    super(message);
    this.name = 'Failure';
    this.exitStatus = exitStatus;
  }
}

/** The status for wrong usage and for a machine that lacks something. */
export const NOT_USABLE = 3;
