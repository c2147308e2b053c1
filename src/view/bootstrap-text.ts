// A bootstrap as text: progress and result.

import type { BootstrapReport, PhaseReport, RoleReport } from '../bootstrap/bootstrap-report.ts';
import type { BootstrapEvent } from '../bootstrap/events.ts';
import { type Look, PLAIN, printable, renderLines, renderParts, type Text } from './lines.ts';
import { plural, renderTable } from './table.ts';
import { hint } from './tone.ts';

/** Undefined for events without a line: most tasks only read. */
export function renderBootstrapEvent(event: BootstrapEvent): string | undefined {
  const text = describeBootstrapEvent(event);
  const role = 'role' in event ? `${event.role}: ` : '';
  return text === undefined ? undefined : printable(`${event.time.slice(11, 19)} ${role}${text}`);
}

const TOLD: Readonly<Record<string, string>> = {
  changed: 'changed',
  failed: 'failed',
  retrying: 'waiting',
};

/** Without the time and the role. */
export function describeBootstrapEvent(event: BootstrapEvent): string | undefined {
  switch (event.type) {
    case 'phase.started':
      return event.phase === 'result' ? undefined : event.phase;
    case 'task.finished': {
      const word = TOLD[event.status];
      return word === undefined ? undefined : `${event.phase}: ${event.task}: ${word}`;
    }
    case 'role.finished':
      return event.status.replace('_', ' ');
    default:
      return undefined;
  }
}

export function renderBootstrap(report: BootstrapReport, look: Look = PLAIN): string {
  const table = renderTable(
    ['ROLE', 'STATUS', 'VERSION', 'CHANGED', 'SECONDS', 'PHASES'],
    report.roles.map((role) => [
      role.role,
      role.status.replace('_', ' '),
      role.version ?? '-',
      String(role.changed),
      role.seconds.toFixed(1),
      role.phases.map(renderPhase).join(' ') || '-',
    ]),
    { look, shorten: ['PHASES'] },
  );
  const failures = report.roles.flatMap((role) => renderFailure(role));
  return renderParts([table, renderLines([...failures, summary(report)], look)]);
}

const MARKS: Readonly<Record<PhaseReport['outcome'], string>> = {
  done: '+',
  failed: '!',
  skipped: '-',
};

const renderPhase = ({ phase, outcome }: PhaseReport): string => `${MARKS[outcome]}${phase}`;

function renderFailure({ role, failure }: RoleReport): Text[] {
  if (!failure) return [];
  const place = [failure.phase, failure.task].filter((part) => part !== null).join(': ');
  const object = failure.object === null ? '' : ` (${failure.object})`;
  return [`${role}: ${place}${object}`, `  ${failure.message}`, hint(failure.hint), ''];
}

function summary({ action, check, changed, roles }: BootstrapReport): string {
  const good = roles.filter(({ status }) => status === 'success').length;
  const done = `${good} of ${plural(roles.length, 'role')} ${action === 'install' ? 'installed' : 'deleted'}`;
  if (check) return `${plural(changed, 'change')} would be made. Nothing was changed.`;
  return `${done}, ${plural(changed, 'change')}`;
}
