// From what was read to the text of the platform file and its report.
import { type Decisions, staleDecisions } from '../../import/decisions.ts';
import { estimateOrder } from '../../import/estimate.ts';
import { layOutByWaves } from '../../import/layout/by-waves.ts';
import { layOut } from '../../import/layout/lay-out.ts';
import type { Proposal } from '../../import/proposal.ts';
import { buildImportReport, type ImportReport } from '../../import/report/import-report.ts';
import { renderPlatformFile } from '../../view/import/render-platform-file.ts';

interface Request {
  readonly proposal: Proposal;
  readonly decisions: Decisions;
  readonly from: string;
  readonly order: 'evidence' | 'waves';
  /** Where to write it; undefined: nowhere. */
  readonly file: string | undefined;
}

export function proposeFile(request: Request): { text: string; report: ImportReport } {
  const { proposal, decisions, from, order, file } = request;
  const layout = layOut(proposal);
  const byEvidence = renderPlatformFile(layout, { from, order: 'evidence', file });
  const waves = layOutByWaves(proposal);
  const byWaves = renderPlatformFile(waves, { from, order: 'waves', file });
  const hasWaves = new Set(Object.values(proposal.waves)).size > 1;
  const applications = proposal.stacks.flatMap((stack) => stack.applications);
  const report = buildImportReport({
    ...{ proposal, from, file, order, layout },
    written: order === 'waves' ? waves : layout,
    stale: staleDecisions(proposal.edges, decisions),
    estimates: {
      evidence: estimateOrder(byEvidence),
      waves: hasWaves || order === 'waves' ? estimateOrder(byWaves) : null,
      applicationsFromHistory: applications.filter(({ fromHistory }) => fromHistory).length,
    },
  });
  return { text: order === 'waves' ? byWaves : byEvidence, report };
}
