// Asks who this process is, for the start of a run. A run never fails because that is unknown.
import type { Clock } from '../ports/clock.ts';
import type { Cluster } from '../ports/target.ts';
import { claimedName, type StartedBy, type Trigger } from '../run/started-by.ts';

/** Milliseconds that a run waits for the answers. */
const WAIT_MS = 3_000;
const USER_MAX = 256;

export async function startedBy(
  target: Pick<Cluster, 'whoAmI' | 'rights'>,
  { kind, event, submittedBy }: Trigger,
  clock: Pick<Clock, 'sleep'>,
): Promise<StartedBy> {
  const answered = new AbortController();
  // An answer, also one that takes several reads, comes in that time or not at all.
  const late = clock.sleep(WAIT_MS, answered.signal).then(() => undefined);
  const inTime = <T>(asked: Promise<T>) => Promise.race([asked.catch(() => undefined), late]);
  const [user, holder] = await Promise.all([
    inTime(target.whoAmI(WAIT_MS)),
    inTime(target.rights.tokenHolder()),
  ]);
  answered.abort();
  const claimed = claimedName(submittedBy ?? '');
  return {
    trigger: kind,
    ...(user !== undefined && { user: user.slice(0, USER_MAX) }),
    ...(holder?.account !== undefined && { argocdAccount: holder.account }),
    ...(event !== undefined && { event }),
    ...(claimed !== '' && { submittedBy: claimed }),
  };
}
