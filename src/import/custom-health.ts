// What argocd-cm says about health: which kinds have their own check, and whether Applications do.
import { customHealthKinds, healthSource } from '../health/sources.ts';
import type { Material } from './material.ts';

const APPLICATION = { group: 'argoproj.io', kind: 'Application' };

export function healthSettings(
  settings: ReadonlyMap<string, string>,
): Pick<Material, 'wavesWaitForHealth' | 'customHealth'> {
  return {
    customHealth: customHealthKinds(settings),
    wavesWaitForHealth: healthSource(APPLICATION, settings) === 'argocd-cm',
  };
}
