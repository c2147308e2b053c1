// The hooks of Argo Events as those who call them know them, and what came of their calls.
import { createHmac } from 'node:crypto';
import type { KubernetesObject } from '@kubernetes/client-node';
import { waitFor } from '../run.ts';
import type { Stack } from './stack.ts';

const NAMESPACE = 'argo-events';
const HOOKS = 'tiphys-hooks';
const METRICS_PORT = 7777;

export interface EventWorkflow extends KubernetesObject {
  readonly spec: { readonly arguments: { readonly parameters: Parameter[] } };
  readonly status?: {
    readonly phase?: string;
    readonly startedAt?: string;
    readonly finishedAt?: string;
    readonly nodes?: Readonly<Record<string, StepNode>>;
  };
}

interface Parameter {
  readonly name: string;
  readonly value: string;
}

interface StepNode {
  readonly displayName: string;
  readonly type: string;
  readonly startedAt: string;
  readonly finishedAt: string;
}

const isOver = ({ status }: EventWorkflow): boolean =>
  ['Succeeded', 'Failed', 'Error'].includes(status?.phase ?? '');

export const causeOf = ({ metadata }: EventWorkflow): string =>
  metadata?.annotations?.['tiphys.dev/cause'] ?? '';

export const parametersOf = ({ spec }: EventWorkflow): Record<string, string> =>
  Object.fromEntries(spec.arguments.parameters.map(({ name, value }) => [name, value]));

export class Hooks {
  readonly #stack: Stack;

  constructor(stack: Stack) {
    this.#stack = stack;
  }

  /** `secret` signs pushes, `token` is for calls. */
  async secret(key: 'secret' | 'token' = 'secret'): Promise<string> {
    const name = 'tiphys-webhook';
    const { data } = await this.#stack.core.readNamespacedSecret({ name, namespace: NAMESPACE });
    return Buffer.from(data?.[key] ?? '', 'base64').toString();
  }

  /** As a Git host tells of a push, signed with this secret. The status of the answer. */
  push(revision: string, secret: string, ref = 'refs/heads/main'): Promise<number> {
    const body = JSON.stringify({ ref, after: revision });
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    return this.#post(':12000/push', body, {
      'X-GitHub-Event': 'push',
      'X-GitHub-Delivery': revision,
      'X-Hub-Signature-256': `sha256=${signature}`,
    });
  }

  call(body: object, token: string): Promise<number> {
    return this.#post(':12001/run', JSON.stringify(body), { Authorization: `Bearer ${token}` });
  }

  async #post(path: string, body: string, headers: Record<string, string>): Promise<number> {
    const place = { name: HOOKS, namespace: NAMESPACE };
    const { spec } = await this.#stack.core.readNamespacedService(place);
    const answer = await fetch(`http://${spec?.clusterIP}${path}`, {
      ...{ method: 'POST', body },
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    await answer.text();
    return answer.status;
  }

  /** Of the source of that event, by the name without what all have in common. */
  async metric(name: string, event: string): Promise<number> {
    const [pod] = await this.#pods(`eventsource-name=${HOOKS}`);
    const answer = await fetch(`http://${pod?.status?.podIP}:${METRICS_PORT}/metrics`);
    const lines = (await answer.text()).split('\n');
    const line = lines.find(
      (one) => one.startsWith(`argo_events_${name}{`) && one.includes(`event_name="${event}"`),
    );
    return Number(line?.split(' ').at(-1) ?? 0);
  }

  /** Until the Sensor has asked the bus for these: what comes earlier is lost. */
  async listening(events: readonly string[]): Promise<void> {
    await waitFor('the Sensor to listen', async () => {
      const [pod] = await this.#pods('sensor-name=tiphys');
      const name = pod?.metadata?.name;
      if (pod?.status?.phase !== 'Running' || !name) return false;
      const log = await this.#stack.core.readNamespacedPodLog({ name, namespace: NAMESPACE });
      return events.every((event) =>
        new RegExp(`Subscribing to subject \\S+\\.${event} `).test(log),
      );
    });
  }

  async #pods(labelSelector: string) {
    const { items } = await this.#stack.core.listNamespacedPod({
      ...{ namespace: NAMESPACE, labelSelector },
    });
    return items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
  }

  async workflows(): Promise<EventWorkflow[]> {
    const { items } = await this.#stack.custom.listNamespacedCustomObject({
      ...{ group: 'argoproj.io', version: 'v1alpha1', plural: 'workflows', namespace: 'argo' },
      labelSelector: 'events.argoproj.io/sensor=tiphys',
    });
    return items;
  }

  /** The Workflow of this cause, once it is over. */
  ended(cause: string): Promise<EventWorkflow> {
    return waitFor(
      `the Workflow of '${cause}' to end`,
      async () => (await this.workflows()).find((one) => causeOf(one) === cause && isOver(one)),
      { timeoutMs: 240_000, intervalMs: 500 },
    );
  }

  /** All of them, once none is left to do. */
  settled(): Promise<EventWorkflow[]> {
    return waitFor(
      'all Workflows to end',
      async () => {
        const all = await this.workflows();
        return all.every(isOver) && all;
      },
      { timeoutMs: 600_000, intervalMs: 1000 },
    );
  }
}
