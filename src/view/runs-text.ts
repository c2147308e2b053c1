// Recorded runs as text.
import type { RunSummary } from '../report/run-summary.ts';
import type { RunEvent } from '../run/events.ts';
import { starterName } from '../run/started-by.ts';
import { renderInstant } from './age-text.ts';
import { EventLines } from './event-lines.ts';
import { type Look, PLAIN, renderLines } from './lines.ts';
import { renderTable } from './table.ts';
import { renderWrapped } from './wrap.ts';

export function renderRuns(runs: readonly RunSummary[], look: Look = PLAIN): string {
  if (runs.length === 0) return renderLines(['No runs recorded.']);
  return renderTable(
    ['RUN', 'ACTION', 'STARTED', 'EXIT STATUS', 'PLAN', 'STARTED BY'],
    runs.map(({ run, action = '-', started, exitStatus, isDamaged, plan, startedBy }) => [
      run,
      action,
      renderInstant(started),
      isDamaged ? 'record damaged' : (exitStatus?.toString() ?? 'not finished'),
      plan.slice(0, 'sha256:'.length + 12),
      startedBy ? starterName(startedBy) : '-',
    ]),
    { look, shorten: ['PLAN', 'STARTED BY'] },
  );
}

export function renderHistory(events: readonly RunEvent[], look: Look = PLAIN): string {
  const lines = new EventLines();
  return renderWrapped([...events.flatMap((event) => lines.add(event)), ...lines.flush()], look);
}
