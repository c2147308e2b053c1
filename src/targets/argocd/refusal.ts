// What Argo CD's refusals mean. Its body is {error, code, message} with a gRPC code; code and text decide, because one
// status stands for many things: 400 for an operation in progress as for a wrong request, 403 for a window as for a right.

import { z } from 'zod';
import { parseJson } from '../../model/parse-json.ts';
import type { RefusalReason, WriteResult } from '../../ports/write-result.ts';
import { foreignText } from '../foreign-text.ts';
import { isTrouble } from '../retry.ts';
import type { TransportAnswer } from '../transport.ts';

const CODE = {
  invalidArgument: 3,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  failedPrecondition: 9,
  aborted: 10,
  unauthenticated: 16,
} as const;

type Row = readonly [code: number, text: RegExp, reason: RefusalReason | 'unknown'];

/** The first row that fits. */
const TABLE: readonly Row[] = [
  // Its own repo server or the API server failed it: nothing that the request could help.
  [CODE.failedPrecondition, /code = (?:Unavailable|DeadlineExceeded)/, 'unknown'],
  [CODE.failedPrecondition, /another operation is already in progress/, 'operation-in-progress'],
  [CODE.failedPrecondition, /application is deleting/, 'deleting'],
  [CODE.failedPrecondition, /./s, 'invalid'],
  [CODE.invalidArgument, /No operation is in progress/, 'nothing-in-progress'],
  [CODE.invalidArgument, /./s, 'invalid'],
  [CODE.permissionDenied, /blocked by sync window/, 'blocked-by-window'],
  [CODE.permissionDenied, /invalid sync window/, 'invalid'],
  [CODE.permissionDenied, /./s, 'forbidden'],
  [CODE.unauthenticated, /.?/s, 'unauthenticated'],
  [CODE.notFound, /.?/s, 'not-found'],
  [CODE.aborted, /.?/s, 'conflict'],
  [CODE.alreadyExists, /.?/s, 'conflict'],
];

const body = z.object({
  code: z.number(),
  message: z.string().optional(),
  error: z.string().optional(),
});

export interface Refusal {
  /** The gRPC code; undefined where the answer is not Argo CD's. */
  readonly code: number | undefined;
  readonly message: string;
}

export function refusalOf({ status, text }: TransportAnswer): Refusal {
  try {
    const { code, message, error } = body.parse(parseJson(text));
    return { code, message: foreignText(message || error || `HTTP ${status}`) };
  } catch {
    const said = foreignText(text, 200);
    return { code: undefined, message: `HTTP ${status}${said ? `: ${said}` : ''}` };
  }
}

export const isNotFound = (answer: TransportAnswer): boolean =>
  answer.status === 404 && refusalOf(answer).code === CODE.notFound;

/** Denied, and nothing said about which right: so it answers for a missing right, and when Kubernetes failed it. */
export function isBareDenial(answer: TransportAnswer): boolean {
  if (answer.status !== 403) return false;
  const { code, message } = refusalOf(answer);
  return code === CODE.permissionDenied && message === 'permission denied';
}

const withStatus = ({ status }: TransportAnswer, message: string): string =>
  message.startsWith('HTTP ') ? message : `HTTP ${status}: ${message}`;

export function writeResult(answer: TransportAnswer): WriteResult {
  if (answer.status < 300) return { kind: 'done' };
  const { code, message } = refusalOf(answer);
  const row = TABLE.find(([known, text]) => known === code && text.test(message));
  if (row && row[2] !== 'unknown') return { kind: 'refused', reason: row[2], message };
  if (row || isTrouble(answer)) return { kind: 'unknown', message: withStatus(answer, message) };
  const reason = answer.status === 401 ? 'unauthenticated' : 'invalid';
  return { kind: 'refused', reason, message };
}
