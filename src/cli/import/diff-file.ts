// tiphys import --diff: a platform file against the evidence.
import type { ExitStatus } from '../../errors.ts';
import { diffPlatform } from '../../import/diff/import-diff.ts';
import { locateFindings } from '../../import/diff/places.ts';
import type { Material } from '../../import/material.ts';
import type { Proposal } from '../../import/proposal.ts';
import { renderImportDiff } from '../../view/import/import-diff-text.ts';
import { renderJson } from '../../view/lines.ts';
import type { Planned } from '../input/planning.ts';
import type { Io } from '../io.ts';
import type { ImportOptions } from './import-options.ts';

export function diffFile(
  io: Io,
  { compiled, sources: [source] }: Planned,
  found: { readonly material: Material; readonly proposal: Proposal; readonly from: string },
  options: ImportOptions,
): { text: string; exitStatus: ExitStatus } {
  const { material, proposal, from } = found;
  const { applications } = material;
  const diff = diffPlatform({ compiled, proposal, applications, from, file: source.file });
  const located = { ...diff, findings: locateFindings(source, diff.findings) };
  const columns = options.reportFile === undefined ? io.terminal('stdout')?.columns : undefined;
  const text = options.output === 'json' ? renderJson(located) : renderImportDiff(located, columns);
  return { text, exitStatus: diff.exitStatus };
}
