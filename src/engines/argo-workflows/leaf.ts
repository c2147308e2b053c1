// The templates that run a container: begin, node, end. All of them run the executor, and are retried only if their pod
// was lost: the node program handles attempts, because it knows why one failed.
import type { Action, Plan, PlanNode } from '../../plan/plan.ts';
import type { Template } from './workflow.ts';

export const BEGIN = 'begin';
export const NODE = 'node';
export const END = 'end';
export const END_BY_POD = 'end-by-pod';

const CONFIG_VOLUME = 'config';
const SCRATCH_VOLUME = 'scratch';

export interface LeafOptions {
  readonly image: string;
  readonly planHash: string;
  /** The options of the plan, and of a teardown. */
  readonly arguments: readonly string[];
  readonly action: Action;
  /** The previous layers have ended, with any result: a shut gate is not waited for. */
  readonly layered: boolean;
  /** Seconds. */
  readonly runTimeout: number;
  /** The maximum number of nodes in progress. */
  readonly concurrency: number;
  readonly keepHold: boolean;
  readonly strict?: boolean;
  /** Empty: unknown. */
  readonly submittedBy?: string;
}

export const MOUNTS = [
  { name: CONFIG_VOLUME, mountPath: '/config', readOnly: true },
  { name: SCRATCH_VOLUME, mountPath: '/tmp' },
];

/** Nothing written there outlives the pod. */
export const volumes = (files: string): readonly object[] => [
  { name: CONFIG_VOLUME, configMap: { name: files } },
  { name: SCRATCH_VOLUME, emptyDir: { sizeLimit: '16Mi' } },
];

export function leafTemplates(options: LeafOptions): Template[] {
  const input = (name: string) => ({ name });
  return [
    {
      ...leaf(BEGIN, beginArguments(options), options),
      outputs: { parameters: [output('run')] },
      activeDeadlineSeconds: BEGIN_SECONDS,
    },
    {
      ...leaf(
        NODE,
        [
          ...['{{inputs.parameters.node}}', '--run', '{{inputs.parameters.run}}'],
          ...(options.layered ? ['--layered'] : []),
        ],
        options,
      ),
      inputs: { parameters: [input('node'), input('run'), input('deadline')] },
      outputs: { parameters: [output('outcome')] },
      activeDeadlineSeconds: '{{inputs.parameters.deadline}}',
    },
    // As a step: otherwise Argo Workflows does not treat a retried one as part of the exit handler, and fails it at the
    // deadline.
    { name: END, steps: [[{ name: END_BY_POD, template: END_BY_POD }]] },
    endByPod(options),
  ];
}

export function endByPod(options: LeafOptions): Template {
  const end = leaf(END, endArguments(options), options);
  return { ...end, name: END_BY_POD, activeDeadlineSeconds: endSeconds(options) };
}

export const endArguments = ({ runTimeout, keepHold, strict }: LeafOptions): string[] => [
  ...['--run-timeout', String(runTimeout)],
  ...(keepHold ? ['--keep-hold'] : []),
  ...(strict ? ['--strict'] : []),
];

/** Time for an operation in progress to end and its Application to be put on hold. */
export const BEGIN_SECONDS = 3600;
const END_SECONDS = 600;
/** Namespaces are deleted at its end, which may take time. */
export const endSeconds = ({ action }: Pick<LeafOptions, 'action'>): number =>
  action === 'teardown' ? BEGIN_SECONDS : END_SECONDS;

/** Its begin records it. One argument, so that nothing in it is an option. */
export const beginArguments = ({ submittedBy }: LeafOptions): string[] =>
  submittedBy ? [`--submitted-by=${submittedBy}`] : [];

/** How each process compiles the plan again. */
export const commonArguments = (options: LeafOptions): string[] => [
  ...['--plan', options.planHash, ...options.arguments],
];

/** A word or an id: far below the 512 bytes per node that a Workflow's status has at 1,000 nodes. */
const output = (name: string) => ({
  name,
  valueFrom: { path: `/tmp/${name}`, default: '' },
});

/**
 * The ServiceAccount of a process. A teardown needs more permissions than a deployment, and a node fewer than begin and
 * end.
 */
export function accountOf({ action }: Pick<LeafOptions, 'action'>, name: string): string {
  if (action === 'teardown') return 'tiphys-teardown';
  return name === NODE ? 'tiphys-node' : 'tiphys-run';
}

/** Explicit, because Argo Workflows would otherwise ask the registry for it. */
export const PROGRAM = ['/usr/bin/node', '/app/bin/executor'];

function leaf(name: string, args: readonly string[], options: LeafOptions): Template {
  return {
    name,
    serviceAccountName: accountOf(options, name),
    retryStrategy: LOST_PODS,
    container: {
      image: options.image,
      command: [...PROGRAM, name],
      args: [...args, ...commonArguments(options)],
      env: [
        { name: 'WORKFLOW', value: '{{workflow.namespace}}/{{workflow.name}}/{{workflow.uid}}' },
        { name: 'WORKFLOW_STARTED', value: '{{workflow.creationTimestamp.RFC3339}}' },
      ],
      resources: { requests: { cpu: '50m', memory: '96Mi' }, limits: { memory: '512Mi' } },
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      volumeMounts: MOUNTS,
    },
  };
}

/**
 * The pod was deleted or evicted, or its machine was lost: killed or terminated (137, 143), or no status at all (-1). A
 * status of the program itself is final.
 */
const LOST_PODS = {
  limit: 5,
  retryPolicy: 'Always',
  expression: "lastRetry.status == 'Error' || lastRetry.exitCode in ['-1', '137', '143']",
  backoff: { duration: '5s', factor: 2, cap: '1m' },
};

const POD_SECONDS = 300;

/**
 * The longest time that the node program can take by its own limits, plus a pod start; a backstop, not a timeout. A closed
 * sync window makes it wait for as long as the run has.
 */
export function deadlineOf({ timeouts, retries, gate }: PlanNode, plan: Plan): number {
  // A deletion may take any time, as long as there is progress.
  if (plan.action === 'teardown') return plan.runTimeout;
  const { maxAttempts, backoff } = retries;
  const waits = Array.from({ length: maxAttempts - 1 }, (_, at) =>
    Math.min(backoff * 2 ** at, 300),
  );
  const pauses = waits.reduce((sum, wait) => sum + wait, 0);
  // Its Application may have to appear first, and the gates of its dependencies to open again.
  const before = timeouts.sync + timeouts.health;
  const own = timeouts.sync * maxAttempts + pauses + timeouts.health + gate.dwell;
  return Math.max(before + own + POD_SECONDS, plan.runTimeout);
}
