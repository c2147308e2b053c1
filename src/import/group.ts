// Things by what they have in common, in the order in which they come.

export function groupBy<T>(items: Iterable<T>, key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

/** Of as many the first by name. */
export function mostCommon(values: readonly string[]): string | undefined {
  const counts = [...groupBy(values, (value) => value)];
  counts.sort(([one, a], [other, b]) => b.length - a.length || (one < other ? -1 : 1));
  return counts[0]?.[0];
}
