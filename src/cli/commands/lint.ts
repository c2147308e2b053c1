// tiphys lint: what orders Applications besides the graph. Reads only.
import { Option } from 'commander';
import { EXIT, type ExitStatus } from '../../errors.ts';
import type { Material } from '../../import/material.ts';
import type { LintReport } from '../../lint/finding.ts';
import type { LintInput } from '../../lint/lint.ts';
import { type CommandSpec, type Context, outputOption, QUIET } from '../command.ts';
import { readMaterial } from '../import/read-material.ts';
import { checkSource, SOURCE_OPTIONS, type SourceOptions } from '../import/source-options.ts';
import { CONNECTION } from '../input/connection.ts';
import { planFor } from '../input/planning.ts';
import type { Io } from '../io.ts';

interface Options extends SourceOptions {
  readonly file?: string;
  readonly environment?: string;
  readonly output: 'text' | 'json' | 'sarif' | 'patches';
  readonly quiet?: boolean;
}

export const lintCommand: CommandSpec = {
  name: 'lint',
  description:
    'Find Jobs, hooks, init containers and sync waves that order Applications instead of the graph. Changes nothing.',
  examples: [
    ['tiphys lint --from-cluster', 'what runs in the cluster'],
    ['tiphys lint --from . -f platform.yaml', 'a repository, beside the graph that it should use'],
    ['tiphys lint --from . -o sarif > lint.sarif', 'for code scanning'],
    [
      'tiphys lint --from . -o patches > patches.yaml',
      'Kustomize patches that remove what only waits',
    ],
  ],
  statuses: {
    [EXIT.ok]: 'nothing to fix; notes alone do not count',
    [EXIT.failure]: 'no access',
    [EXIT.partial]: 'errors or warnings were found, or something could not be checked',
  },
  options: [
    ...SOURCE_OPTIONS,
    new Option('-f, --file <file>', 'platform file: check sync waves against its graph'),
    new Option('-e, --environment <file>', 'environment file of that platform'),
    outputOption('text', 'json', 'sarif', 'patches'),
    QUIET,
    ...CONNECTION,
  ],
  action: lintAction,
};

async function lintAction(context: Context, options: Options): Promise<ExitStatus> {
  const { io } = context;
  checkSource(options);
  const material = await readMaterial(io, options, await context.output(notesOf(options)));
  const order = await orderOf(io, options, material);
  const [{ lintPlatform }, { isClean }, { propose }] = await Promise.all([
    import('../../lint/lint.ts'),
    import('../../lint/finding.ts'),
    import('../../import/propose.ts'),
  ]);
  const { notes } = propose(material, { platform: 'platform' });
  const report = lintPlatform({ material, notes, ...(order && { order }) });
  const { placesIn } = await import('../import/lint-places.ts');
  const placed = { ...report, findings: placesIn(io, options, material, report.findings) };
  io.stdout(await rendered(placed, options.output, io.version()));
  return isClean(report) ? EXIT.ok : EXIT.partial;
}

/** Progress belongs to people: not beside a document for a program. */
const notesOf = ({ output, quiet }: Options) => ({
  output: 'text' as const,
  quiet: quiet === true || output !== 'text',
});

async function rendered(
  report: LintReport,
  format: Options['output'],
  version: string,
): Promise<string> {
  const { renderJson } = await import('../../view/lines.ts');
  if (format === 'json') return renderJson(report);
  if (format === 'sarif') {
    const { sarifOf } = await import('../../lint/sarif.ts');
    return renderJson(sarifOf({ report, version }));
  }
  const { renderLint, renderPatches } = await import('../../view/lint-text.ts');
  return format === 'patches' ? renderPatches(report) : renderLint(report);
}

/** Which Application starts after which, by the platform file. */
async function orderOf(
  io: Io,
  { file, environment }: Options,
  { applications }: Material,
): Promise<LintInput['order']> {
  if (file === undefined) return undefined;
  const { fileGraph } = await import('../../import/diff/file-graph.ts');
  const { compiled } = await planFor(io, 'deploy', { file, environment });
  const { nodes, waits } = fileGraph(compiled, applications);
  const comesAfter = (dependent: string, dependency: string) => {
    const [one, other] = [nodes.get(dependent), nodes.get(dependency)];
    return one !== undefined && other !== undefined && waits(one.begins, other.ends);
  };
  return { known: new Set(nodes.keys()), comesAfter };
}
