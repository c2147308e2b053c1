// How a run knows its own operations again, also after it was killed: every sync request says who made it.
import type { ApplicationView, OperationRequest } from '../ports/application-view.ts';
import { PLATFORM_INFO } from '../run/foreign-sync.ts';

export interface RunIdentity {
  /** Random; kept in the Lease, so that a run that continues another one finds its operations. */
  readonly id: string;
  readonly platform: string;
  /** The plan's hash. */
  readonly plan: string;
}

const OPERATION = 'tiphys/op';

/** Which try of a node an operation belongs to. A try is made again, not counted, when Git moved on meanwhile. */
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

/** The run that asked for it, if it was one of Tiphys. */
export function runIdOf(operation: OperationRequest): string | undefined {
  return operationIdOf(operation)?.split('/')[0];
}

/** The try whose operation the Application shows, if it is one of this run and node. */
export function ownAttempt(
  run: RunIdentity,
  node: string,
  application: ApplicationView,
): Attempt | undefined {
  // A request that waits to be taken up has no state yet, or that of the operation before it.
  const id = operationIdOf(application.operation ?? application.operationState);
  const prefix = `${run.id}/${node}/`;
  if (!id?.startsWith(prefix)) return undefined;
  const [number = '', superseded = '0'] = id.slice(prefix.length).split('+');
  return { number: Number(number), superseded: Number(superseded) };
}
