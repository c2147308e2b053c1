// The writes of the hold itself, which all others wait for. They need only the Lease.
import type { ApplicationAddress } from '../../model/platform.ts';
import type { ProjectChange, ProjectView } from '../../ports/app-projects.ts';
import type { Cluster } from '../../ports/target.ts';
import { WRITE_DEADLINE_MS, type WriteResult } from '../../ports/write-result.ts';
import type { Lease } from '../lease/lease.ts';
import { rawPorts } from './raw-ports.ts';

/** Nothing is sent if the Lease does not outlast a write. */
export interface HoldWrites {
  readonly updateProject: (
    project: ProjectView,
    change: ProjectChange,
    sending: () => void,
  ) => Promise<WriteResult | 'not-allowed'>;
  /** Terminates an automated operation that a window would freeze. */
  readonly terminate: (address: ApplicationAddress) => Promise<WriteResult | 'not-allowed'>;
}

export function holdWrites(target: Cluster, lease: Pick<Lease, 'mayWrite' | 'send'>): HoldWrites {
  const { projects, applications } = rawPorts(target);
  const allowed = (send: () => Promise<WriteResult>) =>
    lease.mayWrite(WRITE_DEADLINE_MS) ? lease.send(send) : Promise.resolve('not-allowed' as const);
  return {
    updateProject: (project, change, sending) =>
      allowed(() => {
        sending();
        return projects.update(project, change);
      }),
    terminate: (address) => allowed(() => applications.terminate(address)),
  };
}
