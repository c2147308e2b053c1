// Stops the ApplicationSets that would make Applications again: they are deleted, and their Applications stay without an
// owner until their turn comes. Only through Kubernetes: Argo CD's own deletion takes all of them along at once.
import { TiphysError } from '../../errors.ts';
import type { Maker } from '../../inventory/inventory.ts';
import { quote } from '../../model/names.ts';
import { Abandoned } from '../../session/abandoned.ts';
import type { Session } from '../../session/session.ts';
import type { WriteGuards, Writes } from '../../session/writes/writes.ts';

const MAKER_POLL_MS = 1_000;
const PATIENCE_MS = 60_000;

/** `held`: resolves when the other makers cannot make anything either. Nothing goes before them, so nothing is waited for. */
export async function stopMakers(
  makers: readonly Maker[],
  session: Pick<Session, 'target' | 'clock' | 'writes'>,
  guards: Pick<WriteGuards, 'held' | 'signal'>,
  stop: AbortSignal,
): Promise<void> {
  const writes = session.writes({ ...guards, dependenciesReady: async () => {} });
  for (const maker of makers.filter(({ kind }) => kind === 'ApplicationSet')) {
    await stopMaker(maker, session, writes, stop);
  }
}

/** Until it is gone: while it is there it may still make one. */
async function stopMaker(
  maker: Maker,
  { target, clock }: Pick<Session, 'target' | 'clock'>,
  writes: Writes,
  stop: AbortSignal,
): Promise<void> {
  const { name, namespace, uid } = maker;
  const end = clock.monotonic() + PATIENCE_MS;
  for (;;) {
    if (stop.aborted) throw new Abandoned();
    const sets = await target.applicationSets.list([namespace]);
    const set = sets.find((one) => one.name === name && one.namespace === namespace);
    if (!set) return;
    if (set.uid !== uid) throw notStopped(maker, 'it is another one than was approved');
    if (clock.monotonic() > end) throw notStopped(maker, 'it does not go');
    if (!set.deleting) {
      const result = await writes.orphanApplicationSet(maker);
      const isRefused = result.kind === 'refused' && result.reason !== 'not-found';
      if (isRefused) throw notStopped(maker, result.message);
    }
    await clock.sleep(MAKER_POLL_MS, stop);
  }
}

function notStopped({ name }: Maker, why: string): TiphysError {
  const message = `The ApplicationSet ${quote(name)}, which would make Applications again, could not be stopped: ${why}.`;
  const hint = 'No Application was deleted. Look at it, then plan and run the teardown again.';
  return new TiphysError([{ code: 'maker-not-stopped', message, hint }]);
}
