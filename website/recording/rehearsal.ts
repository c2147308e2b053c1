// docs/images/rehearsal.svg, made from a rehearsal as `npm start` runs it.
import { readFileSync } from 'node:fs';
import { type Recording, record } from './record.ts';
import { renderSvg } from './svg.ts';

export const FILE = 'docs/images/rehearsal.svg';
const TITLE =
  'npm start: Tiphys rehearses the deployment of 43 applications in dependency order, then reports the critical path and what each failure would block.';

/** What package.json runs, after `node dist/main.js`. */
export function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  return scripts.start.split(' ').slice(2);
}

export async function rehearsalSvg(
  more: readonly string[] = [],
): Promise<Recording & { svg: string }> {
  const recording = await record([...startArguments(), ...more]);
  return { ...recording, svg: renderSvg(recording.frames, TITLE) };
}
