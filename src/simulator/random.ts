// Chance from a seed: the same seed gives the same numbers, in every place that draws for itself.

export interface Random {
  /** In [0, 1). */
  readonly next: () => number;
  /** In [low, high). */
  readonly between: (low: number, high: number) => number;
  /** Whole, in [low, high]. */
  readonly whole: (low: number, high: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(items: readonly T[]) => T;
  /** Another source, the same for the same name, after any number of draws here. */
  readonly named: (name: string) => Random;
  /** Letters and digits. */
  readonly id: () => string;
}

const GOLDEN = 0x9e3779b9;

export function seeded(seed: number | string): Random {
  const origin = typeof seed === 'number' ? seed >>> 0 : hash(seed);
  let state = origin;
  const next = () => {
    state = (state + GOLDEN) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + next() * (high - low);
  const whole = (low: number, high: number) => Math.floor(between(low, high + 1));
  return {
    next,
    between,
    whole,
    chance: (probability) => next() < probability,
    pick: (items) => items[whole(0, items.length - 1)] as (typeof items)[number],
    named: (name) => seeded((origin ^ hash(name)) >>> 0),
    id: () =>
      whole(0, 2 ** 32 - 1)
        .toString(36)
        .padStart(7, '0'),
  };
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value >>> 0;
}
