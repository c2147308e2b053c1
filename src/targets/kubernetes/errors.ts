// What goes wrong with the Kubernetes API, in words.
import { z } from 'zod';
import { type ErrorCode, TiphysError } from '../../errors.ts';
import { parseJson } from '../../model/parse-json.ts';
import { foreignText } from '../foreign-text.ts';
import { isTrouble } from '../retry.ts';
import { type TransportAnswer, TransportFailure } from '../transport.ts';

const error = (code: ErrorCode, message: string, hint: string, options?: ErrorOptions) =>
  new TiphysError([{ code, message, hint }], options);

const status = z.object({ message: z.string() });

/** What Kubernetes says, or the beginning of what came instead. */
export function messageOf({ status: code, text }: TransportAnswer): string {
  try {
    return foreignText(status.parse(parseJson(text)).message);
  } catch {
    return `status ${code}${text ? `: ${foreignText(text, 200)}` : ''}`;
  }
}

export function clusterFailure(failure: TransportFailure): TiphysError {
  if (failure.kind === 'oversized') return invalidAnswer(failure.message, { cause: failure });
  if (failure.kind === 'tls') {
    const hint = 'Check certificate-authority and the client certificate in the kubeconfig.';
    const message = `The certificate of the Kubernetes API is not accepted: ${failure.message}.`;
    return error('cluster-tls', message, hint, { cause: failure });
  }
  const hint = 'Check the address in the kubeconfig and the network.';
  const message = `The Kubernetes API does not answer: ${failure.message}.`;
  return error('cluster-unreachable', message, hint, { cause: failure });
}

export function clusterProblem(answer: TransportAnswer): TiphysError {
  const said = messageOf(answer);
  if (answer.status === 401) {
    const message = 'The Kubernetes API does not accept the credentials of the kubeconfig.';
    return error('cluster-unauthorized', message, 'Log in again, or renew them.');
  }
  if (answer.status === 403) {
    const hint = 'Grant it to the user of the kubeconfig with a Role and a RoleBinding.';
    return error('cluster-forbidden', `A permission in Kubernetes is missing: ${said}.`, hint);
  }
  if (!isTrouble(answer)) return invalidAnswer(said);
  const hint = 'Check the API server, and try again.';
  return error('cluster-unreachable', `The Kubernetes API failed: ${said}.`, hint);
}

export function invalidAnswer(said: string, options?: ErrorOptions): TiphysError {
  const hint = 'Check that the address in the kubeconfig belongs to a Kubernetes API.';
  const message = `The Kubernetes API gave an unexpected answer: ${said}.`;
  return error('cluster-answer-invalid', message, hint, options);
}

/** A failure on the way becomes an error for people; anything else stays as it is. */
export function orClusterError(cause: unknown): unknown {
  return cause instanceof TransportFailure ? clusterFailure(cause) : cause;
}

/** What goes wrong is told with the path that was asked for. */
export async function atPath<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (!(cause instanceof TiphysError)) throw cause;
    const told = cause.diagnostics.map((one) => ({ ...one, message: `${path}: ${one.message}` }));
    throw new TiphysError(told, { cause });
  }
}

/** What Kubernetes answered, in the form that it must have. `otherwise`: what it is where it does not. */
export function parsed<S extends z.ZodType>(
  schema: S,
  given: unknown,
  otherwise = 'no Kubernetes object',
): z.output<S> {
  const result = schema.safeParse(given);
  if (!result.success) throw invalidAnswer(otherwise, { cause: result.error });
  return result.data;
}

/** The same where it may be that there is none. */
export function parsedIfAny<S extends z.ZodType>(schema: S, given: unknown, otherwise?: string) {
  return given === undefined ? undefined : parsed(schema, given, otherwise);
}
