// Plan -> Workflow: every node once, every edge and no other, within the limits of Argo Workflows.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generatePlatform } from '../../../bench/platforms.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import { buildPlan } from '../../plan/build-plan.ts';
import { compile } from '../../plan/compile.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { unpacked } from '../../session/record/packed.ts';
import { compileWorkflow } from './compile-workflow.ts';
import { nodeOfTask, taskName } from './template-names.ts';
import type { Task, Workflow } from './workflow.ts';

const OPTIONS = {
  ...{ namespace: 'argo', image: 'executor:1', platformFile: 'x', environmentFile: 'y' },
  scopeArguments: [],
  nodes: 'pods' as const,
};

const planOf = (yaml: string): Plan =>
  buildPlan(compile({ file: 'p.yaml', text: yaml }), { action: 'deploy' });
const generated = (applications: number): Plan => planOf(generatePlatform(applications).yaml);
const reference = planOf(readFileSync('examples/reference/platform.yaml', 'utf8'));

const tasksOf = (workflow: Workflow, template: string): readonly Task[] =>
  workflow.spec.templates.find(({ name }) => name === template)?.dag?.tasks ?? [];
const parameter = (task: Task, name: string) =>
  task.arguments?.parameters.find((one) => one.name === name)?.value ?? '';

/** What a task waits for, as ids of nodes, each with the phase that it must have. */
function conditionsOf(task: Task, plan: Plan): string[] {
  const ids = plan.nodes.map(({ id }) => id);
  return (task.depends?.split(' && ') ?? []).map((condition) => {
    const [, name = '', phase] = /^([-a-zA-Z0-9]+)\.([A-Z][a-z]+)$/.exec(condition) ?? [];
    return `${nodeOfTask(name, ids)} ${phase}`;
  });
}

describe('up to 200 nodes', () => {
  test.each([
    ['1 application', generated(1)],
    ['the reference platform', reference],
    ['100 applications', generated(100)],
  ])('%s: one DAG with each node once, and the edges of the plan', (_, plan) => {
    const { workflow, layered } = compileWorkflow(plan, OPTIONS);
    expect(layered).toBeUndefined();
    const tasks = tasksOf(workflow, 'nodes');
    expect(tasks.map((task) => parameter(task, 'node'))).toEqual(plan.nodes.map(({ id }) => id));
    const joins = new Set(plan.nodes.filter((node) => !node.application).map(({ id }) => id));
    for (const [at, task] of tasks.entries()) {
      const { id, dependsOn } = plan.nodes[at] as PlanNode;
      const wanted = dependsOn.map((one) => `${one} ${joins.has(one) ? 'Skipped' : 'Succeeded'}`);
      expect(conditionsOf(task, plan), id).toEqual(wanted);
      // A join makes no pod; everything else does.
      expect(task.when, id).toBe(joins.has(id) ? 'false' : undefined);
    }
  });

  test('the nodes wait for the beginning, and there is one template for all of them', () => {
    const { workflow } = compileWorkflow(reference, OPTIONS);
    expect(tasksOf(workflow, 'main').map(({ name, depends }) => [name, depends])).toEqual([
      ['begin', undefined],
      ['nodes', 'begin.Succeeded'],
    ]);
    expect(new Set(tasksOf(workflow, 'nodes').map(({ template }) => template))).toEqual(
      new Set(['node']),
    );
    expect(workflow.spec.hooks).toEqual({ exit: { template: 'end' } });
  });
});

