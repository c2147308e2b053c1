// A plan as a Workflow is accepted by the API server with the full schemas, and by the controller's own validation.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { generatePlatform } from '../../../bench/platforms.ts';
import {
  compileWorkflow,
  type Shape,
} from '../../../src/engines/argo-workflows/compile-workflow.ts';
import { buildPlan } from '../../../src/plan/build-plan.ts';
import { compile } from '../../../src/plan/compile.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import type { Workflow } from '../kit/workflows.ts';
import { kubectl } from '../kubectl.ts';
import { waitFor } from '../run.ts';

describe('the compiled Workflow is accepted', () => {
  const workflowOf = (applications: number, nodes: Shape, { namespace }: Scratch) => {
    const { yaml } = generatePlatform(applications);
    const plan = buildPlan(compile({ file: 'p', text: yaml }), { action: 'deploy' });
    const options = { namespace, image: 'executor:1', platformFile: yaml, environmentFile: '' };
    return compileWorkflow(plan, { ...options, scopeArguments: [], nodes });
  };
  const create = ({ stack }: Scratch, object: object, ...args: string[]) =>
    kubectl(stack.config, ['create', '-f', '-', ...args], JSON.stringify(object));

  /** What the controller says of it, before anything is started: it is suspended from the beginning. */
  async function judged(scratch: Scratch, workflow: object): Promise<Workflow> {
    const { spec, metadata } = workflow as Workflow;
    const suspended = { ...workflow, metadata, spec: { ...spec, suspend: true } };
    const name = await create(scratch, suspended, '-o', 'jsonpath={.metadata.name}');
    const header = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Workflow' };
    return await waitFor('the controller to judge it', async () => {
      const asked = { ...header, metadata: { name, namespace: scratch.namespace }, spec: {} };
      const now: Workflow | undefined = await scratch.stack.read(asked);
      return now?.status?.phase ? now : undefined;
    });
  }

  const SIZES = [1, 43, 1_000].flatMap((size) =>
    (['agent', 'pods'] as const).map((nodes) => ({ size, nodes })),
  );

  test.for(SIZES)('$size applications, by $nodes', async ({ size, nodes }, { scratch }) => {
    const { workflow, files, bytes } = workflowOf(size, nodes, scratch);
    await create(scratch, workflow, '--dry-run=server');
    await create(scratch, files, '--dry-run=server');
    const { status } = await judged(scratch, workflow);
    expect([status?.phase, status?.message]).toEqual(['Running', undefined]);
    console.info(`${size} applications, by ${nodes}: ${bytes} bytes`);
  });

  test('and these checks bite', async ({ scratch }) => {
    const { workflow } = workflowOf(1, 'pods', scratch);
    const { templates, ...spec } = workflow.spec;
    const [main, ...others] = templates;
    const tasks = Array.from({ length: 201 }, (_, at) => ({ name: `t${at}`, template: 'begin' }));
    const wide = {
      ...workflow,
      spec: { ...spec, templates: [{ ...main, dag: { tasks } }, ...others] },
    };
    await expect(create(scratch, wide, '--dry-run=server')).rejects.toThrow(
      /must have at most 200/,
    );
    const lost = [{ name: 'a', template: 'begin', depends: 'nobody.Succeeded' }];
    const broken = { ...spec, templates: [{ ...main, dag: { tasks: lost } }, ...others] };
    const { status } = await judged(scratch, { ...workflow, spec: broken });
    expect([status?.phase, status?.message]).toEqual(['Failed', expect.stringContaining('nobody')]);
  });
});

test('the templates and rights that come with it are accepted, too', async ({ stack }) => {
  // This stack has no Argo Events, and so not their namespace; that of the probes is made by the same dry run.
  const folder = await mkdtemp(join(tmpdir(), 'tiphys-workflows-'));
  await cp('workflows', folder, { recursive: true });
  for (const name of ['rights.yaml', 'event-rights.yaml']) {
    const file = join(folder, name);
    const text = await readFile(file, 'utf8');
    await writeFile(
      file,
      text.replaceAll(/namespace: (?:argo-events|tiphys-probes)\b/g, 'namespace: argo'),
    );
  }
  const said = await stack.run('kubectl', 'apply', '--dry-run=server', '-f', folder);
  await rm(folder, { recursive: true });
  const names = [...said.matchAll(/^clusterworkflowtemplate\S*\/(\S+) created/gm)];
  expect(names.map(([, name]) => name)).toEqual([
    ...['tiphys-sync-and-wait', 'tiphys-validate', 'tiphys-teardown'],
  ]);
  for (const account of ['node', 'run', 'validate', 'teardown', 'sensor'])
    expect(said).toContain(`serviceaccount/tiphys-${account} `);
});
