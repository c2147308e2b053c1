// How fast this machine is at this moment. What a real clock must bound is bounded in this unit, beside what is waited for on purpose.
import type { Tiphys } from './tiphys.ts';

/** Milliseconds for a command that starts, asks Kubernetes and Argo CD, and ends. */
export async function paceOf(tiphys: Tiphys): Promise<number> {
  const begin = performance.now();
  await tiphys.run('status');
  return performance.now() - begin;
}
