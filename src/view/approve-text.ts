// The result of an approval or denial, as text.
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
  if (run === '') return 'the next run does not ask again';
  if (before === 'denied')
    return `run ${run} may already have failed because of the earlier denial; the next run does not ask again`;
  return isAlive
    ? `run ${run} continues`
    : `run ${run} does not renew its Lease; it continues when it is resumed, and the next run does not ask again`;
}

function afterDenial({ run, isAlive, before }: Decided): string {
  const later = 'the next run asks again';
  if (before === 'another-question')
    return 'the approval is withdrawn; approve again with `tiphys approve`';
  if (run === '') return later;
  if (before === 'approved') return `run ${run} starts no more of its dependents; ${later}`;
  return `it fails in run ${run}${isAlive ? '' : ' when that run is resumed'}; ${later}`;
}
