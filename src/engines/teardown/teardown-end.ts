// The end of a teardown, whatever engine it has: what no Application has goes, what is left is told, and what that means.
import { EXIT, type ExitStatus, TiphysError } from '../../errors.ts';
import type { Plan } from '../../plan/plan.ts';
import { renderResource } from '../../ports/application-view.ts';
import { outcomesOf } from '../../report/tally.ts';
import type { RunEnd } from '../../run/events.ts';
import { exitStatusOf } from '../../run/exit-status.ts';
import { Abandoned } from '../../session/abandoned.ts';
import type { Session } from '../../session/session.ts';
import { forgetApproval } from './approval.ts';
import { type LastLook, removeTheRest } from './clean-up.ts';
import { findLeftovers } from './find-leftovers.ts';

/** Whether it could be looked at. What went is gone, whatever can be said of the rest. */
export async function lookAtTheRest(look: LastLook): Promise<boolean> {
  try {
    await cleanUp(look);
    return true;
  } catch (error) {
    // Told to leave: how the run ended is told elsewhere.
    if (error instanceof Abandoned) return false;
    if (!(error instanceof TiphysError)) throw error;
    const message = `what is left could not be looked at: ${error.message}`;
    look.session.warn(message);
    return false;
  }
}

/** What no Application has goes when all are gone that may need it. Then it is told what is left. */
async function cleanUp(look: LastLook): Promise<void> {
  const { session, signal, held } = look;
  const dependenciesReady = async () => assertAllGone(look);
  const writes = session.writes({ dependenciesReady, held, signal });
  const kept = [...(await removeTheRest(look, writes)), ...look.snapshots];
  const known = new Set(kept.map(({ resource }) => renderResource(resource)));
  const found = (await findLeftovers(look.spec.approved, session.target)).filter(
    ({ resource }) => !known.has(renderResource(resource)),
  );
  for (const one of [...kept, ...found]) session.emit({ type: 'object.left', ...one });
}

/** What no Application has may serve any of them. */
function assertAllGone({ spec, isGone }: LastLook): void {
  const there = spec.approved.applications.filter(({ id }) => !isGone(id));
  if (there.length === 0) return;
  const message = `${there.map(({ name }) => name).join(', ')} is still there`;
  throw new TiphysError([{ code: 'dependents-exist', message }]);
}

/** Something is left, however little went. Where nothing is, the approval has served its purpose. */
export async function teardownStatus(
  session: Session,
  plan: Plan,
  end: RunEnd,
  isLookedAt: boolean,
): Promise<ExitStatus> {
  const { nodes, leftovers } = session.state;
  const status = exitStatusOf({ outcomes: outcomesOf(plan, nodes), end });
  const isClean = isLookedAt && leftovers.every(({ announced }) => announced);
  if (status === EXIT.ok && isClean) await forgetApproval(session);
  const isLeft = status === EXIT.failure || (status === EXIT.ok && !isClean);
  return isLeft ? EXIT.partial : status;
}
