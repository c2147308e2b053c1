// The parts of Argo CD's objects that tests look at.

import type { KubernetesObject } from '@kubernetes/client-node';

interface Condition {
  readonly type: string;
  readonly message: string;
}

export interface Application extends KubernetesObject {
  spec: Record<string, unknown>;
  operation?: object;
  status?: {
    sync?: { status: string; revision?: string };
    health?: { status: string; message?: string; lastTransitionTime?: string };
    reconciledAt?: string;
    history?: {
      id: number;
      revision?: string;
      deployStartedAt: string;
      deployedAt: string;
      initiatedBy?: { automated?: boolean };
    }[];
    conditions?: Condition[];
    operationState?: {
      phase: string;
      message?: string;
      startedAt: string;
      finishedAt?: string;
      operation?: { initiatedBy?: { username?: string; automated?: boolean } };
      syncResult?: { revision: string };
    };
    resources?: {
      kind: string;
      name: string;
      status?: string;
      health?: { status: string; message?: string };
    }[];
  };
}

interface SyncWindow {
  kind: 'allow' | 'deny';
  schedule: string;
  duration: string;
  applications?: string[];
  namespaces?: string[];
  clusters?: string[];
  manualSync?: boolean;
}

export interface AppProject extends KubernetesObject {
  spec: { syncWindows?: SyncWindow[] } & Record<string, unknown>;
}
