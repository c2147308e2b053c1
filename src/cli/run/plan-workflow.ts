// A plan as a Workflow of Argo Workflows, with the files that it is generated from.
import type { CompileOptions, Shape } from '../../engines/argo-workflows/compile-workflow.ts';
import { renderDuration } from '../../model/duration.ts';
import { renderWarning } from '../../view/lines.ts';
import type { Planned, PlanningOptions } from '../input/planning.ts';
import type { Io } from '../io.ts';

interface Options extends PlanningOptions {
  readonly image?: string;
  readonly nodes?: Shape;
}

export async function renderWorkflow(io: Io, planned: Planned, options: Options): Promise<string> {
  const { compileWorkflow } = await import('../../engines/argo-workflows/compile-workflow.ts');
  const { renderYaml } = await import('../../view/data.ts');
  const { plan } = planned;
  const { files, workflow, layered } = compileWorkflow(plan, compileOptions(io, planned, options));
  if (layered) {
    const [takes, would] = [layered.expectedDuration, plan.expectedDuration].map(renderDuration);
    io.stderr(
      renderWarning(
        `${plan.nodes.length} nodes exceed the limit of one DAG: they run in ${layered.layers} layers, in about ${takes} instead of ${would}`,
      ),
    );
  }
  if (options.image === undefined) {
    const { image } = compileOptions(io, planned, options);
    const notice = `the Workflow uses the image ${image}, which is not in a public registry; set yours with --image`;
    io.stderr(renderWarning(notice));
  }
  return `${renderYaml(files)}---\n${renderYaml(workflow)}`;
}

export function compileOptions(
  io: Io,
  { compiled, sources }: Planned,
  options: Options,
): CompileOptions {
  return {
    namespace: compiled.platform.workflowsNamespace,
    nodes: options.nodes ?? 'agent',
    image: options.image ?? `tiphys-executor:${io.version()}`,
    platformFile: sources[0].text,
    environmentFile: sources[1]?.text,
    scopeArguments: [
      ...(options.scope ?? []).flatMap((scope) => ['--scope', scope]),
      ...(options.withDependencies ? ['--with-dependencies'] : []),
    ],
  };
}
