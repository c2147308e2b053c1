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

export interface OperationEnd {
  readonly application: string;
  readonly at: Date;
  /** Succeeded, Failed or Error. */
  readonly phase: string;
}

/** Every write by which Argo CD ended an operation, in order. */
export async function operationEndsSince(
  stack: Stack,
  mark: Mark,
  name: string | RegExp,
): Promise<OperationEnd[]> {
  const writes = await stack.audit.since(mark, { resource: 'applications.argoproj.io', name });
  return writes.flatMap(({ name: application, at, status, request }) => {
    const { phase, finishedAt } = (request as Ended | undefined)?.status?.operationState ?? {};
    return phase && finishedAt && status < 300 ? [{ application, at, phase }] : [];
  });
}

/** Application -> how many. */
export function countByApplication(operations: readonly Operation[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { application } of operations) counts[application] = (counts[application] ?? 0) + 1;
  return counts;
}
