// What a deployment would do, as text.

import { shortName } from '../plan/platform-graph.ts';
import type { DryRun } from '../report/dry-run-report.ts';
import { renderAge } from './age-text.ts';
import { type Look, PLAIN, renderParts } from './lines.ts';
import { renderTable } from './table.ts';
import { renderWhere } from './where-text.ts';
import { renderWrapped } from './wrap.ts';

export function renderDryRun(result: DryRun, look: Look = PLAIN): string {
  const table = renderTable(
    ['NAME', 'ACTION', 'REASON', 'SEEN'],
    result.nodes.map(({ id, would, reason, age }) => [
      shortName(id),
      would,
      reason,
      renderAge(age),
    ]),
    { look, shorten: ['REASON'] },
  );
  const lines = [
    ...(result.holds.length > 0
      ? [`AppProjects that would be on hold during the run: ${result.holds.join(', ')}`]
      : []),
    ...(result.unexpected.length > 0
      ? [`Not in the platform file: ${result.unexpected.join(', ')}`]
      : []),
    'Nothing was changed. Argo CD was not asked to refresh, so it may not know the latest commit.',
  ];
  return renderParts([
    renderWhere(result.platform, result.where, look),
    table,
    renderWrapped(lines, look),
  ]);
}
