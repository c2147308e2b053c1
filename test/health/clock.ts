// The real time, for the limits of scripts.
export const clock = { now: () => Date.now(), monotonic: () => performance.now() };
