// What a deployment would do, for people.

import { shortName } from '../plan/platform-graph.ts';
import type { DryRun } from '../report/dry-run-report.ts';
import { renderLines, renderParts } from './lines.ts';
import { renderTable } from './table.ts';

export function renderDryRun(result: DryRun): string {
  const table = renderTable(
    ['NODE', 'WOULD', 'BECAUSE', 'SEEN'],
    result.nodes.map(({ id, would, reason, age }) => [
      shortName(id),
      would,
      reason,
      age === null ? '-' : `${age}s ago`,
    ]),
  );
  const lines = [
    ...(result.holds.length > 0 ? [`Would hold AppProjects: ${result.holds.join(', ')}`] : []),
    ...(result.unexpected.length > 0
      ? [`Not in the platform file: ${result.unexpected.join(', ')}`]
      : []),
    'Nothing was written. Refreshes are not asked for either: Argo CD may know less than Git.',
  ];
  return renderParts([table, renderLines(lines)]);
}
