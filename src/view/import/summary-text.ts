// An import in a few words: counts, and the time that the order costs.
import type { EdgeOutcome, ImportReport } from '../../import/report/import-report.ts';
import { renderDuration } from '../../model/duration.ts';
import { plural } from '../table.ts';
import { short } from './evidence-text.ts';

/** In the order of waves no edge is in the file. */
export function outcomeWord(outcome: EdgeOutcome, order: ImportReport['order']): string {
  if (outcome === 'refused') return 'not written';
  return outcome === 'written' && order === 'waves' ? 'proposed' : outcome;
}

export function summaryText({ platform, summary, order }: ImportReport): string {
  const counted = (count: number, text: string) => (count > 0 ? [text] : []);
  const { applications, stacks, written, suggested, eventual, rejected, cycles } = summary;
  const parts = [
    `${plural(written, 'dependency', 'dependencies')} ${outcomeWord('written', order)}`,
    `${suggested} suggested`,
    ...counted(eventual, `${eventual} eventual`),
    ...counted(rejected, `${rejected} rejected`),
    ...counted(summary.unresolved, plural(summary.unresolved, 'unresolved reference')),
    ...counted(cycles, plural(cycles, 'cycle')),
    ...counted(summary.problems, plural(summary.problems, 'problem')),
  ];
  return `${platform}: ${plural(applications, 'application')} in ${plural(stacks, 'stack')}; ${parts.join(', ')}`;
}

/** Marked as what they are: nothing was measured unless history says so. */
export function estimateLines({ estimates, summary }: ImportReport): string[] {
  const { evidence, waves, applicationsFromHistory: measured } = estimates;
  const source =
    measured === 0
      ? 'the defaults of classes'
      : `the history of ${plural(measured, 'application')}${measured < summary.applications ? ', and the defaults of classes' : ''}`;
  const row = (name: string, order: typeof evidence) =>
    `  ${name}  about ${renderDuration(order.expectedDuration)}, ${plural(order.layers, 'layer')}: ${short(order.criticalPath.join(' -> '), 160)}`;
  const saved = waves ? waves.expectedDuration - evidence.expectedDuration : 0;
  return [
    `Time of a deployment, an estimate from ${source}`,
    row('by evidence  ', evidence),
    ...(waves ? [row('by sync waves', waves)] : []),
    ...(saved > 0 ? [`  The evidence would save about ${renderDuration(saved)}.`] : []),
  ];
}
