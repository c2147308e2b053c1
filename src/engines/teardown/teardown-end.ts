// The end of a teardown, whatever engine it has: what no Application has goes, what is left is told, and what that means.
import { EXIT, type ExitStatus, TiphysError } from '../../errors.ts';
import { renderResource } from '../../ports/application-view.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Target } from '../../ports/target.ts';
import type { Emit } from '../../run/events.ts';
import type { Leftover } from '../../run/leftover.ts';
import { CleanUp } from './clean-up.ts';
import { findLeftovers } from './find-leftovers.ts';
import type { TeardownOrder } from './teardown-order.ts';

export interface LastLook {
  readonly order: TeardownOrder;
  readonly target: Target;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Whether a node's Application is gone. */
  readonly isGone: (id: string) => boolean;
  readonly permit: () => Promise<void>;
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
    if (!(error instanceof TiphysError)) throw error;
    const message = `what is left could not be looked at: ${error.message}`;
    look.emit({ type: 'run.warning', message });
    return false;
  }
}

/** What no Application has goes when all are gone that may need it. Then it is told what is left. */
async function cleanUp({ order, target, snapshots, emit, ...parts }: LastLook): Promise<void> {
  const { approved, stuckAfter } = order;
  const last = new CleanUp({ ...parts, approved, stuckAfter, emit, objects: target.objects });
  const kept = [...(await last.run()), ...snapshots];
  const known = new Set(kept.map(({ resource }) => renderResource(resource)));
  const found = (await findLeftovers(approved, target)).filter(
    ({ resource }) => !known.has(renderResource(resource)),
  );
  for (const one of [...kept, ...found]) emit({ type: 'object.left', ...one });
}

/** Something is left, however little went. */
export function teardownStatus(status: ExitStatus, isClean: boolean): ExitStatus {
  const isLeft = status === EXIT.failure || (status === EXIT.ok && !isClean);
  return isLeft ? EXIT.partial : status;
}
