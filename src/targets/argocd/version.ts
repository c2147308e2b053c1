// Which Argo CD it is.
import { PATIENCE, readPatiently, type World } from '../retry.ts';
import { argocdProblem, decodeResponse, orArgocdError } from './errors.ts';
import { versionAnswer } from './find.ts';
import type { Route } from './route.ts';

/** As it says it, such as v3.2.11+f53c9e4. */
export async function argocdVersion(route: Route, world: World): Promise<string> {
  const what = 'its version';
  const path = `${route.prefix}/api/version`;
  const send = (deadline: number) => route.transport.send({ method: 'GET', path, deadline });
  const answer = await readPatiently(send, world, PATIENCE).catch((cause) => {
    throw orArgocdError(cause, route);
  });
  if (answer.status !== 200) throw argocdProblem(answer, what);
  return decodeResponse(what, () => versionAnswer.parse(JSON.parse(answer.text))).Version;
}
