// Platforms of the first format as text, always the same ones: neither another library nor a new key changes them.

/** Numbers below `most`, by mulberry32. */
function numbersFrom(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

/** Each depends on what came before it alone. */
export function pinnedPlatform(seed: number): string {
  const below = numbersFrom(seed);
  const before: string[] = [];
  const some = () => before.filter(() => below(4) === 0);
  const application = (name: string) => {
    const one = {
      name,
      ...(below(2) === 0 && { dependsOn: some() }),
      ...(below(3) === 0 && { expectedDuration: `${below(600)}s` }),
      ...(below(4) === 0 && {
        timeouts: { sync: `${1 + below(20)}m`, health: `${1 + below(20)}m` },
      }),
      ...(below(5) === 0 && { retries: { maxAttempts: 1 + below(5), backoff: `${below(60)}s` } }),
      ...(below(5) === 0 && { gate: { dwell: `${below(90)}s`, allowSuspended: below(2) === 0 } }),
    };
    before.push(name);
    return one;
  };
  const stacks = Array.from({ length: 1 + below(5) }, (_, number) => ({
    name: `stack-${number}`,
    ...(below(2) === 0 && { application: `stack-${number}-root` }),
    applications: Array.from({ length: 1 + below(6) }, (__, at) =>
      application(`app-${number}-${at}`),
    ),
  }));
  const root = below(2) === 0 ? { root: 'root' } : {};
  const spec = { ...root, concurrency: 1 + below(20), stacks };
  const kinds = { apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform' };
  return JSON.stringify({ ...kinds, metadata: { name: `p${seed}` }, spec });
}