describe('more than 200 nodes', () => {
  const plan = generated(1_000);
  const { workflow, layered } = compileWorkflow(plan, OPTIONS);
  const main = tasksOf(workflow, 'main');

  test('every node that acts is in one layer, behind all that it depends on', () => {
    const layerOf = new Map<string, number>();
    for (const { name } of main.slice(1)) {
      const layer = Number(name.split('-')[1]);
      for (const task of tasksOf(workflow, name)) {
        expect(layerOf.has(parameter(task, 'node'))).toBe(false);
        layerOf.set(parameter(task, 'node'), layer);
        expect(task.depends).toBeUndefined();
      }
    }
    const acting = plan.nodes.filter(({ application }) => application !== null);
    expect([...layerOf.keys()].sort()).toEqual(acting.map(({ id }) => id).sort());
    const needs = (node: PlanNode): string[] =>
      node.dependsOn.flatMap((id) => {
        const other = plan.nodes.find((one) => one.id === id) as PlanNode;
        return other.application === null ? needs(other) : [id];
      });
    for (const node of acting) {
      for (const id of needs(node)) {
        expect(layerOf.get(id), `${id} before ${node.id}`).toBeLessThan(layerOf.get(node.id) ?? 0);
      }
    }
    expect(layered?.layers).toBe(Math.max(...layerOf.values()) + 1);
  });

  test('a layer begins when all parts of the one before have ended, however they did', () => {
    for (const { name, depends } of main.slice(1)) {
      const layer = Number(name.split('-')[1]);
      const parts = main.filter((one) => one.name.startsWith(`layer-${layer - 1}-`));
      const ended = parts.map(
        (one) => `(${one.name}.Succeeded || ${one.name}.Failed || ${one.name}.Errored)`,
      );
      expect(depends).toBe(layer === 0 ? 'begin.Succeeded' : ended.join(' && '));
    }
  });

  test('its cost is stated', () => {
    expect(layered?.expectedDuration).toBeGreaterThanOrEqual(plan.expectedDuration);
  });

  test('a layer of more than 200 goes in parts', () => {
    const applications = Array.from({ length: 500 }, (_, at) => `{name: a${at}}`).join(', ');
    const wide = planOf(
      `apiVersion: tiphys.dev/v1alpha1\nkind: Platform\nmetadata: {name: p}\nspec: {stacks: [{name: s, applications: [${applications}]}]}`,
    );
    const compiled = compileWorkflow(wide, OPTIONS).workflow;
    const sizes = tasksOf(compiled, 'main').map(({ name }) => tasksOf(compiled, name).length);
    expect(sizes).toEqual([0, 200, 200, 100]);
  });
});

describe('limits', () => {
  test.each([
    ['1', generated(1)],
    ['43', reference],
    ['1000', generated(1_000)],
  ])('%s applications are within those of Argo Workflows', (count, plan) => {
    const { workflow, bytes } = compileWorkflow(plan, OPTIONS);
    const { templates } = workflow.spec;
    expect(templates.length).toBeLessThanOrEqual(200);
    for (const { dag } of templates) {
      if (!dag) continue;
      expect(dag.tasks.length).toBeGreaterThan(0);
      expect(dag.tasks.length).toBeLessThanOrEqual(200);
      const names = dag.tasks.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      expect(names.filter((name) => !/^[a-zA-Z][-a-zA-Z0-9]{0,127}$/.test(name))).toEqual([]);
    }
    expect(bytes).toBe(JSON.stringify(workflow).length);
    expect(bytes).toBeLessThan(1024 * 1024);
    console.info(
      `${count} applications: ${bytes} bytes, ${Math.round(bytes / Number(count))} each`,
    );
  });

  test('what is too large is refused, with a way out', () => {
    expect(() => compileWorkflow(generated(1_001), OPTIONS)).toThrow(
      /1001 applications; the maximum is 1000/,
    );
    const long = (at: number) => `${`${at}`.padStart(4, '0')}.${'x'.repeat(240)}`;
    const names = Array.from({ length: 190 }, (_, at) => long(at));
    const lines = names.map((name, at) => `{name: ${name}, dependsOn: [${names.slice(0, at)}]}`);
    const dense = planOf(
      `apiVersion: tiphys.dev/v1alpha1\nkind: Platform\nmetadata: {name: p}\nspec: {stacks: [{name: s, applications: [${lines}]}]}`,
    );
    expect(() => compileWorkflow(dense, OPTIONS)).toThrow(/would have \d{7} bytes/);
  });

  test('a layer does not know what came of a probe, so a plan with one is refused by name', () => {
    const probe = { tcp: 'a:1', timeout: 10 };
    const probing = (plan: Plan): Plan => {
      const [first, ...rest] = plan.nodes as readonly [PlanNode, ...PlanNode[]];
      return { ...plan, nodes: [{ ...first, gate: { ...first.gate, probe } }, ...rest] };
    };
    expect(compileWorkflow(probing(generated(100)), OPTIONS).layered).toBeUndefined();
    expect(() => compileWorkflow(probing(generated(250)), OPTIONS)).toThrow(
      /it has \d{3} nodes; the maximum with `gate\.probe` is 200\./,
    );
  });

  test('a pod is given more time than the node program can take', () => {
    const { workflow } = compileWorkflow(reference, OPTIONS);
    for (const [at, task] of tasksOf(workflow, 'nodes').entries()) {
      const { timeouts, retries } = reference.nodes[at] as PlanNode;
      const own = timeouts.sync * retries.maxAttempts + timeouts.health;
      expect(Number(parameter(task, 'deadline'))).toBeGreaterThan(own);
      // A closed sync window makes it wait for as long as the run has.
      expect(Number(parameter(task, 'deadline'))).toBeGreaterThanOrEqual(reference.runTimeout);
    }
  });
});

