// A person's decision at a gate that asks for approval.

export interface Decision {
  readonly approved: boolean;
  /** The user name in Kubernetes. */
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
  readonly reason?: string | undefined;
}

const NEEDED = 'approval is needed: ';
const UNANSWERED = 'not approved: ';

export const approvalNeeded = (question: string): string => `${NEEDED}${question}`;

/** The message of a run that ended while a gate waited for approval. `needed`: the message of the gate. */
export const unanswered = (needed: string, why: string): string =>
  `${needed.replace(NEEDED, UNANSWERED)}; ${why}`;

export const isUnanswered = (message: string): boolean => message.startsWith(UNANSWERED);

const DENIED = 'denied by';

/** Whether a failure is a person's denial. */
export const isDenial = (message: string): boolean => message.startsWith(DENIED);

/** `denied by jane at 2026-01-02T03:04:05Z: no keys today`. */
export function renderDecision({ approved, by, at, reason }: Decision): string {
  const why = reason === undefined ? '' : `: ${reason}`;
  return `${approved ? 'approved by' : DENIED} ${by} at ${at}${why}`;
}
