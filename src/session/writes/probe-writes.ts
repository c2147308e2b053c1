// Probe Jobs. They change no Application, so they wait only for the Lease and the signal: neither for the hold, which a
// platform without syncs does not need, nor for dependencies.
import type { ProbeRequest } from '../../ports/probe-jobs.ts';
import type { Cluster } from '../../ports/target.ts';
import type { WriteResult } from '../../ports/write-result.ts';
import { Abandoned } from '../abandoned.ts';
import type { Lease } from '../lease/lease.ts';
import { rawPorts } from './raw-ports.ts';

export interface ProbeWrites {
  readonly create: (request: ProbeRequest) => Promise<WriteResult>;
}

export function probeWrites(
  target: Cluster,
  lease: Pick<Lease, 'awaitWritePermit' | 'send'>,
  signal: AbortSignal,
): ProbeWrites {
  const { probes } = rawPorts(target);
  return {
    create: async (request) => {
      await lease.awaitWritePermit();
      if (signal.aborted) throw new Abandoned();
      return await lease.send(() => probes.create(request));
    },
  };
}
