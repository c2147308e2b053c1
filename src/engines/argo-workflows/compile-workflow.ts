// Plan -> Workflow. Pure: the same plan gives the same bytes.
//
//   main: begin -> nodes                 up to 200 nodes: one DAG with the plan's own edges
//   main: begin -> layer-0 -> layer-1    above: see layers.ts
//   when it ends, however: end
import { TiphysError } from '../../errors.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { claimedName } from '../../run/started-by.ts';
import { packedApproval } from '../teardown/stored-inventory.ts';
import { agentPatch, agentTemplates } from './agent-templates.ts';
import { layeredDuration, layersOf, partsOf } from './layers.ts';
import {
  accountOf,
  BEGIN,
  deadlineOf,
  END,
  type LeafOptions,
  leafTemplates,
  NODE,
  volumes,
} from './leaf.ts';
import { filesName, taskName, workflowNamePrefix } from './template-names.ts';
import {
  BYTES_MAX,
  TASKS_MAX,
  type Task,
  TEMPLATES_MAX,
  type Template,
  type Workflow,
} from './workflow.ts';

export interface CompileOptions {
  /** The namespace in which Workflows run. */
  readonly namespace: string;
  readonly image: string;
  /** The files of the plan: each pod compiles it again and compares. */
  readonly platformFile: string;
  readonly environmentFile: string | undefined;
  /** The options of the command that made the plan. */
  readonly scopeArguments: readonly string[];
  /** Keeps applications on hold after their gates have opened, too. */
  readonly keepHold?: boolean;
  /** A sync that bypassed the order is not a success. */
  readonly strict?: boolean;
  readonly nodes: Shape;
  /** Who submits it, for its record. Undefined: unknown. */
  readonly submittedBy?: string | undefined;
  /** For a teardown, whose plan also has unexpected Applications: what was approved, and how its pods learn the rest. */
  readonly teardown?: { readonly approved: Inventory; readonly arguments: readonly string[] };
}

/** One pod serves all nodes, or each has its own. */
export type Shape = 'agent' | 'pods';

export interface Compiled {
  /** Never changed once it exists: its name identifies its content. */
  readonly files: object;
  readonly workflow: Workflow;
  readonly bytes: number;
  /** The extra seconds because edges cannot connect two DAGs; undefined for a single DAG. */
  readonly layered: { readonly layers: number; readonly expectedDuration: number } | undefined;
}

const APPLICATIONS_MAX = 1_000;
export const PLATFORM_LABEL = 'tiphys.dev/platform';
const PLAN_LABEL = 'tiphys.dev/plan';
export const ACTION = 'tiphys.dev/action';
const SUBMITTED_BY = 'tiphys.dev/submitted-by';

export function compileWorkflow(plan: Plan, options: CompileOptions): Compiled {
  const applications = plan.nodes.filter(({ kind }) => kind === 'application').length;
  if (applications > APPLICATIONS_MAX) {
    throw tooLarge(`it has ${applications} applications; the maximum is ${APPLICATIONS_MAX}`);
  }
  const layers = plan.nodes.length > TASKS_MAX ? layersOf(plan) : undefined;
  // A layer ends with any result, and the next one would see a Healthy Application, not the probe that failed.
  if (layers && plan.nodes.some(({ gate }) => gate.probe !== undefined))
    throw tooLarge(
      `it has ${plan.nodes.length} nodes; the maximum with \`gate.probe\` is ${TASKS_MAX}`,
    );
  const content = contentOf(options);
  const name = filesName(plan.platform, JSON.stringify(content));
  const workflow = workflowOf(plan, options, layers, name);
  const bytes = JSON.stringify(workflow).length;
  if (bytes > BYTES_MAX) throw tooLarge(`the Workflow would have ${bytes} bytes`);
  if (workflow.spec.templates.length > TEMPLATES_MAX)
    throw tooLarge(`the plan has ${layers?.length} layers`);
  const { namespace } = options;
  const labels = { [PLATFORM_LABEL]: plan.platform };
  return {
    files: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, labels },
      immutable: true,
      ...content,
    },
    workflow,
    bytes,
    layered: layers && {
      layers: layers.length,
      expectedDuration: layeredDuration(layers),
    },
  };
}

/** The size limit of a ConfigMap, with room for the rest of it. */
const FILES_MAX = BYTES_MAX - 64 * 1024;

function contentOf({ platformFile, environmentFile, teardown }: CompileOptions): object {
  const data = {
    'dag.yaml': platformFile,
    ...(environmentFile !== undefined && { 'environment.yaml': environmentFile }),
  };
  const inventory = teardown && packedApproval(teardown.approved);
  const base64 = inventory && Buffer.from(inventory).toString('base64');
  const content = { data, ...(base64 && { binaryData: { 'inventory.json.gz': base64 } }) };
  const bytes = JSON.stringify(content).length;
  if (bytes > FILES_MAX) throw tooLarge(`its files have ${bytes} bytes`);
  return content;
}

