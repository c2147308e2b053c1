// Tokens for Argo CD expire. A run in the last days of a token has its account create another one, so that a valid one
// always exists.
import { codeOf, TiphysError } from '../../errors.ts';
import { RENEW_TOKEN, type TokenRenewal, tokenName } from '../../ports/argocd-token.ts';
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

/** A failed renewal fails no run: the current token is still valid. */
export async function renewTokens(request: RenewalRequest): Promise<void> {
  for (const renewal of rawPorts(request.target).tokenRenewals) await renewToken(renewal, request);
}

async function renewToken(renewal: TokenRenewal, request: RenewalRequest): Promise<void> {
  const { secret } = renewal;
  const warnOf = (why: string) =>
    request.warn(`${tokenName(secret())} could not be renewed: ${why}`);
  let expires: number | undefined;
  try {
    expires = await renewal.expires();
    if (expires === undefined || expires * 1000 - request.clock.now() > LAST_DAYS_MS) return;
    await renew(renewal, { ...request, warn: warnOf });
  } catch (error) {
    if (!(error instanceof TiphysError)) throw error;
    const [first] = error.diagnostics;
    const hint = isExpired(error, expires, request.clock) ? EXPIRED : first?.hint;
    warnOf(hint === undefined ? error.message : `${error.message} ${hint}`);
  }
}

/** An account creates the next token with the current one. */
const EXPIRED = `It has expired, and no run can renew it then. ${RENEW_TOKEN}`;

function isExpired(error: TiphysError, expires: number | undefined, clock: Clock): boolean {
  const isLate = expires !== undefined && expires * 1000 <= clock.now();
  return isLate && codeOf(error) === 'argocd-token-rejected';
}

async function renew(
  renewal: TokenRenewal,
  { lease, clock, run, warn }: RenewalRequest,
): Promise<void> {
  const permitted = async <T>(send: () => Promise<T>): Promise<T> => {
    await lease.awaitWritePermit();
    return await lease.send(send);
  };
  // A resumed run has the same id, and Argo CD requires a new one.
  const made = await permitted(() => renewal.make(`${run}-${Math.floor(clock.now() / 1000)}`));
  const kept = await permitted(() => renewal.keep(made));
  if (kept.kind !== 'done') warn(kept.message);
  // Which token the Secret has is unknown: both stay until they expire.
  if (kept.kind === 'unknown') return;
  const dead = kept.kind === 'done' ? made.before : made.id;
  if (dead !== '') await permitted(() => renewal.strike(made.account, dead));
}
