// Begin, nodes and end as tasks of the Workflow's agent: one pod for all of them. Argo Workflows creates that pod for
// tasks of the type `plugin`, and the Workflow's own patch replaces its `main` container with our program.
import {
  BEGIN,
  beginArguments,
  commonArguments,
  END,
  END_BY_POD,
  endArguments,
  endByPod,
  endSeconds,
  type LeafOptions,
  MOUNTS,
  NODE,
  PROGRAM,
  volumes,
} from './leaf.ts';
import type { Template } from './workflow.ts';

/** Of a node. */
const INPUTS = ['node', 'run', 'started'];
/** The run has not started, or can no longer be asked. */
const CREATED = { started: '{{workflow.creationTimestamp.RFC3339}}' };
const END_BY_AGENT = 'end-by-agent';

export function agentTemplates(options: LeafOptions): Template[] {
  return [
    { ...served(BEGIN, CREATED), outputs: { parameters: [output('run'), output('started')] } },
    {
      ...served(
        NODE,
        Object.fromEntries(INPUTS.map((name) => [name, `{{inputs.parameters.${name}}}`])),
      ),
      inputs: { parameters: INPUTS.map((name) => ({ name })) },
      outputs: { parameters: [output('outcome')] },
    },
    {
      name: END,
      // Not a DAG: when a Workflow is stopped, Argo Workflows ends each DAG immediately.
      steps: [
        [
          {
            name: END_BY_AGENT,
            template: END_BY_AGENT,
            continueOn: { failed: true, error: true },
          },
        ],
        // For an agent pod that cannot be created or was evicted: it remains as failed, and blocks another one.
        [
          {
            name: END_BY_POD,
            template: END_BY_POD,
            when: `'{{steps.${END_BY_AGENT}.status}}' != 'Succeeded'`,
          },
        ],
      ],
    },
    { name: END_BY_AGENT, plugin: plugin(END, CREATED), timeout: `${endSeconds(options)}s` },
    patchedEnd(options),
  ];
}

function served(name: string, values: Readonly<Record<string, string>>): Template {
  return { name, plugin: plugin(name, values), retryStrategy: LOST_AGENT };
}

const plugin = (action: string, values: Readonly<Record<string, string>>) => ({
  tiphys: { action, ...values },
});

/** The agent itself reports `Failed`, which is final; `Error` refers to its pod. */
const LOST_AGENT = {
  limit: 5,
  retryPolicy: 'OnError',
  backoff: { duration: '5s', factor: 2, cap: '1m' },
};

/** Set by the agent. */
const output = (name: string) => ({ name, valueFrom: { supplied: {}, default: '' } });

/** The Workflow's patch applies to all its pods: this one reverts what is meant for the agent. */
function patchedEnd(options: LeafOptions): Template {
  const template = endByPod(options);
  const { command, args } = template.container as { command: string[]; args: string[] };
  return {
    ...template,
    podSpecPatch: JSON.stringify({ containers: [{ name: 'main', command, args }] }),
  };
}

const TOKEN_VOLUME = 'token';

/** As JSON, which is valid YAML. Shorter-lived than the token that Argo Workflows would mount. */
export function agentPatch(options: LeafOptions, files: string): string {
  const args = [
    ...['--concurrency', String(options.concurrency)],
    ...(options.layered ? ['--layered'] : []),
    ...beginArguments(options),
    ...endArguments(options),
    ...commonArguments(options),
  ];
  const token = {
    name: TOKEN_VOLUME,
    projected: {
      sources: [
        { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
    },
  };
  const main = {
    name: 'main',
    image: options.image,
    // The same as for every other pod, not as for Argo Workflows' own image.
    imagePullPolicy: null,
    command: [...PROGRAM, 'agent'],
    args,
    env: [
      { name: 'WORKFLOW_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
    ],
    resources: {
      requests: { cpu: '100m', memory: '256Mi' },
      limits: { cpu: null, memory: '512Mi' },
    },
    volumeMounts: [
      ...MOUNTS,
      {
        name: TOKEN_VOLUME,
        readOnly: true,
        mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
      },
    ],
  };
  return JSON.stringify({ containers: [main], volumes: [...volumes(files), token] });
}
