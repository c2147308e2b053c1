// Whether Argo CD would break the order in a world if nobody held anything: it would come to sync an application by itself while something that the
// application depends on still takes its time.

import type { World } from './seeded-world.ts';
import type { Truth } from './truth.ts';

/** So much longer than Argo CD's next look must the dependency take. */
const MARGIN_SECONDS = 4;

/** Asked when the first command is given. */
export function isBreakable(world: World, truth: Truth): boolean {
  const { reading, automated, planned, workloads, looks, wasDeployed, heldBefore } = world;
  if (looks.every === 0) return false;
  const isGood = (name: string) => truth.of(name).inTruth.isGood;
  const makerOf = (name: string) =>
    [...reading.children].find(([, children]) => children.includes(name))?.[0];
  /** It is there before the dependency has had time to become good. */
  const comesEarly = (name: string): boolean => {
    const maker = makerOf(name);
    if (maker === undefined || truth.application(name)) return true;
    const waits = [...(reading.gates.get(maker) ?? [])].some((gate) => !isGood(gate));
    return (automated.has(maker) || !waits) && comesEarly(maker);
  };
  /** Argo CD has synced it before anybody could hold it. */
  const isOvertaken = (name: string): boolean => {
    if (wasDeployed || heldBefore) return false;
    const maker = makerOf(name);
    return automated.has(name) && (maker === undefined || isOvertaken(maker));
  };
  const lasts = (name: string) =>
    !isGood(name) && (workloads.get(name)?.seconds ?? 0) > looks.every + MARGIN_SECONDS;
  return [...reading.gates].some(
    ([name, gates]) =>
      automated.has(name) &&
      planned.has(name) &&
      !isGood(name) &&
      !truth.application(name)?.operation &&
      comesEarly(name) &&
      !isOvertaken(name) &&
      [...gates].some(lasts),
  );
}
