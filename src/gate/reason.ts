// Why something does not hold.

/** In words, with the resource that it is about. */
export interface Reason {
  readonly message: string;
  readonly resource?: string | undefined;
}
