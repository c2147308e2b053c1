// How a run recognizes its own operations, also after it was killed: every sync request names its run.
import type { ApplicationView, OperationRequest } from '../ports/application-view.ts';
import { PLATFORM_INFO } from '../run/foreign-sync.ts';

export interface RunIdentity {
  /** Random; stored in the Lease, so that a run that resumes another one finds its operations. */
  readonly id: string;
  readonly platform: string;
  /** The plan's hash. */
  readonly plan: string;
}

const OPERATION = 'tiphys/op';

/**
 * Which attempt of a node an operation belongs to. If Git gets a newer commit in the meantime, the attempt is repeated,
 * not counted.
 */
export interface Attempt {
  readonly number: number;
  readonly superseded: number;
}

export function operationId(run: RunIdentity, node: string, attempt: Attempt): string {
  const again = attempt.superseded > 0 ? `+${attempt.superseded}` : '';
  return `${run.id}/${node}/${attempt.number}${again}`;
}

export function infosOf(run: RunIdentity, operation: string): Map<string, string> {
  return new Map([
    [OPERATION, operation],
    [PLATFORM_INFO, run.platform],
    ['tiphys/plan', run.plan],
  ]);
}

export function operationIdOf(operation: OperationRequest | undefined): string | undefined {
  return operation?.infos.get(OPERATION);
}

/** The run that requested it, if it was a run of Tiphys. */
export function runIdOf(operation: OperationRequest): string | undefined {
  return operationIdOf(operation)?.split('/')[0];
}

/** The attempt whose operation the Application shows, if it belongs to this run and node. */
export function ownAttempt(
  run: RunIdentity,
  node: string,
  application: ApplicationView,
): Attempt | undefined {
  // A request that has not started has no state yet, or the state of the previous operation.
  const id = operationIdOf(application.operation ?? application.operationState);
  const prefix = `${run.id}/${node}/`;
  if (!id?.startsWith(prefix)) return undefined;
  const [number = '', superseded = '0'] = id.slice(prefix.length).split('+');
  return { number: Number(number), superseded: Number(superseded) };
}
