// What a Workflow waits for while nothing of it says anything, in words and with what to do. Pods that cannot start write no
// record, and Argo Workflows does not tell of its agent's.
import { quote } from '../../model/names.ts';
import type { WorkflowView } from '../../ports/argo-workflows.ts';
import type { Unmet } from '../../run/verdict.ts';
import { BEGIN } from './leaf.ts';
import { nodeOfTask } from './template-names.ts';

export interface Sight {
  readonly workflow: WorkflowView;
  /** Ids of the plan's nodes. */
  readonly ids: readonly string[];
  /** Its beginning has said which run it is. */
  readonly hasBegun: boolean;
  /** What keeps the agent's pod from starting; undefined where that may not be seen. */
  readonly agent: string | undefined;
  /** Another one of the platform, which is not over. */
  readonly other: WorkflowView | undefined;
  /** Whoever else has the platform's Lease. */
  readonly holder: string | undefined;
}

export interface Wait {
  /** Undefined: all of it waits. */
  readonly node: string | undefined;
  readonly unmet: Unmet;
  /** It is worth a word when it has lasted so long. */
  readonly afterMs: number;
}

/** The controller takes up a Workflow within seconds. */
const TAKEN_UP_MS = 15_000;
/** A pod is made within so long, where everything is well. */
const START_MS = 30_000;
/** Where the Lease was given up, it is taken at once. */
const LEASE_MS = 10_000;

export function waitsOf(sight: Sight): readonly Wait[] {
  const { workflow, ids, agent } = sight;
  const { phase, nodes, namespace } = workflow;
  if (phase === '') {
    const message = `Argo Workflows has not taken it up; see that its controller runs, and serves namespace ${quote(namespace)}`;
    return [all('controller', message, TAKEN_UP_MS)];
  }
  if (phase === 'Pending') return before(sight);
  const pods = nodes
    .filter((one) => one.phase === 'Pending' && one.message)
    .map(({ name, message }) => {
      const task = name.replace(/\(\d+\)$/, '');
      const node = nodeOfTask(task, ids);
      const other = task === BEGIN ? 'its first pod' : 'its last pod';
      return podWait(node === undefined ? other : 'its pod', message, sight, node);
    });
  return [
    ...pods,
    ...(agent ? [podWait("its agent's pod", agent, sight)] : []),
    ...beginning(sight),
  ];
}

function before({ workflow, other }: Sight): readonly Wait[] {
  if (other) {
    const name = quote(`${other.namespace}/${other.name}`);
    return [all('workflow', `Workflow ${name} of this platform is not over`, 0)];
  }
  return workflow.message ? [all('workflow', workflow.message, LEASE_MS)] : [];
}

/** Where nobody has said anything yet. */
function beginning({ workflow, hasBegun, agent, holder }: Sight): readonly Wait[] {
  if (hasBegun) return [];
  if (holder !== undefined) {
    const message = `${quote(holder)} has the platform, until its Lease has run out`;
    return [all('lease', message, LEASE_MS)];
  }
  const isSilent = workflow.nodes.some(
    ({ name, phase, message }) => name.startsWith(BEGIN) && phase === 'Pending' && !message,
  );
  if (agent !== undefined || !isSilent) return [];
  const message = `nothing of it has begun, and the pod of its agent may not be seen; ${kubectl('get', workflow)} shows it`;
  return [all('pod', message, START_MS)];
}

function podWait(whose: string, why: string, { workflow }: Sight, node?: string): Wait {
  const message = `${whose} cannot start: ${why.slice(0, LONGEST)}; ${remedy(why, workflow)}`;
  const isStart = /^(ContainerCreating|PodInitializing)\b/.test(why);
  return { node, unmet: { condition: 'pod', message }, afterMs: isStart ? START_MS : 0 };
}

const LONGEST = 300;

function remedy(why: string, workflow: WorkflowView): string {
  // Stopping it would not do: its end is done with the same image.
  if (/^(ErrImage|ImagePull|InvalidImageName)/.test(why))
    return `see that the cluster can pull this image, or take another --image after \`kubectl -n ${workflow.namespace} delete workflow ${workflow.name}\``;
  if (why.startsWith('Unschedulable')) return 'it starts once a machine of the cluster can take it';
  return `${kubectl('describe', workflow)} says more`;
}

const kubectl = (verb: string, { namespace, name }: WorkflowView): string =>
  `\`kubectl -n ${namespace} ${verb} pods -l workflows.argoproj.io/workflow=${name}\``;

const all = (condition: string, message: string, afterMs: number): Wait => ({
  ...{ node: undefined, unmet: { condition, message }, afterMs },
});
