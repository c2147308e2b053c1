// The token for Argo CD expires. A run in its last days has its account make another one, so that none is ever without.
import { TiphysError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Cluster } from '../../ports/target.ts';
import type { Lease } from '../lease/lease.ts';
import { rawPorts } from './raw-ports.ts';

const LAST_DAYS_MS = 30 * 86_400_000;

export interface RenewalRequest {
  readonly target: Cluster;
  readonly lease: Pick<Lease, 'awaitWritePermit' | 'send'>;
  readonly clock: Clock;
  readonly run: string;
  readonly warn: (message: string) => void;
}

/** No run fails for it: the token that is there is good yet. */
export async function renewToken(request: RenewalRequest): Promise<void> {
  const { target, clock, warn } = request;
  const expires = await target.tokenExpires();
  if (expires === undefined || expires * 1000 - clock.now() > LAST_DAYS_MS) return;
  try {
    await renew(request);
  } catch (error) {
    if (!(error instanceof TiphysError)) throw error;
    warn(notRenewed(error.message));
  }
}

async function renew({ target, lease, clock, run, warn }: RenewalRequest): Promise<void> {
  const { tokenRenewal: renewal } = rawPorts(target);
  if (!renewal) return;
  const permitted = async <T>(send: () => Promise<T>): Promise<T> => {
    await lease.awaitWritePermit();
    return await lease.send(send);
  };
  // A run that is resumed has its id again, and Argo CD wants another one.
  const made = await permitted(() => renewal.make(`${run}-${Math.floor(clock.now() / 1000)}`));
  const kept = await permitted(() => renewal.keep(made));
  if (kept.kind !== 'done') warn(notRenewed(kept.message));
  // Which one the Secret has is not known: both stay, until they expire.
  if (kept.kind === 'unknown') return;
  const dead = kept.kind === 'done' ? made.before : made.id;
  if (dead !== '') await permitted(() => renewal.strike(made.account, dead));
}

const notRenewed = (why: string): string => `the Argo CD token could not be renewed: ${why}`;
