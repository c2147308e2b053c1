// "Did you mean ...?": the candidate with the smallest edit distance, if it is close enough to be a typo; otherwise the
// shortest candidate that contains the text, as "sx-traefik" contains "traefik".

/** In a file with very many errors, comparing costs too much; the errors matter more than the suggestions. */
const COMPARISONS_MAX = 200_000;

/** Returns a function that suggests one of the candidates, until its budget of comparisons is used up. */
export function suggestFrom(candidates: readonly string[]): (wrong: string) => string | undefined {
  let left = COMPARISONS_MAX;
  // The same typo often occurs many times.
  const known = new Map<string, string | undefined>();
  return (wrong) => {
    if (known.has(wrong)) return known.get(wrong);
    if (left < candidates.length || wrong.length > 100) return undefined;
    left -= candidates.length;
    const found = nearest(wrong, candidates);
    known.set(wrong, found);
    return found;
  };
}

function nearest(wrong: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  // In a short name, one letter is half of it.
  let bestDistance = Math.max(1, Math.floor((wrong.length + 1) / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wrong.length) >= bestDistance) continue;
    const distance = editDistance(wrong.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best ?? shortestWith(wrong.toLowerCase(), candidates);
}

/** A shorter text is part of too many names. */
const PART_MIN = 3;

function shortestWith(part: string, candidates: readonly string[]): string | undefined {
  if (part.length < PART_MIN) return undefined;
  let best: string | undefined;
  for (const candidate of candidates) {
    const isShorter = best === undefined || candidate.length < best.length;
    if (isShorter && candidate.toLowerCase().includes(part)) best = candidate;
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let [older, old, current] = [
    [] as number[],
    Array.from({ length: b.length + 1 }, (_, j) => j),
    [0],
  ];
  for (let i = 1; i <= a.length; i++) {
    current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (old[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let distance = Math.min((old[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, replaced);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) distance = Math.min(distance, (older[j - 2] ?? 0) + 1);
      current.push(distance);
    }
    [older, old] = [old, current];
  }
  return old[b.length] ?? 0;
}
