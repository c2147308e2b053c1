// Whether the token may do something, as Argo CD itself says, from what it holds in memory.
import { z } from 'zod';
import { parseJson } from '../../model/parse-json.ts';
import { escaped } from '../kubernetes/paths.ts';
import type { TransportAnswer, TransportRequest } from '../transport.ts';

/** A right in Argo CD, as its policies write it. */
export interface Right {
  readonly resource: string;
  readonly verb: string;
  readonly object: string;
}

export type Send = (request: TransportRequest) => Promise<TransportAnswer>;

export const canIAnswer = z.object({ value: z.string() });

/** RESOURCE/VERB/OBJECT, where the object itself has slashes. */
export function canIPath({ resource, verb, object }: Right): string {
  const parts = [resource, verb, ...object.split('/')];
  return `/account/can-i/${parts.map(escaped).join('/')}`;
}

/** Asked once; without an answer: no. */
export async function canI(send: Send, right: Right, deadline: number): Promise<boolean> {
  const path = `/api/v1${canIPath(right)}`;
  const { status, text } = await send({ method: 'GET', path, deadline });
  return status === 200 && saysYes(text);
}

function saysYes(text: string): boolean {
  try {
    return canIAnswer.parse(parseJson(text)).value === 'yes';
  } catch {
    return false;
  }
}
