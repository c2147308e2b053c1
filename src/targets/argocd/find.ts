// Which Argo CD it is, and the port of argocd-server that answers through the service proxy.
import { z } from 'zod';
import { codeOf } from '../../errors.ts';
import { parseJson } from '../../model/parse-json.ts';
import { PATIENCE, readPatiently, type World } from '../retry.ts';
import type { Transport, TransportAnswer } from '../transport.ts';
import { argocdProblem, decodeResponse, orArgocdError } from './errors.ts';
import type { Route } from './route.ts';

const DEADLINE = 5_000;
const PAUSE = 500;

export const versionAnswer = z.object({ Version: z.string() });
const WHAT = 'its version';

/** As it says it, such as v3.2.11+f53c9e4. */
export async function argocdVersion(route: Route, world: World): Promise<string> {
  const path = `${route.prefix}/api/version`;
  const send = (deadline: number) => route.transport.send({ method: 'GET', path, deadline });
  const answer = await readPatiently(send, world, PATIENCE).catch((cause) => {
    throw orArgocdError(cause, route);
  });
  if (answer.status !== 200) throw argocdProblem(answer, WHAT);
  return decodeResponse(WHAT, () => versionAnswer.parse(parseJson(answer.text))).Version;
}

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
  const code = codeOf(problem);
  return code !== 'argocd-unreachable' && code !== 'cluster-unreachable';
}

/** What is wrong with it; undefined: nothing. */
async function tryPrefix(transport: Transport, prefix: string): Promise<unknown> {
  try {
    const path = `${prefix}/api/version`;
    const answer = await transport.send({ method: 'GET', path, deadline: DEADLINE });
    return saysVersion(answer) ? undefined : argocdProblem(answer, WHAT);
  } catch (cause) {
    return orArgocdError(cause, { via: 'kubernetes' });
  }
}

function saysVersion({ status, text }: TransportAnswer): boolean {
  if (status !== 200) return false;
  try {
    return versionAnswer.safeParse(parseJson(text)).success;
  } catch {
    return false;
  }
}
