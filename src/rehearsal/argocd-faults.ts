// How Argo CD's controller behaves in a rehearsal, and the faults of Argo CD that last.
import type { ControllerSettings } from '../simulator/argocd/control.ts';
import { isOwnCluster } from '../simulator/argocd/destinations.ts';
import type { Random } from '../simulator/random.ts';
import type { Faults } from './faults.ts';

export function controllerSettings(
  random: Random,
  faults: Faults,
): Omit<ControllerSettings, 'version'> {
  const unreachable: ControllerSettings['unreachable'] = ({ spec: { destination } }) => {
    const { server = '' } = destination;
    if (isOwnCluster(destination) || !faults.strikes('argocd', 'cut-off')) return undefined;
    return `failed to get cluster info for "${server}": Get "${server}/version": dial tcp: i/o timeout`;
  };
  return {
    nested: 'none',
    comparison: () => random.between(40, 250),
    backlog: () => (faults.strikes('argocd', 'overloaded')?.by ?? 0) * 1000,
    staleAfter: () => faults.strikes('argocd', 'stale')?.by ?? 0,
    notice: () => random.between(5, 50),
    resync: () => random.between(120, 180),
    waveDelay: 2,
    syncHangs: ({ metadata }) => {
      const fault = faults.strikes('app', 'hangs', metadata.name);
      return fault && (fault.for ?? Number.POSITIVE_INFINITY);
    },
    termination: ({ metadata }) => faults.strikes('app', 'ends-slowly', metadata.name)?.for ?? 0.3,
    losesNews: () => random.chance(0.5),
    overlooks: () => faults.strikes('argocd', 'overlooks') !== undefined,
    missesRefresh: () => faults.strikes('argocd', 'misses-refreshes') !== undefined,
    unreachable,
    syncFailure: (application) => {
      const { metadata } = application;
      const lost = unreachable(application);
      if (lost !== undefined) return lost;
      const fault = faults.on('app', 'sync-fails', metadata.name);
      if (!fault || (faults.met.get(fault) ?? 0) >= (fault.factor ?? 1)) return undefined;
      faults.note(fault);
      return 'admission webhook "policy.example" denied the request: not now';
    },
  };
}
