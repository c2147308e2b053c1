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
  const { applications, parents, stacks, written, suggested, eventual, rejected, cycles } = summary;
  const dependencies = (count: number) => plural(count, 'dependency', 'dependencies');
  const parts = [
    ...(order === 'waves' ? [`${dependencies(summary.ofWaves)} between stacks written`] : []),
    `${dependencies(written)} ${order === 'waves' ? 'proposed by evidence (not written)' : 'written'}`,
    `${suggested} suggested`,
    ...counted(eventual, `${eventual} eventual`),
    ...counted(rejected, `${rejected} rejected`),
    ...counted(summary.unresolved, plural(summary.unresolved, 'unresolved reference')),
    ...counted(cycles, plural(cycles, 'cycle')),
    ...counted(summary.problems, plural(summary.problems, 'problem')),
  ];
  const all = [
    plural(applications - parents, 'application'),
    ...counted(parents, plural(parents, 'parent')),
  ];
  const by = order === 'waves' ? ' by sync waves' : '';
  return `${platform}: ${all.join(', ')} in ${plural(stacks, 'stack')}${by}; ${parts.join(', ')}`;
}

/** Marked as what they are: nothing was measured unless history says so. */
export function estimateLines({ estimates, summary, notes }: ImportReport): string[] {
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
    ...(saved > 0 ? [savedText(saved, notes)] : []),
  ];
}

/** Notes that say of which applications needs are missing. */
const UNREAD: readonly string[] = ['read-problem', 'content-unknown'];

function savedText(saved: number, notes: ImportReport['notes']): string {
  if (!notes.some(({ kind }) => UNREAD.includes(kind)))
    return `  The evidence would save about ${renderDuration(saved)}.`;
  return `  The evidence would save at most about ${renderDuration(saved)}: what was not read may need more dependencies.`;
}
