// A validation for people.

import { shortName } from '../plan/platform-graph.ts';
import { renderBypass } from '../report/find-bypasses.ts';
import type { Validation, ValidationNode } from '../report/validation.ts';
import { renderForeignSync } from '../run/foreign-sync.ts';
import { renderUnmet } from './event-text.ts';
import { renderLines, renderParts } from './lines.ts';
import { plural, renderTable } from './table.ts';

export function renderValidation(validation: Validation): string {
  const {
    nodes,
    stacks,
    held,
    unexpected,
    notProbed,
    bypasses = [],
    platform,
    state,
    exitStatus,
  } = validation;
  const table = renderTable(
    ['NODE', 'STACK', 'STATE', 'SEEN', 'BECAUSE'],
    nodes.map((node) => [
      shortName(node.id),
      node.stack ?? '-',
      node.state,
      node.age === null ? '-' : `${node.age}s ago`,
      node.unmet ? renderUnmet(node.unmet) : '',
    ]),
  );
  const rollUp = stacks.map((stack) => `${stack.name} ${stack.state}`).join(', ');
  const lines = [
    ...(rollUp ? [`Stacks: ${rollUp}`] : []),
    ...(held.length > 0 ? [`Held by Tiphys: ${held.map(shortName).join(', ')}`] : []),
    ...(unexpected.length > 0 ? [`Not in the platform file: ${unexpected.join(', ')}`] : []),
    ...(notProbed ? [notProbedText(notProbed)] : []),
    ...nodes.flatMap(syncedByText),
    ...bypasses.map((bypass) => `warning: ${renderBypass(bypass)}`),
    `"${platform}" is ${state}: ${plural(nodes.length, 'gate')} judged, exit status ${exitStatus}`,
  ];
  return renderParts([table, renderLines(lines)]);
}

const syncedByText = ({ id, syncedBy }: ValidationNode): string[] =>
  syncedBy ? [`${shortName(id)} was synced last ${renderForeignSync(syncedBy)}`] : [];

const notProbedText = (ids: readonly string[]): string =>
  `Not probed, which only a deployment does: ${ids.map(shortName).join(', ')}`;
