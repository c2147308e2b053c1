// Small random graphs as plain lists of dependencies.
import fc from 'fast-check';

export type Lists = ReadonlyMap<string, readonly string[]>;

const IDS = ['b', 'a-', 'a', 'B', 'a.', 'zz', 'é', '10', '9'];

/** Up to nine nodes with lists that may name one twice, or the node itself. Sparse, so that cycles can be long. */
export const anyLists: fc.Arbitrary<Lists> = fc
  .array(fc.array(fc.nat(IDS.length - 1), { maxLength: 2 }), { maxLength: IDS.length })
  .map((rows) => {
    const name = (at: number) => IDS[at % rows.length] ?? '';
    return new Map(rows.map((row, at) => [name(at), row.map(name)]));
  });
export const acyclicLists = fc
  .array(fc.array(fc.nat(IDS.length - 1), { maxLength: 4 }), { maxLength: IDS.length })
  .chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(IDS, { minLength: 9 })))
  .map(([rows, names]): Lists => {
    const name = (at: number) => names[at] ?? '';
    return new Map(rows.map((row, at) => [name(at), row.filter((n) => n < at).map(name)]));
  });
export const subsets = fc.subarray(IDS);
export const weights = fc
  .dictionary(fc.constantFrom(...IDS), fc.nat(3))
  .map((byId) => new Map(Object.entries(byId)));
