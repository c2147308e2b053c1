// Somebody who may do everything.
import type { Cluster } from '../../src/ports/target.ts';

export const ALL_RIGHTS: Cluster['rights'] = {
  inArgocd: async () => true,
  inCluster: async () => true,
  tokenHolder: async () => ({ account: 'tiphys', secret: undefined, insteadOf: undefined }),
};
