// Suggested commands after a rehearsal, ready to paste.
import { renderDuration } from '../../model/duration.ts';
import { shortName } from '../../plan/platform-graph.ts';
import type { RehearsalReport } from '../../report/rehearsal-report.ts';
import type { NextCommand } from '../../view/rehearsal-text.ts';
import type { FileOptions } from '../input/read-source.ts';
import type { Io } from '../io.ts';

export function nextCommands(io: Io, options: FileOptions, report: RehearsalReport): NextCommand[] {
  const files = [
    ...(options.file === 'platform.yaml' ? [] : [`-f ${options.file}`]),
    ...(options.environment === undefined ? [] : [`-e ${options.environment}`]),
  ];
  const line = (...words: string[]) => [...words, ...files].join(' ');
  // After `npm start` the command `tiphys` may not be installed yet.
  const isStart = io.environment('npm_lifecycle_event') === 'start';
  const tiphys = isStart ? 'node dist/main.js' : 'tiphys';
  const rehearse = isStart ? 'npm start --' : line('tiphys rehearse deploy');
  const fault = worstOf(report);
  return [
    ...(fault ? [[`${rehearse} --fault '${fault}'`, 'rehearse a failure'] as const] : []),
    [line(`${tiphys} plan`), 'show the order and the dependencies'],
    [
      line(`${tiphys} deploy --dry-run`),
      'on a real cluster: show what would be done, change nothing',
    ],
  ];
}

/** The application on the critical path whose failure blocks the most others. */
function worstOf({ forecast, faults }: RehearsalReport): string | undefined {
  const critical = new Set(forecast.criticalPath.map(({ id }) => id));
  const worst = forecast.blasts.find(({ id, blocks }) => critical.has(id) && blocks.length > 0);
  const found = forecast.gains.find(({ id, ifInstant }) => ifInstant > 0 && critical.has(id));
  const id = found?.id ?? worst?.id;
  if (id === undefined || faults.length > 0) return undefined;
  const duration = forecast.gains.find((gain) => gain.id === id)?.duration ?? 0;
  const minutes = Math.max(1, Math.round(duration / 180));
  return `app:${shortName(id)} degraded after ${renderDuration(minutes * 60)}`;
}
