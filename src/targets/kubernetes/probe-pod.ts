// A pod that asks whether places outside answer the cluster. It runs once, and is always deleted.
import { z } from 'zod';
import type { Answer, PodQuestion, PodRun } from '../../preflight/preflight-context.ts';
import type { KubernetesApi } from './api.ts';
import { parsed } from './errors.ts';
import { paths } from './paths.ts';
import { pod, podTrouble } from './pod-trouble.ts';
import { watchOne } from './watch.ts';

export interface ProbeRequest {
  /** With Node.js in it: the executor's has it. */
  readonly image: string;
  readonly name: string;
  readonly questions: readonly PodQuestion[];
}

const NAMESPACE = 'default';
/** An image that is not there by then is not there. */
const PATIENCE_MS = 18_000;

export async function askFromPod(
  api: KubernetesApi,
  request: ProbeRequest,
  signal: AbortSignal,
): Promise<PodRun> {
  const made = await api.write('POST', paths.pods(NAMESPACE), manifest(request));
  if (made.kind === 'refused') return { kind: 'not-run', reason: made.message };
  // Where the answer was lost, looking tells.
  const run = await outcome(api, request.name, signal).catch((error: unknown) => ({ error }));
  const isGone = await remove(api, request.name);
  if ('error' in run) throw run.error;
  return isGone ? run : { ...run, left: request.name };
}

async function outcome(api: KubernetesApi, name: string, outer: AbortSignal): Promise<PodRun> {
  const over = new AbortController();
  try {
    const end = await endOf(api, name, AbortSignal.any([outer, over.signal]));
    if (end.kind === 'not-run') return end;
    const { text } = await api.ask(`${paths.pods(NAMESPACE, name)}/log`, [], QUICK);
    return { kind: 'ran', answers: answersIn(text) };
  } finally {
    over.abort();
  }
}

const QUICK = { budget: 5_000, deadline: 5_000 };
const REMOVALS = 3;
const BETWEEN_MS = 500;

/** A deletion can be sent again. */
async function remove(api: KubernetesApi, name: string): Promise<boolean> {
  for (let left = REMOVALS; left > 0; left--) {
    const result = await api.write('DELETE', paths.pods(NAMESPACE, name), {
      gracePeriodSeconds: 0,
    });
    if (result.kind === 'done') return true;
    if (result.kind === 'refused') return result.reason === 'not-found';
    await api.world.clock.sleep(BETWEEN_MS);
  }
  return false;
}

type Ended = { readonly kind: 'over' } | { readonly kind: 'not-run'; readonly reason: string };

async function endOf(api: KubernetesApi, name: string, signal: AbortSignal): Promise<Ended> {
  const { clock } = api.world;
  const end = clock.monotonic() + PATIENCE_MS;
  let woken = new AbortController();
  await watchOne(api, paths.pods(NAMESPACE), name, () => woken.abort(), signal);
  for (;;) {
    woken = new AbortController();
    const now = await api.get(paths.pods(NAMESPACE, name), QUICK);
    if (now === undefined) return { kind: 'not-run', reason: 'the pod was deleted' };
    const seen = parsed(pod, now);
    const { status } = seen;
    if (status?.phase === 'Succeeded') return { kind: 'over' };
    if (status?.phase === 'Failed') return { kind: 'not-run', reason: 'the pod failed' };
    const left = end - clock.monotonic();
    if (left <= 0 || signal.aborted)
      return { kind: 'not-run', reason: lateBecause(podTrouble(seen)) };
    await clock.sleep(left, AbortSignal.any([signal, woken.signal]));
  }
}

function lateBecause(why: string): string {
  return `it did not finish within ${PATIENCE_MS / 1000} s${why ? `: ${why}` : ''}`;
}

/** Each question is answered within eight seconds, all at once. */
const SCRIPT = [
  'const ask = async ({ kind, url, host, port }) => {',
  '  if (kind === "http") {',
  '    const answer = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(8000) });',
  '    return { kind: "answered", status: answer.status };',
  '  }',
  '  await new Promise((resolve, reject) => {',
  '    const socket = require("node:net").connect({ host, port, timeout: 8000 });',
  '    socket.on("connect", resolve).on("error", reject);',
  '    socket.on("timeout", () => reject(new Error("none within 8 s")));',
  '  });',
  '  return { kind: "answered", status: 0 };',
  '};',
  'const why = (error) => ({ kind: "silent", reason: error.cause?.message || error.message });',
  'const answer = (one) => ask(one).catch(why).then((found) => [one.id, found]);',
  'Promise.all(JSON.parse(process.env.QUESTIONS).map(answer)).then((all) => {',
  '  console.log(JSON.stringify(all));',
  '  process.exit(0);',
  '});',
].join('\n');

const answers = z.array(
  z.tuple([
    z.string(),
    z.union([
      z.object({ kind: z.literal('answered'), status: z.number() }),
      z.object({ kind: z.literal('silent'), reason: z.string() }),
    ]),
  ]),
);

function answersIn(log: string): ReadonlyMap<string, Answer> {
  const line = log.split('\n').find((one) => one.startsWith('[')) ?? '[]';
  return new Map(parsed(answers, JSON.parse(line)));
}

function manifest({ image, name, questions }: ProbeRequest): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...{ name, namespace: NAMESPACE },
      labels: { 'app.kubernetes.io/managed-by': 'tiphys' },
    },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      // If it is not deleted, it ends after a time limit.
      activeDeadlineSeconds: 60,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          ...{ name: 'ask', image, command: ['node', '-e', SCRIPT] },
          env: [{ name: 'QUESTIONS', value: JSON.stringify(questions) }],
          resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '256Mi' } },
          securityContext: {
            ...{ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
            capabilities: { drop: ['ALL'] },
          },
        },
      ],
    },
  };
}
