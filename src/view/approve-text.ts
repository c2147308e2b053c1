// What came of a decision at a gate, for people.
import { renderDecision } from '../gate/decision.ts';
import { shortName } from '../plan/platform-graph.ts';
import type { Decided } from '../report/decided.ts';
import { renderLines } from './lines.ts';

export function renderDecided(id: string, decided: Decided): string {
  const { decision, question, revisions, isNew } = decided;
  const again = isNew ? '' : 'already ';
  const at = revisions.map((revision) => revision.slice(0, 8)).join(', ');
  return renderLines([
    `${shortName(id)} ${again}${renderDecision(decision)}`,
    `  question: ${question}`,
    `  revision: ${at || '-'}`,
    ...(isNew ? [`  ${decision.approved ? afterApproval(decided) : afterDenial(decided)}`] : []),
  ]);
}

function afterApproval({ run, isAlive, before }: Decided): string {
  if (run === '') return 'the next run will not ask';
  if (before === 'denied')
    return `it was denied in run ${run}, and has failed there unless that was moments ago; the next run will not ask`;
  return isAlive
    ? `run ${run} goes on`
    : `run ${run} does not renew its Lease; once it goes on, or in the next run, nobody is asked`;
}

function afterDenial({ run, isAlive, before }: Decided): string {
  const later = 'the next run will ask again';
  if (before === 'another-question') return 'that approval is taken back; a new one can be given';
  if (run === '') return later;
  if (before === 'approved') return `run ${run} begins nothing more that depends on it; ${later}`;
  return `it fails in run ${run}${isAlive ? '' : ', once that goes on'}; ${later}`;
}
