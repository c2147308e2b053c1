// What an import says of what it has read, in every form. Its own file must be one that it can read.

import { proposeFile } from '../../../src/cli/import/propose-file.ts';
import { NO_DECISIONS } from '../../../src/import/decisions.ts';
import type { Material } from '../../../src/import/material.ts';
import { propose } from '../../../src/import/propose.ts';
import { lintPlatform } from '../../../src/lint/lint.ts';
import { sarifOf } from '../../../src/lint/sarif.ts';
import { renderImportReport } from '../../../src/view/import/import-report-text.ts';
import { renderImportHtml } from '../../../src/view/import/report-html.ts';
import { renderJson } from '../../../src/view/lines.ts';
import { renderLint, renderPatches } from '../../../src/view/lint-text.ts';
import type { Told } from '../properties.ts';

export function toldOfImport(material: Material): Told {
  const proposal = propose(material, { platform: 'shop' });
  const request = { proposal, decisions: NO_DECISIONS, from: 'a cluster', file: 'platform.yaml' };
  const [byEvidence, byWaves] = [
    written({ ...request, order: 'evidence' }),
    written({ ...request, order: 'waves' }),
  ];
  const lint = lintPlatform({ material, notes: proposal.notes });
  const sarif = sarifOf({ report: lint, version: '1' });
  const { report } = byEvidence;
  return {
    text: [
      ...[byEvidence.text, byWaves.text, renderImportReport(report, 80)],
      ...[renderImportReport(report, undefined), renderLint(lint), renderPatches(lint)],
    ],
    json: [renderJson(report), renderJson(lint), renderJson(sarif)],
    html: [renderImportHtml(report)],
    values: [material, proposal],
  };
}

/** It plans what it writes: an error of ours is one of its own. */
function written(request: Parameters<typeof proposeFile>[0]) {
  try {
    return proposeFile(request);
  } catch (cause) {
    throw new Error('it wrote a file that it cannot read', { cause });
  }
}
