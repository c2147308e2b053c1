// tiphys health coverage: which kinds of the platform have a health, and from where.
import type { Command } from 'commander';
import { EXIT, TiphysError } from '../../errors.ts';
import type { Coverage, CoverageInput } from '../../health/coverage.ts';
import { quote } from '../../model/names.ts';
import type { Platform } from '../../model/platform.ts';
import { renderWarning } from '../../view/lines.ts';
import { type Context, createCommand, outputOption } from '../command.ts';
import { type ConnectionOptions, connectTo, withConnection } from '../input/connection.ts';
import { planFor } from '../input/planning.ts';
import type { FileOptions } from '../input/read-source.ts';
import type { Io } from '../io.ts';
import { checksFolder, readChecks, readManifests } from './health-files.ts';

interface Options extends FileOptions, ConnectionOptions {
  readonly output: 'text' | 'json';
  readonly manifests?: string;
  readonly checks?: string;
  readonly strict?: boolean;
  readonly draft?: string;
}

export function healthCoverageCommand(context: Context): Command {
  const command = createCommand({
    name: 'coverage',
    readsFiles: true,
    description:
      'Show every kind of the platform with the source of its health. A kind with a status that nothing looks at is a warning: its gate would open too early.',
    examples: [
      ['tiphys health coverage', 'of the platform as Argo CD has it'],
      [
        'tiphys health coverage --manifests rendered/',
        'of manifests, with the checks that would be rendered',
      ],
      ['tiphys health coverage --strict', 'for a pipeline: uncovered kinds are errors'],
      ['tiphys health coverage --draft example.org/Thing', 'a check to begin with'],
    ],
    statuses: {
      [EXIT.failure]: '--strict: a kind is uncovered; or no access to the cluster',
    },
  })
    .option('--manifests <folder>', 'look at manifests, not at a cluster: APPLICATION/*.yaml')
    .option('--checks <folder>', 'the checks that are ours (default: those of Tiphys)')
    .option('--draft <kind>', 'print a check for an uncovered kind, GROUP/KIND, to begin with')
    .option('--strict', 'uncovered kinds are errors')
    .addOption(outputOption(['text', 'json']));
  return withConnection(command).action((options: Options) => coverageAction(context, options));
}

async function coverageAction({ io, finish }: Context, options: Options): Promise<void> {
  const [{ coverageOf }, { renderCoverage }, { renderJson }] = await Promise.all([
    import('../../health/coverage.ts'),
    import('../../view/health-text.ts'),
    import('../../view/data.ts'),
  ]);
  const { compiled } = await planFor(io, 'deploy', options);
  const coverage = coverageOf(await inputOf(io, compiled.platform, options));
  if (options.draft !== undefined) {
    io.stdout(draftOf(coverage, options.draft));
    return finish(EXIT.ok);
  }
  io.stdout(options.output === 'json' ? renderJson(coverage) : renderCoverage(coverage));
  finish(options.strict && coverage.uncovered > 0 ? EXIT.failure : EXIT.ok);
}

async function inputOf(io: Io, platform: Platform, options: Options): Promise<CoverageInput> {
  const checks = readChecks(io, checksFolder(io, options.checks));
  const common = { platform: platform.name, checks, accepted: platform.acceptedKinds };
  if (options.manifests !== undefined) {
    const [{ kindsOfManifests }, { entriesOf }] = await Promise.all([
      import('../../health/manifests.ts'),
      import('../../health/render.ts'),
    ]);
    const { uses, custom, unread } = kindsOfManifests(readManifests(io, options.manifests));
    for (const file of unread) io.stderr(renderWarning(`${file} is no YAML and was not looked at`));
    return { ...common, uses, custom, settings: await entriesOf(checks, io.lua) };
  }
  const target = await connectTo(io, options, platform.argocdNamespace);
  const { kindsInUse } = await import('../../health/live.ts');
  const [uses, settings, custom] = await Promise.all([
    kindsInUse(platform, target),
    target.kinds.settings(),
    target.kinds.custom(),
  ]);
  return { ...common, uses, settings, custom };
}

function draftOf({ kinds }: Coverage, wanted: string): string {
  const draft = kinds.find(({ kind }) => kind === wanted)?.draft;
  if (draft) return draft;
  const message = `There is nothing to draft a check for ${quote(wanted)} from.`;
  const hint = 'It must be uncovered and have conditions or a phase: see `tiphys health coverage`.';
  throw new TiphysError([{ code: 'health-check-missing', message, hint }]);
}
