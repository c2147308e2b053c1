// What the pods of a Workflow have in common. Each is a process of one run: the Lease is held in the Workflow's name, and
// any of its pods renews it; each writes a part of the record.
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

/** `basis`: the hash of the plan, or of the approved inventory. */
export interface PodRequest extends Omit<SessionRequest, 'holder'> {
  /** The plan of the whole platform, for any scope. */
  readonly whole: Plan;
  /** For a teardown. */
  readonly teardown?: PodTeardown | undefined;
  /** NAMESPACE/NAME/UID: the Lease's holder. */
  readonly workflow: string;
  /** What the environment file calls the cluster; undefined: nothing. */
  readonly clusterName?: string | undefined;
  /** Fires when the pod is asked to terminate. */
  readonly signal: AbortSignal;
}

export interface NodeRequest extends PodRequest {
  readonly id: string;
  /** The run id from `begin`. */
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly runStartedAt: number;
  /** The previous layers have ended, with any result. */
  readonly layered: boolean;
}

export interface PodTeardown extends TeardownSpec {
  /** Without unexpected Applications, as its inventory is taken. */
  readonly planned: { readonly plan: Plan; readonly whole: Plan };
  readonly policy: Policy;
}

/** The namespaces of the Applications that its nodes look at: for a teardown also the parents outside its scope. */
export function podNamespaces({ plan, teardown }: PodRequest): readonly string[] {
  const held = teardown ? namespacesOf(heldPlan(plan, teardown)) : [];
  return [...new Set([...namespacesOf(plan), ...held])];
}

export const holderOf = (workflow: string): string => `workflow ${workflow}`;

/** The parameters of a session of the Workflow's run. */
export const sessionRequest = (request: PodRequest): SessionRequest => ({
  ...request,
  holder: holderOf(request.workflow),
});

/** A session of the Workflow's run for nodes. Throws if another run has taken over. */
export async function joinForNodes(request: PodRequest, part: string): Promise<Session> {
  const session = await joinSession({ ...sessionRequest(request), part });
  if (!session) throw notOwned(request);
  return session;
}

/** No more writes here; another process of the run continues with its Lease. */
export async function leaveToOthers(session: Session): Promise<void> {
  await session.close();
  await session.detach();
}

/** What a process has for the nodes that run in it. */
export interface NodeHost {
  readonly session: Session;
  readonly watch: Watch;
  /** The slots of the nodes in progress, if it runs several. */
  readonly slot?: Slot | undefined;
}

export function notOwned({ plan, workflow }: PodRequest): TiphysError {
  return new TiphysError([
    {
      code: 'lease-lost',
      message: `Workflow ${quote(workflow)} no longer owns platform ${quote(plan.platform)}.`,
      hint: 'Another run took over. Submit the same plan again when it has ended.',
    },
  ]);
}
