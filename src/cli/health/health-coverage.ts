// tiphys health coverage: which kinds of the platform have a health, and from where.
import { Option } from 'commander';
import { EXIT, type ExitStatus, TiphysError } from '../../errors.ts';
import type { Coverage, CoverageInput } from '../../health/coverage.ts';
import { quote } from '../../model/names.ts';
import type { Platform } from '../../model/platform.ts';
import { renderJson, renderWarning } from '../../view/lines.ts';
import { type CommandSpec, type Context, FILES, outputOption } from '../command.ts';
import { CONNECTION, type ConnectionOptions, connectTo } from '../input/connection.ts';
import { planFor } from '../input/planning.ts';
import type { FileOptions } from '../input/read-source.ts';
import type { Io } from '../io.ts';
import { lookOn } from '../output/look-on.ts';
import { checksFolder, readChecks, readManifests } from './health-files.ts';

interface Options extends FileOptions, ConnectionOptions {
  readonly output: 'text' | 'json';
  readonly manifests?: string;
  readonly checks?: string;
  readonly strict?: boolean;
  readonly draft?: string;
}

export const healthCoverageCommand: CommandSpec = {
  name: 'coverage',
  description:
    'Show every kind of the platform with the source of its health. Warns of kinds that have a status but no health check: an application with such a kind looks healthy too early.',
  examples: [
    ['tiphys health coverage', 'check the platform in the cluster'],
    [
      'tiphys health coverage --manifests rendered/',
      'check manifests in a folder, with the checks that would be rendered',
    ],
    ['tiphys health coverage --strict', 'fail if a kind is uncovered, for CI'],
    ['tiphys health coverage --draft example.org/Thing', 'print a draft of a check'],
  ],
  statuses: { [EXIT.failure]: '--strict: a kind is uncovered; or the cluster is not accessible' },
  options: [
    ...FILES,
    new Option(
      '--manifests <folder>',
      'check manifests in this folder (APPLICATION/*.yaml) instead of the cluster',
    ),
    new Option('--checks <folder>', 'folder with your checks (default: the built-in checks)'),
    new Option('--draft <kind>', 'print a draft of a check for an uncovered kind, GROUP/KIND'),
    new Option('--strict', 'fail if a kind is uncovered'),
    outputOption('text', 'json'),
    ...CONNECTION,
  ],
  action: coverageAction,
};

async function coverageAction({ io }: Context, options: Options): Promise<ExitStatus> {
  const { coverageOf } = await import('../../health/coverage.ts');
  const { renderCoverage } = await import('../../view/health-text.ts');
  const { compiled } = await planFor(io, 'deploy', options);
  const coverage = coverageOf(await inputOf(io, compiled.platform, options));
  if (options.draft !== undefined) {
    io.stdout(draftOf(coverage, options.draft));
    return EXIT.ok;
  }
  io.stdout(
    options.output === 'json'
      ? renderJson(coverage)
      : renderCoverage(coverage, lookOn(io, 'stdout')),
  );
  return options.strict && coverage.uncovered > 0 ? EXIT.failure : EXIT.ok;
}

async function inputOf(io: Io, platform: Platform, options: Options): Promise<CoverageInput> {
  const checks = readChecks(io, checksFolder(io, options.checks));
  const common = { platform: platform.name, checks, accepted: platform.acceptedKinds };
  if (options.manifests !== undefined) {
    const { kindsOfManifests } = await import('../../health/manifests.ts');
    const { entriesOf } = await import('../../health/render.ts');
    const { uses, custom, unread } = kindsOfManifests(readManifests(io, options.manifests));
    for (const file of unread)
      io.stderr(renderWarning(`${file} is not valid YAML and was skipped`));
    return { ...common, uses, custom, settings: await entriesOf(checks, io.lua) };
  }
  const target = await connectTo(io, options, platform, 'validate');
  const { kindsInUse } = await import('../../health/kinds-in-use.ts');
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
  const message = `Cannot draft a check for ${quote(wanted)}.`;
  const hint =
    'The kind must be uncovered and have conditions or a phase: see `tiphys health coverage`.';
  throw new TiphysError([{ code: 'health-check-missing', message, hint }]);
}
