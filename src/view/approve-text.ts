// What came of a decision at a gate, for people.
import { type Decision, renderDecision } from '../gate/decision.ts';
import { shortName } from '../plan/platform-graph.ts';
import { renderLines } from './lines.ts';

interface Decided {
  readonly decision: Decision;
  readonly question: string;
  readonly revisions: readonly string[];
  readonly run: string;
  readonly isNew: boolean;
}

export function renderDecided(id: string, decided: Decided): string {
  const { decision, question, revisions, run, isNew } = decided;
  const again = isNew ? '' : 'already ';
  const at = revisions.map((revision) => revision.slice(0, 8)).join(', ');
  return renderLines([
    `${shortName(id)} ${again}${renderDecision(decision)}`,
    `  question: ${question}`,
    `  revision: ${at || '-'}`,
    ...(isNew ? [`  ${next(decision, run)}`] : []),
  ]);
}

function next({ approved }: Decision, run: string): string {
  if (run === '') return approved ? 'the next run will not ask' : 'the next run will ask again';
  return approved ? `run ${run} goes on` : `it fails in run ${run}; the next run will ask again`;
}
