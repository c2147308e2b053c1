// Where a platform stands, for people.

import { renderDecision } from '../gate/decision.ts';
import { shortName } from '../plan/platform-graph.ts';
import { RENEW_TOKEN } from '../ports/argocd-token.ts';
import { untried } from '../ports/argocd-version.ts';
import type { Status, StatusNode } from '../report/platform-status.ts';
import type { RunSummary } from '../report/run-summary.ts';
import { renderForeignSync } from '../run/foreign-sync.ts';
import { renderStartedBy, type StartedBy, starterName } from '../run/started-by.ts';
import { renderLines, renderParts } from './lines.ts';
import { renderTable } from './table.ts';

export function renderStatus(status: Status): string {
  const { platform, argocd, active, lastRun, held, nodes } = status;
  const table = renderTable(
    ['NODE', 'SYNC', 'HEALTH', 'SEEN', 'HELD'],
    nodes.map(({ id, sync, health, age, held: isHeld }) => [
      shortName(id),
      sync,
      health,
      age === null ? '-' : `${age}s ago`,
      isHeld ? 'held' : '',
    ]),
  );
  const last = lastRun
    ? `last run ${lastRun.run} of ${lastRun.started}${by(lastRun)}: ${endOf(lastRun)}`
    : 'no run is remembered';
  const lines = [
    active
      ? `"${platform}": run ${active.run} is active, by ${active.holder}${starter(active)}`
      : `"${platform}": no run is active`,
    last,
    ...nodes.flatMap(approval),
    ...nodes.flatMap(({ id, probe }) =>
      probe ? [`probe of ${shortName(id)} (${probe.target}): run by deployments alone`] : [],
    ),
    ...nodes.flatMap(({ id, syncedBy }) =>
      syncedBy ? [`${shortName(id)} was synced last ${renderForeignSync(syncedBy)}`] : [],
    ),
    ...(held.length > 0 ? [`held: ${held.map(shortName).join(', ')}`] : []),
    `Argo CD ${argocd.version}`,
    ...(argocd.isTried ? [] : [`warning: ${untried(argocd.version)}`]),
    ...argocd.tokens.flatMap(({ warning }) =>
      warning === null ? [] : [`warning: ${warning}. ${RENEW_TOKEN}`],
    ),
    ...nodes.flatMap(({ id, warning }) =>
      warning === null ? [] : [`warning: ${shortName(id)}: ${warning}`],
    ),
  ];
  return renderParts([table, renderLines(lines)]);
}

const by = ({ startedBy }: RunSummary): string =>
  startedBy ? ` by ${starterName(startedBy)}` : '';

const starter = ({ startedBy }: { readonly startedBy?: StartedBy }): string =>
  startedBy ? `, started by ${renderStartedBy(startedBy)}` : '';

function endOf({ exitStatus, isDamaged }: RunSummary): string {
  if (isDamaged) return 'its record is damaged';
  return exitStatus === undefined ? 'not finished' : `exit status ${exitStatus}`;
}

function approval({ id, approval: asked }: StatusNode): string[] {
  if (!asked) return [];
  const { question, state, decision } = asked;
  const name = shortName(id);
  const said = decision
    ? renderDecision(decision)
    : state === 'awaited'
      ? `needed now: \`tiphys approve ${name}\``
      : 'needed once it is Healthy';
  return [`approval of ${name} (${question}): ${said}`];
}
