// Two deployments on the stack, with a relay in front of argocd-server that counts.
import type { Plan } from '../src/plan/plan.ts';
import { HOLD_ANNOTATION, holdWindow } from '../src/run/hold.ts';
import type { Mark } from '../test/stack/kit/audit.ts';
import { operationEndsSince, operationsSince } from '../test/stack/kit/operations.ts';
import { type Passing, Relay } from '../test/stack/kit/relay.ts';
import type { Scratch } from '../test/stack/kit/scratch.ts';
import { type Deployed, Tiphys } from '../test/stack/kit/tiphys.ts';
import { configMap, deployment } from '../test/stack/kit/workloads.ts';
import { measure, type RunMeasures } from './stack-measures.ts';

const LAYERS = 5;
const WIDTH = 3;
const SETTINGS = {
  gate: { dwell: '3s' },
  timeouts: { sync: '2m', health: '2m' },
  retries: { maxAttempts: 1, backoff: '1s' },
};

interface Node {
  readonly suffix: string;
  readonly manifests: object;
  readonly dependsOn: readonly string[];
}

/** Each node of a layer depends on two of the layer before; some become Healthy at once, some have a pod to start. */
export function measureRun(scratch: Scratch): Promise<RunMeasures> {
  const suffix = (layer: number, at: number) => `n${layer}-${at % WIDTH}`;
  const nodes = Array.from({ length: LAYERS * WIDTH }, (_, number): Node => {
    const layer = Math.floor(number / WIDTH);
    const at = number % WIDTH;
    const name = suffix(layer, at);
    const before = layer === 0 ? [] : [suffix(layer - 1, at), suffix(layer - 1, at + 1)];
    const manifests = at === layer % WIDTH ? deployment({ name }) : configMap(name, {});
    return { suffix: name, manifests, dependsOn: before };
  });
  return withRelay(async (relay) => {
    const mark = await scratch.stack.audit.mark();
    const { run, plan } = await deployNodes(scratch, relay, nodes);
    const seconds = await operations(scratch, mark);
    return measure({ plan, run, passed: relay.passed, operations: seconds });
  });
}

/** From the end of one burst of requests to the beginning of the next. */
const SETTLE_MS = 3_000;

export interface Quiet {
  readonly seconds: number;
  readonly requests: readonly Passing[];
}

/** One application that needs a while: between the moment it is waited for and the moment it is Healthy nothing changes. */
export function measureQuiet(scratch: Scratch): Promise<Quiet> {
  const manifests = deployment({ name: 'slow', readyAfter: '20s' });
  return withRelay(async (relay) => {
    const { run } = await deployNodes(scratch, relay, [
      { suffix: 'slow', manifests, dependsOn: [] },
    ]);
    const waits = run.events.flatMap((event) =>
      event.type === 'node.waiting'
        ? [{ at: Date.parse(event.time), condition: event.unmet.condition }]
        : [],
    );
    const begin = waits.find(({ condition }) => condition === 'healthy')?.at;
    const end = waits.find(({ condition }) => condition === 'dwell')?.at;
    if (begin === undefined || end === undefined) throw new Error(`nothing to wait: ${run.stdout}`);
    const [from, to] = [begin + SETTLE_MS, end - SETTLE_MS];
    const requests = relay.passed.filter(({ at }) => at > from && at < to);
    return { seconds: (to - from) / 1000, requests };
  });
}

async function withRelay<T>(work: (relay: Relay) => Promise<T>): Promise<T> {
  const relay = await Relay.start();
  try {
    return await work(relay);
  } finally {
    relay.close();
  }
}

async function deployNodes(
  scratch: Scratch,
  relay: Relay,
  nodes: readonly Node[],
): Promise<{ run: Deployed; plan: Plan }> {
  const nameOf = (suffix: string) => `${scratch.name}-${suffix}`;
  await scratch.repository.commit(
    Object.fromEntries(nodes.map(({ suffix, manifests }) => [`${suffix}/all.yaml`, manifests])),
  );
  await hold(
    scratch,
    nodes.map(({ suffix }) => nameOf(suffix)),
  );
  for (const { suffix } of nodes) {
    const automated = { selfHeal: true };
    const name = await scratch.application(suffix, { path: suffix, automated });
    await scratch.stack.application(name, 'compared', ({ status }) => status?.health !== undefined);
  }
  const applications = nodes.map(({ suffix, dependsOn }) => ({
    name: nameOf(suffix),
    dependsOn: dependsOn.map(nameOf),
  }));
  const tiphys = new Tiphys(scratch);
  await tiphys.platform({ ...SETTINGS, stacks: [{ name: 'bench', applications }] });
  const plan = JSON.parse((await tiphys.run('plan', '-o', 'json')).stdout) as Plan;
  const run = await tiphys.deploy('--argocd-server', relay.url);
  if (run.status !== 0) throw new Error(`exit status ${run.status}: ${run.stdout}${run.stderr}`);
  return { run, plan };
}

/** As it is after bootstrap: automated Applications that nothing has synced yet. */
async function hold({ stack, name: project }: Scratch, names: readonly string[]): Promise<void> {
  await stack.changeProject(project, ({ metadata, spec }) => {
    const { given: _, applications, ...window } = holdWindow(names);
    spec.syncWindows = [{ ...window, applications: [...applications] }];
    if (metadata) metadata.annotations = { [HOLD_ANNOTATION]: `${project}/bootstrap` };
  });
}

/** From the write that set it to the write that ended it: Argo CD's own times are whole seconds. */
async function operations({ stack, name }: Scratch, mark: Mark): Promise<number[]> {
  const ours = new RegExp(`^${name}-`);
  const ends = await operationEndsSince(stack, mark, ours);
  return (await operationsSince(stack, mark, ours)).map(({ application, at }) => {
    const end = ends.find((one) => one.application === application && one.at > at);
    return end ? (end.at.getTime() - at.getTime()) / 1000 : Number.NaN;
  });
}
