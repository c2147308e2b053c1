// A Workflow whose nodes one agent serves: what it is told, and what its pod is made of.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildPlan } from '../../plan/build-plan.ts';
import { compile } from '../../plan/compile.ts';
import { compileWorkflow } from './compile-workflow.ts';
import type { Template } from './workflow.ts';

const text = readFileSync('examples/reference/platform.yaml', 'utf8');
const reference = buildPlan(compile({ file: 'p.yaml', text }), { action: 'deploy' });
const OPTIONS = {
  ...{ namespace: 'argo', image: 'executor:1', platformFile: 'x', environmentFile: 'y' },
  scopeArguments: [],
};

describe('by agent', () => {
  const { workflow } = compileWorkflow(reference, { ...OPTIONS, nodes: 'agent' });
  const templates = new Map(workflow.spec.templates.map((one) => [one.name, one]));
  interface Container {
    readonly name: string;
    readonly image: string;
    readonly command: readonly string[];
    readonly args: readonly string[];
    readonly volumeMounts: readonly { readonly name: string }[];
  }
  const patch = JSON.parse(String(workflow.spec.podSpecPatch)) as {
    readonly containers: readonly Container[];
    readonly volumes: readonly { readonly name: string }[];
  };

  test('beginning, nodes and the first try of the end are tasks of the agent', () => {
    const given = (name: string) =>
      (templates.get(name) as { plugin?: { tiphys: object } }).plugin?.tiphys;
    const started = '{{workflow.creationTimestamp.RFC3339}}';
    expect(given('begin')).toEqual({ action: 'begin', started });
    expect(given('node')).toEqual({
      ...{ action: 'node', node: '{{inputs.parameters.node}}' },
      ...{ run: '{{inputs.parameters.run}}', started: '{{inputs.parameters.started}}' },
    });
    expect(given('end-by-agent')).toEqual({ action: 'end', started });
    // As steps: Argo Workflows fails a DAG at once where the Workflow is stopped.
    const { steps } = templates.get('end') as { steps?: { name: string; when?: string }[][] };
    expect(steps?.flat().map(({ name, when }) => [name, when])).toEqual([
      ['end-by-agent', undefined],
      ['end-by-pod', "'{{steps.end-by-agent.status}}' != 'Succeeded'"],
    ]);
  });

  test('our program is in the place of the pod’s own, with a token that expires', () => {
    const [main] = patch.containers;
    expect([main?.name, main?.image, main?.command.at(-1)]).toEqual([
      ...['main', 'executor:1', 'agent'],
    ]);
    const volumes = patch.volumes.map(({ name }) => name);
    expect(main?.volumeMounts.map(({ name }) => name)).toEqual(volumes);
    expect(JSON.stringify(patch.volumes)).toContain('expirationSeconds');
  });

  test('the pod of the end takes back what the patch did', () => {
    const end = templates.get('end-by-pod') as Template;
    const own = JSON.parse(String(end.podSpecPatch)) as typeof patch;
    const { command, args } = end.container as Container;
    expect(own.containers).toEqual([{ name: 'main', command, args }]);
    expect(command.at(-1)).toBe('end');
  });
});
