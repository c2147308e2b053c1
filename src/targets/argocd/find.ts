// Finds the port of argocd-server that answers through the service proxy.
import { z } from 'zod';
import { TiphysError } from '../../errors.ts';
import type { World } from '../retry.ts';
import type { Transport, TransportAnswer } from '../transport.ts';
import { argocdProblem, orArgocdError } from './errors.ts';

const DEADLINE = 5_000;
const PAUSE = 500;

export const versionAnswer = z.object({ Version: z.string() });

/** The first of the prefixes below which Argo CD says its version. */
export async function answeringPrefix(
  transport: Transport,
  prefixes: readonly string[],
  { clock }: World,
  budget: number,
): Promise<string> {
  const end = clock.monotonic() + budget;
  for (;;) {
    const problems: unknown[] = [];
    for (const prefix of prefixes) {
      const problem = await tryPrefix(transport, prefix);
      if (problem === undefined) return prefix;
      problems.push(problem);
    }
    if (clock.monotonic() + PAUSE >= end || problems.every(isFinal)) throw problems.at(-1);
    await clock.sleep(PAUSE);
  }
}

/** A right that is missing will not come by waiting. */
function isFinal(problem: unknown): boolean {
  const code = problem instanceof TiphysError ? problem.diagnostics[0]?.code : undefined;
  return code !== 'argocd-unreachable' && code !== 'cluster-unreachable';
}

/** What is wrong with it; undefined: nothing. */
async function tryPrefix(transport: Transport, prefix: string): Promise<unknown> {
  try {
    const path = `${prefix}/api/version`;
    const answer = await transport.send({ method: 'GET', path, deadline: DEADLINE });
    return saysVersion(answer) ? undefined : argocdProblem(answer, 'its version');
  } catch (cause) {
    return orArgocdError(cause, { via: 'kubernetes' });
  }
}

function saysVersion({ status, text }: TransportAnswer): boolean {
  if (status !== 200) return false;
  try {
    return versionAnswer.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
