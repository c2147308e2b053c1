// import.yaml, beside the platform file.
import { dirname, join } from 'node:path';
import { decide } from '../../import/decide.ts';
import { type Decisions, NO_DECISIONS } from '../../import/decisions.ts';
import type { ProposedEdge } from '../../import/proposal.ts';
import { parseImportFile } from '../../model/import-file.ts';
import { renderDecisions } from '../../view/import/decisions-file.ts';
import { readSource } from '../input/read-source.ts';
import type { Io } from '../io.ts';
import { writeOut } from '../output/write-files.ts';
import type { ImportOptions } from './import-options.ts';

const FILE = 'import.yaml';

export const decisionsPath = (platformFile: string): string =>
  join(platformFile === '-' ? '.' : dirname(platformFile), FILE);

export function readDecisions(io: Io, path: string): Decisions {
  if (!io.exists(path)) return NO_DECISIONS;
  return parseImportFile(readSource(io, path, 'Remove the link, or what it leads to.'));
}

/** With what the command line decides; undefined: nothing. */
export function givenDecisions(
  { accept = [], reject = [] }: ImportOptions,
  decisions: Decisions,
  edges: () => readonly ProposedEdge[],
): Decisions | undefined {
  if (accept.length + reject.length === 0) return undefined;
  return decide(decisions, { accept, reject }, edges());
}

export function writeDecisions(io: Io, path: string, decisions: Decisions): void {
  writeOut(io, path, renderDecisions(decisions));
}