function workflowOf(
  plan: Plan,
  options: CompileOptions,
  layers: readonly (readonly PlanNode[])[] | undefined,
  files: string,
): Workflow {
  const { action, platform, hash } = plan;
  const { image, scopeArguments } = options;
  const submittedBy = claimedName(options.submittedBy ?? '');
  const applications = plan.nodes.filter(({ kind }) => kind === 'application').length;
  const byAgent = options.nodes === 'agent';
  const leaf: LeafOptions = {
    image,
    action,
    planHash: hash,
    arguments: [...scopeArguments, ...(options.teardown?.arguments ?? [])],
    submittedBy,
    runTimeout: plan.runTimeout,
    concurrency: plan.concurrency,
    keepHold: options.keepHold ?? false,
    strict: options.strict ?? false,
    layered: layers !== undefined,
  };
  const dags = dagTemplates(dagsOf(plan, layers, options), options);
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Workflow',
    metadata: {
      generateName: workflowNamePrefix(action, platform),
      namespace: options.namespace,
      labels: { [PLATFORM_LABEL]: platform, [PLAN_LABEL]: hash.slice('sha256:'.length, 23) },
      annotations: {
        [PLAN_LABEL]: hash,
        [ACTION]: action,
        ...(submittedBy && { [SUBMITTED_BY]: submittedBy }),
        'workflows.argoproj.io/title': `${action} of ${platform}`,
        'workflows.argoproj.io/description': `${applications} applications of ${plan.scope.join(', ') || 'the whole platform'}, by Tiphys`,
      },
    },
    spec: {
      entrypoint: 'main',
      hooks: { exit: { template: END } },
      activeDeadlineSeconds: plan.runTimeout + (byAgent ? AGENT_FIRST_SECONDS : 0),
      parallelism: plan.concurrency,
      synchronization: { mutexes: [{ name: `tiphys-${platform}` }] },
      podGC: { strategy: 'OnWorkflowSuccess' },
      ttlStrategy: { secondsAfterSuccess: 86_400, secondsAfterFailure: 604_800 },
      serviceAccountName: accountOf(leaf, BEGIN),
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 65_532,
        runAsGroup: 65_532,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      volumes: volumes(files),
      ...(byAgent && { podSpecPatch: agentPatch(leaf, files) }),
      templates: [...dags, ...(byAgent ? agentTemplates(leaf) : leafTemplates(leaf))],
    },
  };
}

/**
 * An agent counts the run's time from the end of `begin`, and reports itself when it is over: the controller, which counts
 * from the Workflow's start, must come later.
 */
const AGENT_FIRST_SECONDS = 600;

/** The output of `begin` for the nodes: an agent has to know itself when the run's time is over. */
const givenBy = ({ nodes }: CompileOptions): string[] =>
  nodes === 'agent' ? ['run', 'started'] : ['run'];

interface Dag {
  readonly name: string;
  readonly tasks: readonly Task[];
}

/** One DAG with the nodes, or one per layer in sequence, with the parts of a layer in parallel. */
function dagsOf(
  plan: Plan,
  layers: readonly (readonly PlanNode[])[] | undefined,
  options: CompileOptions,
): readonly (readonly Dag[])[] {
  const joins = new Set(plan.nodes.filter(isJoin).map(({ id }) => id));
  if (!layers) {
    const tasks = plan.nodes.map((node) => taskOf(node, joins, plan, options));
    return [[{ name: 'nodes', tasks }]];
  }
  return layers.map((layer, at) =>
    partsOf(layer).map((part, number) => ({
      name: `layer-${at}-${number}`,
      tasks: part.map((node) => leafTask(node, plan, options)),
    })),
  );
}

function dagTemplates(groups: ReturnType<typeof dagsOf>, options: CompileOptions): Template[] {
  const given = givenBy(options);
  const parameters = given.map((name) => ({
    name,
    value: `{{tasks.begin.outputs.parameters.${name}}}`,
  }));
  const main: Task[] = [{ name: BEGIN, template: BEGIN }];
  let depends = 'begin.Succeeded';
  for (const dags of groups) {
    for (const { name } of dags)
      main.push({ name, template: name, depends, arguments: { parameters } });
    depends = dags
      .map(({ name }) => `(${name}.Succeeded || ${name}.Failed || ${name}.Errored)`)
      .join(' && ');
  }
  const inputs = { parameters: given.map((name) => ({ name })) };
  return [
    { name: 'main', dag: { tasks: main } },
    ...groups.flat().map(({ name, tasks }) => ({ name, inputs, dag: { tasks } })),
  ];
}

const isJoin = ({ application }: PlanNode): boolean => application === null;

function taskOf(
  node: PlanNode,
  joins: ReadonlySet<string>,
  plan: Plan,
  options: CompileOptions,
): Task {
  const depends = node.dependsOn
    .map((id) => `${taskName(id)}.${joins.has(id) ? 'Skipped' : 'Succeeded'}`)
    .join(' && ');
  return {
    ...leafTask(node, plan, options),
    ...(depends && { depends }),
    // A join needs no pod: it is skipped if everything before it succeeded, and omitted with the rest otherwise.
    ...(joins.has(node.id) && { when: 'false' }),
  };
}

/** The agent's own limits are enough for its nodes, which may have to wait for a slot. */
function leafTask(node: PlanNode, plan: Plan, options: CompileOptions): Task {
  return {
    name: taskName(node.id),
    template: NODE,
    arguments: {
      parameters: [
        { name: 'node', value: node.id },
        ...givenBy(options).map((name) => ({ name, value: `{{inputs.parameters.${name}}}` })),
        ...(options.nodes === 'pods'
          ? [{ name: 'deadline', value: String(deadlineOf(node, plan)) }]
          : []),
      ],
    },
  };
}

function tooLarge(what: string): TiphysError {
  const message = `The plan is too large for Argo Workflows: ${what}.`;
  const hint = 'Use the embedded engine, or deploy a part of the platform with --scope.';
  return new TiphysError([{ code: 'workflow-too-large', message, hint }]);
}
