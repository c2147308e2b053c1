// What was read, what is proposed of it, and what people decided about that.
import type { Decisions } from '../../import/decisions.ts';
import type { Material } from '../../import/material.ts';
import type { Proposal } from '../../import/proposal.ts';
import { propose as proposeFrom } from '../../import/propose.ts';
import type { Io } from '../io.ts';
import type { Output } from '../output/output.ts';
import {
  decisionsPath,
  givenDecisions,
  readDecisions,
  writeDecisions,
} from './decisions-beside.ts';
import type { ImportOptions } from './import-options.ts';
import { readMaterial, sourceText } from './read-material.ts';

interface Found {
  readonly material: Material;
  readonly proposal: Proposal;
  readonly decisions: Decisions;
  readonly from: string;
  /** Writes what the command line decided; once everything else has worked out. */
  readonly keepDecisions: () => void;
}

/** `file`: the platform file, which import.yaml is beside of. */
export async function propose(
  io: Io,
  output: Output,
  options: ImportOptions,
  file: string,
): Promise<Found> {
  const path = decisionsPath(file);
  const kept = readDecisions(io, path);
  const material = await readMaterial(io, options, output);
  const platform = options.name ?? 'platform';
  // Decided on is all evidence there is, also what earlier decisions have put aside.
  const given = givenDecisions(options, kept, () => proposeFrom(material, { platform }).edges);
  const decisions = given ?? kept;
  return {
    material,
    proposal: proposeFrom(material, { platform, decisions }),
    decisions,
    from: sourceText(options),
    keepDecisions: () => {
      if (!given) return;
      writeDecisions(io, path, given);
      if (options.output !== 'json') output.notice(() => `wrote ${path}`);
    },
  };
}
