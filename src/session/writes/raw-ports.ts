// The complete target, including its writes. Only the session sees it: all other code has a Cluster, which cannot write.
import type { Cluster, Target } from '../../ports/target.ts';

/** Every Cluster of a run is a Target: the type only hides the writes. */
export const rawPorts = (cluster: Cluster): Target => cluster as Target;
