// The status of a platform as text.

import { renderDecision } from '../gate/decision.ts';
import { shortName } from '../plan/platform-graph.ts';
import { RENEW_TOKEN } from '../ports/argocd-token.ts';
import { untried } from '../ports/argocd-version.ts';
import type { Status, StatusNode } from '../report/platform-status.ts';
import type { RunSummary } from '../report/run-summary.ts';
import { type ForeignSync, renderForeignSync } from '../run/foreign-sync.ts';
import { renderStartedBy, type StartedBy, starterName } from '../run/started-by.ts';
import { renderAge, renderInstant } from './age-text.ts';
import { type Look, PLAIN, renderLines, renderParts, type Text, warning } from './lines.ts';
import { selectorLines } from './selector-text.ts';
import { renderTable } from './table.ts';
import { renderWhere } from './where-text.ts';
import { renderWrapped } from './wrap.ts';

export function renderStatus(status: Status, look: Look = PLAIN): string {
  const { platform, argocd, held, nodes, selector } = status;
  const table = renderTable(
    ['NAME', 'SYNC', 'HEALTH', 'SEEN', 'HOLD'],
    nodes.map(({ id, sync, health, age, held: isHeld }) => [
      shortName(id),
      // What does not exist has a health, Missing, but nothing to compare.
      sync === 'Missing' ? '-' : sync,
      health,
      renderAge(age),
      isHeld ? 'on hold' : '',
    ]),
    { look, shorten: ['NAME'] },
  );
  const lines: Text[] = [
    ...selectorLines(selector),
    ...runLines(status),
    ...nodes.flatMap(approval),
    ...nodes.flatMap(({ id, probe }) =>
      probe ? [`probe of ${shortName(id)} (${probe.target}): only runs during deployments`] : [],
    ),
    ...nodes.flatMap(({ id, syncedBy }) =>
      syncedBy ? [`${shortName(id)} was last synced ${renderForeignSync(syncedBy)}`] : [],
    ),
    ...nodes.flatMap(({ id, breakGlass }) =>
      breakGlass ? [`${shortName(id)} was synced ${renderBreakGlass(breakGlass)}`] : [],
    ),
    ...(held.length > 0 ? [`on hold: ${held.map(shortName).join(', ')}`] : []),
    `Argo CD ${argocd.version}`,
    ...(argocd.isTried ? [] : [warning(untried(argocd.version))]),
    ...argocd.tokens.flatMap(({ warning: said }) =>
      said === null ? [] : [warning(`${said}. ${RENEW_TOKEN}`)],
    ),
    ...nodes.flatMap(({ id, warning: said }) =>
      said === null ? [] : [warning(`${shortName(id)}: ${said}`)],
    ),
  ];
  return renderParts([
    renderWhere(platform, status.where, look),
    table,
    renderWrapped(lines, look),
  ]);
}

/** As --scope and explain take them. */
export function renderNames(nodes: readonly { readonly id: string }[]): string {
  return renderLines(nodes.map(({ id }) => (id.startsWith('app:') ? id : shortName(id))));
}

/** The active run is usually the last one, too, and then needs no other line. */
function runLines({ platform, active, lastRun }: Status): string[] {
  const last = lastRun
    ? `last run: ${lastRun.run}, started ${renderInstant(lastRun.started)}${by(lastRun)}, ${endOf(lastRun)}`
    : 'no run recorded';
  if (!active) return [`"${platform}": no run is active`, last];
  const { run, holder } = active;
  const isLast = lastRun?.run === run;
  return [
    `"${platform}": run ${run} is active in ${holder}${starter(active)}${isLast ? `, since ${renderInstant(lastRun.started)}` : ''}`,
    ...(isLast ? [] : [last]),
  ];
}

const by = ({ startedBy }: RunSummary): string =>
  startedBy ? ` by ${starterName(startedBy)}` : '';

const starter = ({ startedBy }: { readonly startedBy?: StartedBy }): string =>
  startedBy ? `, started by ${renderStartedBy(startedBy)}` : '';

const renderBreakGlass = ({ by: account, at }: ForeignSync): string =>
  `by the break-glass account "${account}" at ${at}`;

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
      ? `pending: run \`tiphys approve ${name}\``
      : 'required once it is healthy';
  return [`approval of ${name} (${question}): ${said}`];
}
