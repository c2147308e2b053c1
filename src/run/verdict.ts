// What a gate says: the evidence that it opened on, or what keeps it shut.

export interface Evidence {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly operation: string | null;
  readonly revisions: readonly string[];
  readonly finishedAt: number | null;
  readonly reconciledAt: number;
  readonly healthSince: string | null;
  readonly resources: number;
  /** Kinds that Argo CD has no health for: they count for nothing. */
  readonly withoutHealth: readonly string[];
  /** Not Healthy, and not counted: Argo CD was told to ignore their health. */
  readonly ignored: readonly string[];
}

/** The first condition that does not hold, in words. */
export interface Unmet {
  readonly condition: string;
  readonly message: string;
  /** The resource that it is about, if one is. */
  readonly resource?: string | undefined;
}
