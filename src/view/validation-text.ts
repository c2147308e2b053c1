// A validation as text.

import { shortName } from '../plan/platform-graph.ts';
import { renderBypass } from '../report/find-bypasses.ts';
import type { Validation, ValidationNode } from '../report/validation.ts';
import { renderForeignSync } from '../run/foreign-sync.ts';
import { renderAge } from './age-text.ts';
import { renderUnmet } from './event-text.ts';
import { type Look, PLAIN, renderParts, type Text, warning } from './lines.ts';
import { selectorLines } from './selector-text.ts';
import { plural, renderTable } from './table.ts';
import { toned } from './tone.ts';
import { renderWhere } from './where-text.ts';
import { renderWrapped } from './wrap.ts';

export function renderValidation(validation: Validation, look: Look = PLAIN): string {
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
    selector,
  } = validation;
  const table = renderTable(
    ['NAME', 'STACK', 'STATE', 'SEEN', 'REASON'],
    nodes.map((node) => [
      shortName(node.id),
      node.stack ?? '-',
      node.state,
      renderAge(node.age),
      node.unmet ? renderUnmet(node.unmet) : '',
    ]),
    { look, leaveOut: ['STACK'], shorten: ['REASON', 'NAME'] },
  );
  const rollUp = stacks.map((stack) => `${stack.name} ${stack.state}`).join(', ');
  const lines: Text[] = [
    ...selectorLines(selector),
    ...(rollUp ? [`Stacks: ${rollUp}`] : []),
    ...(held.length > 0 ? [`On hold: ${held.map(shortName).join(', ')}`] : []),
    ...(unexpected.length > 0 ? [`Not in the platform file: ${unexpected.join(', ')}`] : []),
    ...(notProbed ? [notProbedText(notProbed)] : []),
    ...nodes.flatMap(syncedByText),
    ...bypasses.map((bypass) => warning(renderBypass(bypass))),
    [
      `"${platform}" is `,
      toned(state),
      `: ${plural(nodes.length, 'application')} checked, exit status ${exitStatus}`,
    ],
  ];
  return renderParts([
    renderWhere(platform, validation.where, look),
    table,
    renderWrapped(lines, look),
  ]);
}

const syncedByText = ({ id, syncedBy }: ValidationNode): string[] =>
  syncedBy ? [`${shortName(id)} was last synced ${renderForeignSync(syncedBy)}`] : [];

const notProbedText = (ids: readonly string[]): string =>
  `Not probed, because only deployments run probes: ${ids.map(shortName).join(', ')}`;
