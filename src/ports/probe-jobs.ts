// Jobs that ask something from inside the cluster, in their own namespace.
import type { Probe } from '../model/probe.ts';
import type { WriteResult } from './write-result.ts';

export interface ProbeJob {
  readonly state: 'running' | 'succeeded' | 'failed';
  /** What its pod said at its end; empty while it runs. */
  readonly message: string;
  /** Milliseconds since 1970, as the cluster's clock has it; undefined: it has not ended. */
  readonly endedAt: number | undefined;
}

export interface ProbeRequest {
  /** The same for the same question, so that it is not asked twice. */
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly annotations: ReadonlyMap<string, string>;
  readonly probe: Probe;
}

export interface ProbeJobReads {
  readonly namespace: string;
  /** Undefined where it may not be asked. */
  readonly isNamespaceThere: () => Promise<boolean | undefined>;
  readonly get: (name: string) => Promise<ProbeJob | undefined>;
  /** What keeps the pod of one that runs from getting on; empty where nothing is known. */
  readonly trouble: (name: string) => Promise<string>;
}

export interface ProbeJobs extends ProbeJobReads {
  /** Refused with `conflict` where there is one of that name. It ends and is deleted automatically. */
  readonly create: (request: ProbeRequest) => Promise<WriteResult>;
}
