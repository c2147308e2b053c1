// The parts of an Application that cases look at.

interface Resource {
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly status?: string;
  readonly health?: { readonly status?: string; readonly message?: string };
  readonly hook?: boolean;
  readonly requiresPruning?: boolean;
  readonly syncWave?: number;
}

interface Result extends Resource {
  readonly message?: string;
  readonly hookType?: string;
  readonly hookPhase?: string;
  readonly syncPhase?: string;
}

interface Operation {
  readonly sync?: {
    readonly revision?: string;
    readonly prune?: boolean;
    readonly resources?: readonly Resource[];
  };
  readonly info?: readonly { readonly name: string; readonly value: string }[];
  readonly initiatedBy?: { readonly username?: string; readonly automated?: boolean };
  readonly retry?: { readonly limit?: number };
}

interface OperationState {
  readonly phase: string;
  readonly message?: string;
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly retryCount?: number;
  readonly operation: Operation;
  readonly syncResult?: { readonly revision?: string; readonly resources?: readonly Result[] };
}

export interface App {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly generation?: number;
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly {
      readonly kind: string;
      readonly name: string;
      readonly controller?: boolean;
      readonly blockOwnerDeletion?: boolean;
    }[];
  };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly operation?: Operation;
  readonly status?: {
    readonly operationState?: OperationState;
    readonly sync?: {
      readonly status: string;
      readonly revision?: string;
      readonly comparedTo?: Readonly<Record<string, unknown>>;
    };
    readonly health?: { readonly status?: string; readonly lastTransitionTime?: string };
    readonly reconciledAt?: string;
    readonly conditions?: readonly { readonly type: string; readonly message: string }[];
    readonly resources?: readonly Resource[];
    readonly history?: readonly { readonly revision?: string; readonly id?: number }[];
    readonly resourceHealthSource?: string;
  };
}

/** In one word each, for comparing. */
export const stateOf = ({ status }: App) => [status?.sync?.status, status?.health?.status];
export const conditionsOf = ({ status }: App) => (status?.conditions ?? []).map(({ type }) => type);
export const resourceOf = ({ status }: App, name: string) =>
  status?.resources?.find((one) => one.name === name);
export const resultOf = ({ status }: App, name: string) =>
  status?.operationState?.syncResult?.resources?.find((one) => one.name === name);
