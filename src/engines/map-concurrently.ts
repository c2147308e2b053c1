// Work on many things, some of them at once, with the results in the order of the things.
import { interrupted } from '../session/interrupted.ts';

export async function someAtATime<T, R>(
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
