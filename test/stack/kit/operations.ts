// Which operations Applications were given, from the audit log: asking the program that gave them proves nothing.

import type { Mark } from './audit.ts';
import type { Stack } from './stack.ts';

export interface Operation {
  readonly application: string;
  readonly at: Date;
  /** Argo CD gave it to itself. */
  readonly automated: boolean;
  /** What stands in `tiphys/op`. */
  readonly id: string | undefined;
}

interface Request {
  readonly operation?: {
    readonly sync?: object;
    readonly initiatedBy?: { readonly automated?: boolean };
    readonly info?: readonly { readonly name: string; readonly value: string }[];
  };
}

interface Ended {
  readonly status?: { readonly operationState?: { phase?: string; finishedAt?: string } };
}

/** Every write that set an operation, in order; refused ones are none. */
export async function operationsSince(
  stack: Stack,
  mark: Mark,
  name: string | RegExp,
): Promise<Operation[]> {
  const writes = await stack.audit.since(mark, { resource: 'applications.argoproj.io', name });
  return writes.flatMap(({ name: application, at, status, request }) => {
    const { operation } = (request ?? {}) as Request;
    if (!operation?.sync || status >= 300) return [];
    const automated = operation.initiatedBy?.automated === true;
    const id = operation.info?.find((info) => info.name === 'tiphys/op')?.value;
    return [{ application, at, automated, id }];
  });
}

/** The names of the Applications whose operations Argo CD ended without success, once for each. */
export async function failuresSince(
  stack: Stack,
  mark: Mark,
  name: string | RegExp,
): Promise<string[]> {
  const writes = await stack.audit.since(mark, { resource: 'applications.argoproj.io', name });
  return writes.flatMap(({ name: application, status, request }) => {
    const { phase, finishedAt } = (request as Ended | undefined)?.status?.operationState ?? {};
    const failed = (phase === 'Failed' || phase === 'Error') && finishedAt !== undefined;
    return failed && status < 300 ? [application] : [];
  });
}

/** Application -> how many. */
export function countByApplication(operations: readonly Operation[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { application } of operations) counts[application] = (counts[application] ?? 0) + 1;
  return counts;
}
