// What a Workflow waits for while none of its pods reports anything, with what to do. Pods that cannot start write no
// record, and Argo Workflows does not report on its agent's pod.

import type { Unmet } from '../../gate/verdict.ts';
import { quote } from '../../model/names.ts';
import type { WorkflowView } from '../../ports/argo-workflows.ts';
import { BEGIN } from './leaf.ts';
import { nodeOfTask } from './template-names.ts';

export interface Sight {
  readonly workflow: WorkflowView;
  /** Ids of the plan's nodes. */
  readonly ids: readonly string[];
  /** Its begin has named the run. */
  readonly hasBegun: boolean;
  /** What keeps the agent's pod from starting; undefined if that cannot be read. */
  readonly agent: string | undefined;
  /** Another unfinished Workflow of the platform. */
  readonly other: WorkflowView | undefined;
  /** Another holder of the platform's Lease. */
  readonly holder: string | undefined;
}

export interface Wait {
  /** Undefined: the whole Workflow waits. */
  readonly node: string | undefined;
  readonly unmet: Unmet;
  /** It is reported after it has lasted this long. */
  readonly afterMs: number;
}

/** The controller starts on a Workflow within seconds. */
const TAKEN_UP_MS = 15_000;
/** A pod is created within this time, if everything works. */
const START_MS = 30_000;
/** A Lease that was given back is taken immediately. */
const LEASE_MS = 10_000;

export function waitsOf(sight: Sight): readonly Wait[] {
  const { workflow, ids, agent } = sight;
  const { phase, nodes, namespace } = workflow;
  if (phase === '') {
    const message = `Argo Workflows has not started it; check that its controller runs and serves namespace ${quote(namespace)}`;
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
    return [all('workflow', `Workflow ${name} of this platform has not finished`, 0)];
  }
  return workflow.message ? [all('workflow', workflow.message, LEASE_MS)] : [];
}

/** If nothing was reported yet. */
function beginning({ workflow, hasBegun, agent, holder }: Sight): readonly Wait[] {
  if (hasBegun) return [];
  if (holder !== undefined) {
    const message = `${quote(holder)} owns the platform until its Lease expires`;
    return [all('lease', message, LEASE_MS)];
  }
  const isSilent = workflow.nodes.some(
    ({ name, phase, message }) => name.startsWith(BEGIN) && phase === 'Pending' && !message,
  );
  if (agent !== undefined || !isSilent) return [];
  const message = `it has not started, and there is no permission to read the pod of its agent; ${kubectl('get', workflow)} shows it`;
  return [all('pod', message, START_MS)];
}

function podWait(whose: string, why: string, { workflow }: Sight, node?: string): Wait {
  const message = `${whose} cannot start: ${why.slice(0, LONGEST)}; ${remedy(why, workflow)}`;
  const isStart = /^(ContainerCreating|PodInitializing)\b/.test(why);
  return { node, unmet: { condition: 'pod', message }, afterMs: isStart ? START_MS : 0 };
}

const LONGEST = 300;

function remedy(why: string, workflow: WorkflowView): string {
  // Stopping it would not help: its end uses the same image.
  if (/^(ErrImage|ImagePull|InvalidImageName)/.test(why))
    return `check that the cluster can pull this image, or use another --image after \`kubectl -n ${workflow.namespace} delete workflow ${workflow.name}\``;
  if (why.startsWith('Unschedulable'))
    return 'it starts when a node of the cluster has room for it';
  return `${kubectl('describe', workflow)} shows more`;
}

const kubectl = (verb: string, { namespace, name }: WorkflowView): string =>
  `\`kubectl -n ${namespace} ${verb} pods -l workflows.argoproj.io/workflow=${name}\``;

const all = (condition: Unmet['condition'], message: string, afterMs: number): Wait => ({
  node: undefined,
  unmet: { condition, message },
  afterMs,
});
