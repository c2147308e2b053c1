// The end of a teardown, whatever engine it has: what no Application has goes, what is left is told, and what that means.
import { EXIT, type ExitStatus, TiphysError } from '../../errors.ts';
import { renderResource } from '../../ports/application-view.ts';
import type { Leftover } from '../../run/leftover.ts';
import { Abandoned } from '../../session/abandoned.ts';
import type { Session } from '../../session/session.ts';
import { CleanUp } from './clean-up.ts';
import { findLeftovers } from './find-leftovers.ts';
import type { TeardownSpec } from './teardown-spec.ts';

export interface LastLook {
  readonly order: TeardownSpec;
  readonly session: Session;
  /** Whether a node's Application is gone. */
  readonly isGone: (id: string) => boolean;
  /** Resolves when what could make something again is held. */
  readonly held: () => Promise<void>;
  readonly signal: AbortSignal;
  /** They stay, as announced. */
  readonly snapshots: readonly Leftover[];
}

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
async function cleanUp({
  order,
  session,
  snapshots,
  held,
  isGone,
  signal,
}: LastLook): Promise<void> {
  const { approved, stuckAfter } = order;
  const { target, clock, emit } = session;
  const dependenciesReady = async () => assertAllGone(order, isGone);
  const writes = session.writes({ dependenciesReady, held, signal });
  const { objects } = target;
  const last = new CleanUp({ approved, stuckAfter, objects, clock, emit, isGone, writes, signal });
  const kept = [...(await last.run()), ...snapshots];
  const known = new Set(kept.map(({ resource }) => renderResource(resource)));
  const found = (await findLeftovers(approved, target)).filter(
    ({ resource }) => !known.has(renderResource(resource)),
  );
  for (const one of [...kept, ...found]) emit({ type: 'object.left', ...one });
}

/** What no Application has may serve any of them. */
function assertAllGone({ approved }: TeardownSpec, isGone: LastLook['isGone']): void {
  const there = approved.applications.filter(({ id }) => !isGone(id));
  if (there.length === 0) return;
  const message = `${there.map(({ name }) => name).join(', ')} is still there`;
  throw new TiphysError([{ code: 'dependents-exist', message }]);
}

/** Something is left, however little went. */
export function teardownStatus(status: ExitStatus, isClean: boolean): ExitStatus {
  const isLeft = status === EXIT.failure || (status === EXIT.ok && !isClean);
  return isLeft ? EXIT.partial : status;
}
