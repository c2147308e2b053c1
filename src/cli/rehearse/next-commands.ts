// What is worth trying after a rehearsal, as command lines that can be pasted.
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
  // Whoever came by `npm start` has no command of that name yet.
  const isStart = io.environment('npm_lifecycle_event') === 'start';
  const tiphys = isStart ? 'node dist/main.js' : 'tiphys';
  const rehearse = isStart ? 'npm start --' : line('tiphys rehearse deploy');
  const fault = worstOf(report);
  return [
    ...(fault ? [[`${rehearse} --fault '${fault}'`, 'rehearse a failure'] as const] : []),
    [line(`${tiphys} plan`), 'see the order and what each waits for'],
    [line(`${tiphys} deploy --dry-run`), 'a real cluster: what would be done, without doing it'],
  ];
}

/** Of the applications on which the time hangs, the one that takes the most others down. */
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
