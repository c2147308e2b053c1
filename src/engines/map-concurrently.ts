// Maps over a list with limited concurrency; the results are in the order of the list.
import { interrupted } from '../session/interrupted.ts';

export async function mapConcurrently<T, R>(
  things: readonly T[],
  { concurrency, signal }: { readonly concurrency: number; readonly signal: AbortSignal },
  work: (thing: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = [...things.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      if (signal.aborted) throw interrupted();
      results[next[0]] = await work(next[1]);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}
