// What the pods of a Workflow have in common. Each is a process of one run: the Lease is held in the Workflow's name, and
// whichever pod is there renews it; each writes a part of the record.
import { TiphysError } from '../../errors.ts';
import type { Policy } from '../../inventory/inventory.ts';
import { quote } from '../../model/names.ts';
import { namespacesOf } from '../../plan/node-address.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Watch } from '../../ports/application-watch.ts';
import { joinSession, type SessionRequest } from '../../session/open-session.ts';
import type { Session } from '../../session/session.ts';
import { heldPlan, type TeardownSpec } from '../teardown/teardown-spec.ts';
import type { Slot } from './agent.ts';

/** `basis`: of the plan, or of the approved inventory. */
export interface PodRequest extends Omit<SessionRequest, 'holder'> {
  /** The plan of the whole platform, whatever the scope. */
  readonly whole: Plan;
  /** Where it is one. */
  readonly teardown?: PodTeardown | undefined;
  /** NAMESPACE/NAME/UID: the Lease's holder. */
  readonly workflow: string;
  /** Given when the pod is asked to end. */
  readonly signal: AbortSignal;
}

export interface NodeRequest extends PodRequest {
  readonly id: string;
  /** The run that the beginning gave its pods. */
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly runStartedAt: number;
  /** The layers before have ended, whatever came of them. */
  readonly layered: boolean;
}

export interface PodTeardown extends TeardownSpec {
  /** Without what nobody expects, as its inventory is taken. */
  readonly planned: { readonly plan: Plan; readonly whole: Plan };
  readonly policy: Policy;
}

/** Where Applications are that its nodes look at: of a teardown also the parents outside of its scope. */
export function podNamespaces({ plan, teardown }: PodRequest): readonly string[] {
  const held = teardown ? namespacesOf(heldPlan(plan, teardown)) : [];
  return [...new Set([...namespacesOf(plan), ...held])];
}

export const holderOf = (workflow: string): string => `workflow ${workflow}`;

/** What a session of the Workflow's run is opened with. */
export const sessionRequest = (request: PodRequest): SessionRequest => ({
  ...request,
  holder: holderOf(request.workflow),
});

/** A session of the Workflow's run for nodes. Throws where another run has taken over. */
export async function joinForNodes(request: PodRequest, part: string): Promise<Session> {
  const session = await joinSession({ ...sessionRequest(request), part });
  if (!session) throw notOwned(request);
  return session;
}

/** Nothing more is written here, and another process of the run goes on with its Lease. */
export async function leaveToOthers(session: Session): Promise<void> {
  await session.close();
  await session.detach();
}

/** What a process has for the nodes that run in it. */
export interface NodeHost {
  readonly session: Session;
  readonly watch: Watch;
  /** Among the nodes that it has in work at once, where it has several. */
  readonly slot?: Slot | undefined;
}

export function notOwned({ plan, workflow }: PodRequest): TiphysError {
  return new TiphysError([
    {
      code: 'lease-lost',
      message: `Workflow ${quote(workflow)} does not own platform ${quote(plan.platform)} any more.`,
      hint: 'Another run took over. Submit the same plan again when that has ended.',
    },
  ]);
}
