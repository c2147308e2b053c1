// The ClusterWorkflowTemplates that come with the project, each as one step of somebody's own Workflow.
import { readFile } from 'node:fs/promises';
import type { KubernetesObject } from '@kubernetes/client-node';
import { loadAll } from 'js-yaml';
import { expect } from 'vitest';
import type { ExecutorReport } from '../../../src/executor/executor-report.ts';
import { full } from '../kit/full.ts';
import { heldApplications, QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { Tiphys } from '../kit/tiphys.ts';
import { allowRuns, EXECUTOR, loadExecutor } from '../kit/workflow-runs.ts';
import { type Workflow, workflowEnded } from '../kit/workflows.ts';
import { configMap } from '../kit/workloads.ts';

/** As they are, under names of their own, for others may have them. */
async function install(scratch: Scratch): Promise<void> {
  const text = await readFile('workflows/templates.yaml', 'utf8');
  for (const object of loadAll(text) as KubernetesObject[]) {
    const name = `${scratch.name}-${object.metadata?.name}`;
    const own = { ...object, metadata: { ...object.metadata, name } };
    await scratch.stack.apply(own);
    scratch.afterwards(() => scratch.stack.remove(own));
  }
}

/** A Workflow with that step alone, and what the step reported. */
async function step(
  scratch: Scratch,
  template: string,
  values: Readonly<Record<string, string>>,
): Promise<{ readonly phase: string | undefined; readonly report: ExecutorReport }> {
  const { stack, namespace } = scratch;
  const given = { files: 'files', environment: 'development', image: EXECUTOR, ...values };
  const parameters = Object.entries(given).map(([name, value]) => ({ name, value }));
  const name = `${template}-${Math.random().toString(36).slice(2, 8)}`;
  const templateRef = { name: `${scratch.name}-tiphys-${template}`, template, clusterScope: true };
  const task = { name: 'step', templateRef, arguments: { parameters } };
  await scratch.apply({
    ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Workflow', metadata: { name, namespace } },
    spec: { entrypoint: 'main', templates: [{ name: 'main', dag: { tasks: [task] } }] },
  } as Workflow);
  const { status } = await workflowEnded(scratch, name);
  const selector = `workflows.argoproj.io/workflow=${name}`;
  const log = ['logs', '-n', namespace, '-l', selector, '-c', 'main', '--tail', '-1'];
  const lines = (await stack.run('kubectl', ...log)).split('\n');
  const report = lines.find((line) => line.includes('"ExecutorReport"'));
  if (!report) throw new Error(`${template} reported nothing: ${lines.slice(-5).join('\n')}`);
  return { phase: status?.phase, report: JSON.parse(report) };
}

test.runIf(full)(
  'each does what it says: sync and wait, validate, take down as it was approved',
  async ({ scratch }) => {
    await loadExecutor(scratch);
    await allowRuns(scratch);
    await install(scratch);
    await scratch.repository.commit({
      'one/app.yaml': configMap('one', {}),
      'two/app.yaml': configMap('two', {}),
    });
    await heldApplications(scratch, 'one', 'two');
    const tiphys = new Tiphys(scratch);
    const [one, two] = ['one', 'two'].map((suffix) => `${scratch.name}-${suffix}`);
    const applications = [{ name: one }, { name: two, dependsOn: [one] }];
    const spec = { ...QUICK, stacks: [{ name: 's', applications }] };
    await tiphys.platform(spec);
    const platform = {
      ...{ apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform', metadata: { name: scratch.name } },
      spec: { argocd: { project: scratch.name }, ...spec },
    };
    const environment = {
      ...{ name: 'test', domain: 'example.org', gitRepository: 'file:///none' },
      gitRevision: 'main',
    };
    await scratch.apply({
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'files' } },
      data: {
        'dag.yaml': JSON.stringify(platform),
        'environment.yaml': JSON.stringify(environment),
      },
    } as KubernetesObject);

    const up = await step(scratch, 'sync-and-wait', {});
    expect(up.report.failures).toEqual([]);
    expect([up.phase, up.report.exitStatus]).toEqual(['Succeeded', 0]);
    const seen = await step(scratch, 'validate', { scope: `app:${two}` });
    expect(seen.report.failures).toEqual([]);
    expect([seen.phase, seen.report.exitStatus]).toEqual(['Succeeded', 0]);
    const looked = await step(scratch, 'teardown', { 'pv-policy': 'retain', 'dry-run': 'true' });
    expect([looked.phase, looked.report.exitStatus]).toEqual(['Succeeded', 0]);
    const token = new RegExp(`${scratch.name}@sha256:[0-9a-f]{64}`).exec(
      JSON.stringify(looked.report.recommendations),
    )?.[0];
    const wrong = `${scratch.name}@sha256:${'0'.repeat(64)}`;
    const refused = await step(scratch, 'teardown', {
      ...{ 'pv-policy': 'retain', 'confirmation-token': wrong },
    });
    expect([refused.phase, refused.report.exitStatus]).toEqual(['Failed', 1]);
    const down = await step(scratch, 'teardown', {
      ...{ 'pv-policy': 'retain', 'confirmation-token': token ?? '' },
    });
    expect([down.phase, down.report.exitStatus]).toEqual(['Succeeded', 0]);
    const left = await scratch.stack.applications();
    expect(left.filter(({ metadata }) => metadata?.name?.startsWith(scratch.name))).toEqual([]);
  },
);
