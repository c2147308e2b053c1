// Stops the ApplicationSets that would recreate Applications: deletes them without their Applications, which stay until
// their turn comes. Only through Kubernetes: a deletion by Argo CD would delete all of them together.
import { TiphysError } from '../../errors.ts';
import type { Maker } from '../../inventory/inventory.ts';
import { quote } from '../../model/names.ts';
import { Abandoned } from '../../session/abandoned.ts';
import type { Session } from '../../session/session.ts';
import type { WriteGuards, Writes } from '../../session/writes/writes.ts';

const MAKER_POLL_MS = 1_000;
const PATIENCE_MS = 60_000;

/**
 * `held`: resolves when the other creators cannot create anything either. Nothing is deleted before, so nothing has to be
 * waited for.
 */
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

/** Waits until it is gone: while it exists it may still create one. */
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
    if (set.uid !== uid) throw notStopped(maker, 'it was recreated after the approval');
    if (clock.monotonic() > end) throw notStopped(maker, 'it is not deleted in time');
    if (!set.deleting) {
      const result = await writes.orphanApplicationSet(maker);
      const isRefused = result.kind === 'refused' && result.reason !== 'not-found';
      if (isRefused) throw notStopped(maker, result.message);
    }
    await clock.sleep(MAKER_POLL_MS, stop);
  }
}

function notStopped({ name }: Maker, why: string): TiphysError {
  const message = `The ApplicationSet ${quote(name)}, which would recreate Applications, could not be stopped: ${why}.`;
  const hint = 'No Application was deleted. Inspect it, then plan and run the teardown again.';
  return new TiphysError([{ code: 'maker-not-stopped', message, hint }]);
}
