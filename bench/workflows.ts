// npm run bench:workflows: what Argo Workflows adds to a deployment, against the embedded engine on the same stack.
import { compileWorkflow } from '../src/engines/argo-workflows/compile-workflow.ts';
import { buildPlan } from '../src/plan/build-plan.ts';
import { compile } from '../src/plan/compile.ts';
import type { RunEvent } from '../src/run/events.ts';
import { executorImageBytes } from '../test/stack/executor-image.ts';
import { heldApplications, holdFromBefore, QUICK } from '../test/stack/kit/platform.ts';
import type { Scratch } from '../test/stack/kit/scratch.ts';
import type { Stack } from '../test/stack/kit/stack.ts';
import { Tiphys } from '../test/stack/kit/tiphys.ts';
import {
  allowRuns,
  BY_WORKFLOW,
  environmentFor,
  loadExecutor,
  SHAPES,
} from '../test/stack/kit/workflow-runs.ts';
import { configMap } from '../test/stack/kit/workloads.ts';
import { inScratch, onStack } from './on-stack.ts';
import { generatePlatform } from './platforms.ts';
import { type Budget, isOver, load, renderBudgets } from './report.ts';

/** Each behind the one before: nothing hides what a node costs. */
const CHAIN = ['a', 'b', 'c', 'd', 'e', 'f'];
const GOAL_SECONDS = 3;

await onStack(bench);

interface Measured {
  /** From the first node's begin to the last one's end. */
  readonly nodes: number;
  /** From the command's start to its report, without that. */
  readonly once: number;
}

async function bench(stack: Stack): Promise<number> {
  const [embedded, agent, pods] = await inScratch(stack, measure);
  if (!embedded || !agent || !pods) throw new Error('not everything was measured');
  const added = ({ nodes }: Measured) => (nodes - embedded.nodes) / CHAIN.length;
  const budgets: Budget[] = [
    { what: 'added per node, by agent', value: added(agent), limit: GOAL_SECONDS, unit: ' s' },
  ];
  const megabytes = executorImageBytes() / 1e6;
  const lines = [
    `added per node, by pods: ${added(pods).toFixed(2)} s`,
    `added once, by agent and by pods: ${[agent, pods].map(({ once }) => (once - embedded.once).toFixed(1)).join(' s, ')} s`,
    `pods for ${CHAIN.length} applications, by agent and by pods: 1, ${CHAIN.length + 2}`,
    ...[43, 1_000].flatMap((size) => SHAPES.map((shape) => sizeOf(size, shape))),
    `image: ${megabytes.toFixed(0)} MB`,
  ];
  process.stdout.write(`${lines.join('\n')}\n${renderBudgets(budgets)}${load()}`);
  return budgets.some(isOver) ? 1 : 0;
}

function sizeOf(applications: number, nodes: (typeof SHAPES)[number]): string {
  const { yaml } = generatePlatform(applications);
  const plan = buildPlan(compile({ file: 'p', text: yaml }), { action: 'deploy' });
  const files = { platformFile: yaml, environmentFile: undefined, scopeArguments: [] };
  const { bytes } = compileWorkflow(plan, { ...files, namespace: 'argo', image: 'x', nodes });
  return `Workflow of ${applications} applications, by ${nodes}: ${bytes} bytes, ${Math.round(bytes / applications)} each`;
}

async function measure(scratch: Scratch): Promise<Measured[]> {
  await loadExecutor(scratch);
  await allowRuns(scratch);
  const commit = (version: string) =>
    scratch.repository.commit(
      Object.fromEntries(
        CHAIN.map((name) => [`${name}/app.yaml`, configMap(name, { version })] as const),
      ),
    );
  await commit('0');
  await heldApplications(scratch, ...CHAIN);
  const tiphys = new Tiphys(scratch);
  const applications = CHAIN.map((name, at) => ({
    name: `${scratch.name}-${name}`,
    dependsOn: at === 0 ? [] : [`${scratch.name}-${CHAIN[at - 1]}`],
  }));
  await tiphys.platform({ ...QUICK, stacks: [{ name: 's', applications }] });
  await environmentFor(scratch);
  const engines = [[], ...SHAPES.map((shape) => [...BY_WORKFLOW, '--nodes', shape])];
  const measured: Measured[] = [];
  for (const [at, args] of engines.entries()) {
    process.stderr.write(`deploying ${CHAIN.length} applications: ${args.join(' ')}\n`);
    if (at > 0) {
      await holdFromBefore(scratch, ...CHAIN);
      await commit(String(at));
    }
    const begin = Date.now();
    const { events, status, stderr } = await tiphys.deploy(...args);
    if (status !== 0) throw new Error(`exit status ${status}: ${stderr}`);
    measured.push(timesOf(events, (Date.now() - begin) / 1000));
  }
  return measured;
}

function timesOf(events: readonly RunEvent[], whole: number): Measured {
  const times = (type: RunEvent['type']) =>
    events.filter((event) => event.type === type).map(({ time }) => Date.parse(time));
  const nodes = (Math.max(...times('node.finished')) - Math.min(...times('node.started'))) / 1000;
  return { nodes, once: whole - nodes };
}
