// The Jobs of probes. They have no rights: no token, no volumes, no root, nothing of the run but the question.
import { z } from 'zod';
import { withoutPasswords } from '../../errors.ts';
import { type Probe, secondsOf } from '../../model/probe.ts';
import type { ProbeJob, ProbeJobs, ProbeRequest } from '../../ports/probe-jobs.ts';
import { fields, list, optional } from '../application/schema.ts';
import type { KubernetesApi } from './api.ts';
import { parsed } from './errors.ts';
import { paths, withQuery } from './paths.ts';
import { pod, podTrouble } from './pod-trouble.ts';

export interface ProbePlace {
  readonly namespace: string;
  /** The executor's. */
  readonly image: string;
}

const job = z.object({
  status: optional(
    z.object({
      completionTime: optional(z.iso.datetime()),
      conditions: list(
        z.object({
          ...{ type: z.string(), status: z.string(), reason: fields.text, message: fields.message },
          lastTransitionTime: optional(z.iso.datetime()),
        }),
      ),
    }),
  ),
});

const ended = z.object({
  status: optional(
    z.object({
      containerStatuses: list(
        z.object({
          state: optional(
            z.object({
              terminated: optional(z.object({ exitCode: z.number(), message: fields.text })),
            }),
          ),
        }),
      ),
    }),
  ),
});

export function kubernetesProbeJobs(
  api: KubernetesApi,
  { namespace, image }: ProbePlace,
): ProbeJobs {
  return {
    namespace,
    isNamespaceThere: async () => {
      const { status } = await api.ask(paths.namespace(namespace), [403, 404]);
      return status === 403 ? undefined : status !== 404;
    },
    get: async (name) => {
      const found = await api.get(paths.jobs(namespace, name));
      if (found === undefined) return undefined;
      const state = stateOf(found);
      // It is looked at each second: its pod only at its end.
      if (state.state === 'running') return state;
      return { ...state, message: (await saidIn(api, namespace, name)) || firstOf(state.message) };
    },
    trouble: (name) => saidIn(api, namespace, name),
    create: (request) =>
      api.write('POST', paths.jobs(namespace), manifest(request, namespace, image)),
  };
}

/** Good is only what says that it is. */
function stateOf(given: unknown): ProbeJob {
  const { status } = parsed(job, given, 'not a Job');
  const holds = (type: string) =>
    status?.conditions.find((one) => one.type === type && one.status === 'True');
  const failed = holds('Failed') ?? holds('FailureTarget');
  const end = failed ?? holds('Complete');
  if (!end) return { state: 'running', message: '', endedAt: undefined };
  const endedAt = Date.parse(status?.completionTime ?? end.lastTransitionTime ?? '') || 0;
  const message = [end.reason, end.message].filter(Boolean).join(': ');
  return { state: failed ? 'failed' : 'succeeded', message, endedAt };
}

/** By the pod: the Job itself knows only that it ended. Who may not list pods does without it. */
async function saidIn(api: KubernetesApi, namespace: string, name: string): Promise<string> {
  const labelSelector = `batch.kubernetes.io/job-name=${name}`;
  try {
    const found = await api.get(withQuery(paths.pods(namespace), { labelSelector }), QUICK);
    const [first] = parsed(z.object({ items: list(z.unknown()) }), found ?? {}).items;
    if (first === undefined) return '';
    const { status } = parsed(ended, first);
    const said = status?.containerStatuses.flatMap(({ state }) => state?.terminated ?? []) ?? [];
    const [end] = said;
    if (end) return lastOf(end.message) || `it ended with exit status ${end.exitCode}`;
    return firstOf(podTrouble(parsed(pod, first)));
  } catch {
    return '';
  }
}

const QUICK = { budget: 5_000, deadline: 5_000 };
const MESSAGE_MAX = 200;

const oneLine = (text: string): string => withoutPasswords(text.replace(/\s+/g, ' ').trim());

function firstOf(text: string): string {
  const line = oneLine(text);
  return line.length > MESSAGE_MAX ? `${line.slice(0, MESSAGE_MAX)}...` : line;
}

/** A program says at the end of its log why it ended. */
function lastOf(text: string): string {
  const line = oneLine(text);
  return line.length > MESSAGE_MAX ? `...${line.slice(-MESSAGE_MAX)}` : line;
}

/** Longer than a process that continues may count it. There is a quota, and each try is one. */
const KEPT_SECONDS = 180;
const PROGRAM = ['/usr/bin/node', '/app/bin/executor', 'probe'];
const NOBODY = 65_532;

function manifest(
  { name, labels, annotations, probe }: ProbeRequest,
  namespace: string,
  image: string,
): object {
  const all = { ...Object.fromEntries(labels), 'app.kubernetes.io/managed-by': 'tiphys' };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace, labels: all, annotations: Object.fromEntries(annotations) },
    spec: {
      // A new try is a new Job, with its own result.
      backoffLimit: 0,
      activeDeadlineSeconds: secondsOf(probe),
      ttlSecondsAfterFinished: KEPT_SECONDS,
      template: {
        metadata: { labels: all },
        spec: {
          restartPolicy: 'Never',
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          terminationGracePeriodSeconds: 1,
          securityContext: {
            ...{ runAsNonRoot: true, runAsUser: NOBODY, runAsGroup: NOBODY },
            seccompProfile: { type: 'RuntimeDefault' },
          },
          containers: [container(probe, image)],
        },
      },
    },
  };
}

function container({ job: program, ...question }: Probe, image: string): object {
  return {
    name: 'probe',
    ...(program
      ? { image: program.image, command: program.command }
      : {
          ...{ image, command: PROGRAM },
          env: [{ name: 'PROBE', value: JSON.stringify(question) }],
        }),
    terminationMessagePolicy: 'FallbackToLogsOnError',
    resources: {
      requests: { cpu: '50m', memory: '64Mi' },
      limits: { cpu: '500m', memory: '256Mi' },
    },
    securityContext: {
      ...{ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
      capabilities: { drop: ['ALL'] },
    },
  };
}
