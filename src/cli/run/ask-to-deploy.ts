// Asks before a deployment changes a cluster, where somebody sits at a terminal. Pipelines are not asked: they go ahead.
import { dryRun } from '../../engines/inspect/dry-run.ts';
import { TiphysError } from '../../errors.ts';
import type { Where } from '../../report/where.ts';
import { deployQuestion, renderChanges } from '../../view/confirm-text.ts';
import type { Io } from '../io.ts';

interface Asked {
  readonly plan: Parameters<typeof dryRun>[0];
  readonly whole: Parameters<typeof dryRun>[1];
  readonly look: Omit<Parameters<typeof dryRun>[2], 'signal' | 'clock'>;
  readonly where: Where | undefined;
}

/** Throws where the answer is not yes, and what the deployment would be refused for. Where nothing would change, nobody is asked. */
export async function askToDeploy(io: Io, { plan, whole, look, where }: Asked): Promise<void> {
  const { signal } = new AbortController();
  const found = await dryRun(plan, whole, { ...look, refresh: true, clock: io.clock, signal });
  const changes = renderChanges(found);
  if (changes === '') return;
  io.stderr(changes);
  const answer = await io.ask(`${deployQuestion(plan.platform, where)} `);
  if (answer === undefined || /^y(?:es)?$/i.test(answer)) return;
  const message = 'The deployment was not confirmed. Nothing was changed.';
  const hint = 'Answer y, or skip the question with --yes.';
  throw new TiphysError([{ code: 'deploy-unconfirmed', message, hint }]);
}