describe('names', () => {
  const label = fc.stringMatching(/^[a-z0-9](?:[-a-z0-9]{0,40}[a-z0-9])?$/);
  const application = fc
    .array(label, { minLength: 1, maxLength: 6 })
    .map((parts) => `app:${parts.join('.').slice(0, 253)}`);
  const stack = fc
    .tuple(fc.constantFrom('open', 'close'), label)
    .map(([kind, name]) => `${kind}:stack:${name}`);
  const id = fc.oneof(application, stack, fc.constantFrom('open:platform', 'close:platform'));

  test('are legal, differ where ids do, and lead back', () => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 2, maxLength: 8 }), (ids) => {
        const names = ids.map(taskName);
        expect(names.filter((name) => !/^[a-zA-Z][-a-zA-Z0-9]{0,127}$/.test(name))).toEqual([]);
        expect(new Set(names).size).toBe(ids.length);
        expect(names.map((name) => nodeOfTask(name, ids))).toEqual(ids);
      }),
    );
  });

  test('no other task is taken for a node', () => {
    const ids = reference.nodes.map((node) => node.id);
    for (const name of ['begin', 'nodes', 'layer-0-0', 'end', 'app-nobody'])
      expect(nodeOfTask(name, ids)).toBeUndefined();
  });

  test('of Workflows leave room for what comes behind', () => {
    const text = `apiVersion: tiphys.dev/v1alpha1\nkind: Platform\nmetadata: {name: ${'p'.repeat(63)}}\nspec: {stacks: [{name: s, applications: [{name: a}]}]}`;
    const { generateName } = compileWorkflow(planOf(text), OPTIONS).workflow.metadata;
    expect(generateName).toMatch(/^tiphys-deploy-p+-[0-9a-f]{10}-$/);
    expect(generateName.length + 5).toBeLessThanOrEqual(63);
  });
});

test('the same plan gives the same bytes, and each of its files another name', () => {
  const text = (options = OPTIONS) => JSON.stringify(compileWorkflow(reference, options));
  expect(text()).toBe(text());
  const nameOf = (files: object) => (files as { metadata: { name: string } }).metadata.name;
  const other = compileWorkflow(reference, { ...OPTIONS, environmentFile: 'z' });
  expect(nameOf(other.files)).not.toBe(nameOf(compileWorkflow(reference, OPTIONS).files));
});

describe('a teardown', () => {
  const text = readFileSync('examples/reference/platform.yaml', 'utf8');
  const plan = buildPlan(compile({ file: 'p.yaml', text }), { action: 'teardown' });
  const approved = { kind: 'Inventory', hash: 'sha256:1' } as Inventory;
  const teardown = { approved, arguments: ['--inventory', approved.hash] };

  test.each(['agent', 'pods'] as const)('by %s: the way back, with its own rights', (nodes) => {
    const { workflow } = compileWorkflow(plan, { ...OPTIONS, nodes, teardown });
    const tasks = tasksOf(workflow, 'nodes');
    for (const [at, task] of tasks.entries()) {
      const wanted = plan.nodes[at]?.dependsOn.map((id) => `${id} `) ?? [];
      expect(conditionsOf(task, plan).map((one) => one.replace(/\w+$/, ''))).toEqual(wanted);
    }
    const accounts = workflow.spec.templates.flatMap(({ serviceAccountName: one }) => one ?? []);
    expect(new Set([...accounts, workflow.spec.serviceAccountName])).toEqual(
      new Set(['tiphys-teardown']),
    );
    expect(workflow.metadata.annotations['tiphys.dev/action']).toBe('teardown');
    expect(JSON.stringify(workflow.spec)).toContain('sha256:1');
  });

  test('takes what was approved along, in files of their own', () => {
    const { files } = compileWorkflow(plan, { ...OPTIONS, teardown });
    const { binaryData, metadata } = files as {
      binaryData: Record<string, string>;
      metadata: { name: string };
    };
    const bytes = Buffer.from(binaryData['inventory.json.gz'] ?? '', 'base64');
    expect(JSON.parse(unpacked(bytes))).toEqual(approved);
    const other = { ...teardown, approved: { ...approved, hash: 'sha256:2' } };
    expect(compileWorkflow(plan, { ...OPTIONS, teardown: other }).files).not.toMatchObject({
      metadata: { name: metadata.name },
    });
  });
});
