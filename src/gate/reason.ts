// Why a condition does not hold.

/** The message, with the resource it refers to. */
export interface Reason {
  readonly message: string;
  readonly resource?: string | undefined;
}
