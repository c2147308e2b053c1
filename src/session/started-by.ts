// Asks who this process is, for the start of a run. A run never fails because that is unknown.
import type { Cluster } from '../ports/target.ts';
import { claimedName, type StartedBy, type Trigger } from '../run/started-by.ts';

/** Milliseconds that a run waits for the answer. */
const WAIT_MS = 3_000;
const USER_MAX = 256;

export async function startedBy(
  target: Pick<Cluster, 'whoAmI' | 'rights'>,
  { kind, event, submittedBy }: Trigger,
): Promise<StartedBy> {
  const [user, holder] = await Promise.all([
    target.whoAmI(WAIT_MS).catch(() => undefined),
    target.rights.tokenHolder().catch(() => undefined),
  ]);
  const claimed = claimedName(submittedBy ?? '');
  return {
    trigger: kind,
    ...(user !== undefined && { user: user.slice(0, USER_MAX) }),
    ...(holder?.account !== undefined && { argocdAccount: holder.account }),
    ...(event !== undefined && { event }),
    ...(claimed !== '' && { submittedBy: claimed }),
  };
}
