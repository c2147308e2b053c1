// What a regular expression costs on its worst cases, in time of the processor.
import { worstCases } from './worst-cases.ts';

const MEGABYTE = 1_000_000;
export const BUDGET_MS = 50;
/** A pattern that goes through a text once and is among the dearest, and what it costs on a machine that the budget is meant for. */
const PEER = { pattern: /[\p{C}\p{Zl}\p{Zp}]/gu, text: '\n'.repeat(MEGABYTE), ms: 17 } as const;
const TRIES = 7;
/** What is out of proportion shows early, and would never end at the end. */
const STEPS = [20, 24, 28, 60, 120, 250, 500, 1_000, 4_000, 16_000, 64_000, 250_000, MEGABYTE];

/** The first text that takes too long; undefined: there is none. */
export function tooSlow(pattern: RegExp, longest = MEGABYTE): string | undefined {
  for (const make of worstCases(pattern)) {
    for (const length of [...STEPS.filter((step) => step < longest), longest]) {
      const text = make(length);
      const cost = bestOf(pattern, text);
      if (cost > BUDGET_MS && cost > budgetHere()) {
        return `${JSON.stringify(text.slice(0, 40))}... of ${length} characters takes ${Math.round(cost)} ms`;
      }
    }
  }
  return undefined;
}

/** On this machine, as busy as it is now. */
function budgetHere(): number {
  const peer = Math.min(...[1, 2, 3].map(() => costOf(PEER.pattern, PEER.text)));
  return BUDGET_MS * Math.max(1, peer / PEER.ms);
}

/** Others on the machine can only make it slower: one try in time is enough. */
export function bestOf(pattern: RegExp, text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let left = TRIES; left > 0 && best > BUDGET_MS; left--) {
    best = Math.min(best, costOf(pattern, text));
    // Not a matter of luck.
    if (best > 20 * BUDGET_MS) break;
  }
  return best;
}

function costOf(pattern: RegExp, text: string): number {
  const start = process.cpuUsage();
  search(pattern, text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** One that is global goes through the whole text, as all that use one do. */
function search(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0;
  if (!pattern.global) pattern.test(text);
  else while (pattern.exec(text)?.[0] === '') pattern.lastIndex++;
  if (pattern.global) text.replace(pattern, '');
}
