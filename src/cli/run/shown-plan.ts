// The plan of a deployment as progress shows it: with the durations of past runs, which make a better estimate than the file.
import { TiphysError } from '../../errors.ts';
import type { Plan } from '../../plan/plan.ts';
import { type ShownPlan, timedBy } from '../../plan/timed-plan.ts';
import type { StoreReads } from '../../ports/record-store.ts';
import type { Measured } from '../../run/measured.ts';
import { readMeasured } from '../../session/record/read-measured.ts';
import type { Io } from '../io.ts';

/** Only a screen shows an estimate. Without permission to read records, it is that of the file. */
export async function shownPlan(
  { screen }: Pick<Io, 'screen'>,
  plan: Plan,
  { store }: { readonly store: StoreReads },
): Promise<ShownPlan> {
  if (!screen() || plan.action !== 'deploy') return plan;
  const known = await readMeasured(store, plan.platform).catch((error: unknown): Measured => {
    if (!(error instanceof TiphysError)) throw error;
    return new Map();
  });
  return timedBy(plan, known);
}
