// The durations of past deployments, from their records.
import type { StoreReads } from '../../ports/record-store.ts';
import { type Measured, measured } from '../../run/measured.ts';
import { readRuns } from './history.ts';

export async function readMeasured(store: StoreReads, platform: string): Promise<Measured> {
  return measured(await readRuns(store, platform));
}
