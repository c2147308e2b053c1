// The whole of a target, with what changes it. Only the session sees it: everything else holds a Cluster, which cannot write.
import type { Cluster, Target } from '../../ports/target.ts';

/** Every Cluster that a run is given is a Target: the type only hides what it can change. */
export const rawPorts = (cluster: Cluster): Target => cluster as Target;
