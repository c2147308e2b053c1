// The tone of a word of state, ours or Argo CD's. Any other word has none.
import type { Piece, Text, Tone } from './lines.ts';

const WORDS: Readonly<Record<Tone, readonly string[]>> = {
  good: ['healthy', 'unchanged', 'deleted', 'Healthy', 'Synced', 'pass', 'passed', 'success'],
  busy: ['Progressing', 'OutOfSync', 'Suspended', 'warning', 'not finished', 'sync'],
  bad: ['failed', 'failure', 'Failed', 'Degraded', 'Missing', 'record damaged', 'NONE'],
  faint: ['skipped', 'on hold', 'leave', '-'],
  strong: [],
};

const TONES: ReadonlyMap<string, Tone> = new Map(
  Object.entries(WORDS).flatMap(([tone, words]) => words.map((word) => [word, tone as Tone])),
);

export function toned(word: string): Piece {
  const tone = TONES.get(word);
  return tone === undefined ? word : { text: word, tone };
}

export const strong = (text: string): Piece => ({ text, tone: 'strong' });
export const faint = (text: string): Piece => ({ text, tone: 'faint' });
export const busy = (text: string): Piece => ({ text, tone: 'busy' });
export const bad = (text: string): Piece => ({ text, tone: 'bad' });

/** `  hint: ...`, which follows what it is about. */
export const hint = (text: string): Text => faint(`  hint: ${text}`);
