// A report of an import with something of everything, and of whatever proposal a test has.
import { type DecidedPair, staleDecisions } from '../../src/import/decisions.ts';
import { estimateOrder } from '../../src/import/estimate.ts';
import { layOutByWaves } from '../../src/import/layout/by-waves.ts';
import { layOut } from '../../src/import/layout/lay-out.ts';
import type { Proposal } from '../../src/import/proposal.ts';
import {
  buildImportReport,
  type ImportReport,
  type ReportParts,
} from '../../src/import/report/import-report.ts';
import { renderPlatformFile } from '../../src/view/import/render-platform-file.ts';
import { proposalOf, proposedEdge } from './import.ts';

export function reportOf(
  proposal: Proposal,
  rejected: readonly DecidedPair[] = [],
  order: ReportParts['order'] = 'evidence',
): ImportReport {
  const layout = layOut(proposal);
  const from = 'a cluster';
  const text = (laid: typeof layout, order: 'evidence' | 'waves') =>
    renderPlatformFile(laid, { from, order });
  return buildImportReport({
    ...{ proposal, from, file: 'platform.yaml', order, layout },
    written: order === 'waves' ? layOutByWaves(proposal) : layout,
    stale: staleDecisions(proposal.edges, { accepted: [], rejected }),
    estimates: {
      evidence: estimateOrder(text(layout, 'evidence')),
      waves: estimateOrder(text(layOutByWaves(proposal), 'waves')),
      applicationsFromHistory: 0,
    },
  });
}

const maybe = { status: 'suggested', strength: 'soft', confidence: 'medium' } as const;

export const EVERYTHING: Proposal = proposalOf(
  [
    proposedEdge('db', 'operator'),
    proposedEdge('web', 'db', { strength: 'soft', waves: 'against' }),
    proposedEdge('web', 'operator'),
    proposedEdge('web', 'cache', maybe),
    proposedEdge('web', 'logs', { status: 'reported', strength: 'eventual' }),
    proposedEdge('cache', 'db', { ...maybe, status: 'reported', decision: 'rejected' }),
    proposedEdge('cache', 'operator', { status: 'written', decision: 'accepted' }),
    proposedEdge('logs', 'Bad Name'),
  ],
  {
    platform: 'shop',
    waves: { operator: 1, db: 3, web: 2 },
    unresolved: [
      {
        application: 'web',
        kind: 'secret',
        what: 'Secret web/oidc',
        where: ['Deployment/web', 'Job/a', 'Job/b'],
      },
    ],
    cycles: [
      { cycle: ['a', 'b'], dropped: { dependent: 'a', dependency: 'b' } },
      { cycle: ['x', 'y', 'z'] },
    ],
    notes: [
      { kind: 'remote', application: 'agent', text: 'deploys to cluster edge-1' },
      {
        kind: 'namespace-by-accident',
        application: 'db',
        text: 'namespace data is made by cache only',
      },
      { kind: 'read-problem', text: 'applicationsets: forbidden' },
      { kind: 'brand-new', application: 'web', text: 'something' },
    ],
  },
);
