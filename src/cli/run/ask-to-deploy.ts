// Asks before a deployment changes a cluster, if a terminal is there. Pipelines are not asked: they continue.
import { dryRun } from '../../engines/inspect/dry-run.ts';
import { TiphysError } from '../../errors.ts';
import type { Where } from '../../report/where.ts';
import { deployQuestion, renderChanges } from '../../view/confirm-text.ts';
import { renderLines } from '../../view/lines.ts';
import type { Io } from '../io.ts';
import { lookOn } from '../output/look-on.ts';
import { untilStopped } from './signals.ts';

interface Asked {
  readonly plan: Parameters<typeof dryRun>[0];
  readonly whole: Parameters<typeof dryRun>[1];
  readonly look: Omit<Parameters<typeof dryRun>[2], 'signal' | 'clock'>;
  readonly where: Where | undefined;
}

/**
 * Throws where the answer is not yes, and what the deployment would be refused for. It asks even if nothing seems to change:
 * the deployment compares with Git again, and a commit that Argo CD has not seen yet is synced. Whether another run is active
 * is left to the Lease: after a crash the run takes over, and only waiting shows that.
 */
export async function askToDeploy(io: Io, { plan, whole, look, where }: Asked): Promise<void> {
  const parts = { ...look, waits: true, refresh: true, clock: io.clock };
  const found = await untilStopped(
    io,
    ({ stop: signal }) => dryRun(plan, whole, { ...parts, signal }),
    { reads: true },
  );
  io.stderr(renderChanges(found, lookOn(io, 'stderr')) + renderLines(['']));
  const answer = await io.ask(`${deployQuestion(plan.platform, where)} `);
  if (answer === undefined || /^y(?:es)?$/i.test(answer)) return;
  const message = 'The deployment was not confirmed. Nothing was changed.';
  const hint = 'Answer y, or skip the question with --yes.';
  throw new TiphysError([{ code: 'deploy-unconfirmed', message, hint }]);
}
