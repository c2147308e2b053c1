// Documents that mean the same: the keys of every mapping and the items of every list in another order.
import fc from 'fast-check';

/** All orders of a document. No list of a platform or environment file carries an order.  */
export function permutations(value: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(value)) return shuffled(value.map(permutations));
  if (typeof value !== 'object' || value === null) return fc.constant(value);
  const entries = Object.entries(value).map(([key, member]) =>
    permutations(member).map((permuted): [string, unknown] => [key, permuted]),
  );
  return shuffled(entries).map(Object.fromEntries);
}

function shuffled<T>(items: readonly fc.Arbitrary<T>[]): fc.Arbitrary<T[]> {
  const places = [...items.keys()];
  const length = places.length;
  return fc
    .tuple(
      fc.tuple(...items),
      fc.shuffledSubarray(places, { minLength: length, maxLength: length }),
    )
    .map(([values, order]) => order.map((place) => values[place] as T));
}
