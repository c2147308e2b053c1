// What well-known Helm charts bring along and what they cannot do without, for charts whose manifests were not rendered.
import { lookUp } from '../model/lookup.ts';
import { CHARTS_A_TO_J } from './charts/a-to-j.ts';
import { CHARTS_K_TO_O } from './charts/k-to-o.ts';
import type { KnownChart } from './charts/known-chart.ts';
import { CHARTS_P_TO_Z } from './charts/p-to-z.ts';

/** By the name of the chart. */
export const CATALOGUE: Readonly<Record<string, KnownChart>> = {
  ...CHARTS_A_TO_J,
  ...CHARTS_K_TO_O,
  ...CHARTS_P_TO_Z,
};

/** The chart of that name; one whose name others use, too, only where the address of its repository says so. */
export function knownChart(name: string, repository = ''): KnownChart | undefined {
  const known = lookUp(CATALOGUE, name);
  return known && repository.includes(known.repository ?? '') ? known : undefined;
}
