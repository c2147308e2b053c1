// tiphys preflight: phase 0. Checks everything that bootstrap and deploy need. Changes nothing.
import { Option } from 'commander';
import { EXIT, type ExitStatus, TiphysError } from '../../errors.ts';
import type { PreflightReport } from '../../preflight/preflight-report.ts';
import { renderJson } from '../../view/lines.ts';
import { type CommandSpec, type Context, FILES, outputOption } from '../command.ts';
import { KUBERNETES } from '../input/connection.ts';
import { readSource } from '../input/read-source.ts';
import type { Io } from '../io.ts';
import { IMAGE_SOURCE, SECRETS } from '../options/preflight-options.ts';
import { imageOption, requireWith } from '../options/run-options.ts';
import { lookOn } from '../output/look-on.ts';
import type { PreflightOptions } from '../preflight/open-context.ts';

interface Options extends PreflightOptions {
  readonly output: 'text' | 'json';
  readonly snapshot?: string;
  readonly compare?: string;
}

export const preflightCommand: CommandSpec = {
  name: 'preflight',
  description:
    'Check every prerequisite: tools, cluster, permissions, network, credentials, leftovers. Changes nothing.',
  examples: [
    ['tiphys preflight', 'run every check and show how to fix the failed ones'],
    ['tiphys preflight --snapshot before.json', 'save the report'],
    ['tiphys preflight --compare before.json', 'show what changed since then'],
    [
      'tiphys preflight --charts charts/ --secrets secrets/',
      'for an air-gapped cluster, with credentials',
    ],
    [
      'tiphys preflight --from-cluster --image executor:1',
      'also check the network from a pod inside the cluster',
    ],
    ['tiphys preflight -o json', 'print the report as JSON'],
  ],
  statuses: {
    [EXIT.ok]: 'no check failed; there may be warnings',
    [EXIT.failure]: 'a check of the cluster or the network failed',
    [EXIT.invalid]: 'a tool, permission or credential is missing, or a file is invalid',
  },
  options: [
    ...FILES,
    new Option('--charts <folder>', 'use charts from this folder instead of downloading them'),
    SECRETS,
    IMAGE_SOURCE,
    new Option(
      '--from-cluster',
      'also check the network from a temporary pod in the cluster; requires --image',
    ),
    imageOption("image of that pod; needs Node.js, such as the executor's image"),
    new Option('--snapshot <file>', 'save the report to this file'),
    new Option('--compare <file>', 'show what changed since the report in this file'),
    outputOption('text', 'json'),
    ...KUBERNETES,
  ],
  action: preflightAction,
};

async function preflightAction({ io }: Context, options: Options): Promise<ExitStatus> {
  const { fromCluster, image, output } = options;
  if (image === undefined) requireWith('--image', { '--from-cluster': fromCluster });
  if (!fromCluster) requireWith('--from-cluster', { '--image': image });
  const before = await readSnapshot(io, options.compare);
  const { runPreflight } = await import('../preflight/run-preflight.ts');
  const report = await runPreflight(io, options);
  const { renderPreflight, renderChanges } = await import('../../view/preflight-text.ts');
  const { changesSince } = await import('../../preflight/preflight-difference.ts');
  const changes = before && changesSince(before, report);
  if (options.snapshot !== undefined) keep(io, options.snapshot, renderJson(report));
  if (output === 'json') io.stdout(renderJson(changes ? { ...report, changes } : report));
  else io.stdout(renderPreflight(report, lookOn(io, 'stdout')));
  if (output === 'text' && before) io.stdout(renderChanges(before.takenAt, changes ?? []));
  return report.exitStatus;
}

async function readSnapshot(io: Io, file?: string): Promise<PreflightReport | undefined> {
  if (file === undefined) return undefined;
  const { parseSnapshot } = await import('../../preflight/preflight-difference.ts');
  const source = readSource(io, file, 'Write one with `tiphys preflight --snapshot FILE`.');
  const snapshot = parseSnapshot(source.text);
  if (snapshot) return snapshot;
  const message = 'The file is not a report of `tiphys preflight`.';
  const hint = 'Use a file that --snapshot or -o json wrote.';
  throw new TiphysError([{ code: 'snapshot-invalid', message, hint, file }]);
}

function keep(io: Io, path: string, text: string): void {
  try {
    io.writeFile(path, text);
  } catch (cause) {
    const message = `Cannot write the snapshot: ${(cause as Error).message}.`;
    const hint = 'Choose a folder that you can write to.';
    const file = path;
    throw new TiphysError([{ code: 'file-unwritable', message, hint, file }], { cause });
  }
}
