// Who the token is, and what it may do.
import { z } from 'zod';
import { fields } from '../application/schema.ts';
import type { Patience } from '../retry.ts';
import type { ArgocdApi } from './api.ts';
import { canIAnswer, canIPath, type Right } from './can-i.ts';
import { decodeResponse, invalidAnswer, rejected } from './errors.ts';
import type { TokenSource } from './token.ts';

export const userInfo = z.object({ loggedIn: fields.flag, username: fields.text });

/** Throws unless Argo CD takes the token. This question is answered with 200 even when it does not. */
export async function checkToken(
  api: ArgocdApi,
  tokens: TokenSource,
  patience: Partial<Patience>,
  secret: () => string | undefined = () => undefined,
): Promise<void> {
  const ask = async () => {
    const what = 'the session';
    const given = await api.read({ path: '/session/userinfo', what, patience });
    return decodeResponse(what, () => userInfo.parse(given)).loggedIn;
  };
  if (await ask()) return;
  await tokens.renew(await tokens.current());
  if (!(await ask())) throw rejected(secret());
}

export async function may(api: ArgocdApi, right: Right): Promise<boolean> {
  const what = `the right ${right.resource}, ${right.verb}, ${right.object}`;
  const answer = await api.read({ path: canIPath(right), what }, (given) =>
    canIAnswer.parse(given),
  );
  if (answer === undefined) throw invalidAnswer(what);
  return answer.value === 'yes';
}
