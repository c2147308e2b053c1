// tiphys preflight: phase 0. Everything that bootstrap and deploy need, looked at in one go. Changes nothing.
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
import type { PreflightOptions } from '../preflight/open-context.ts';

interface Options extends PreflightOptions {
  readonly output: 'text' | 'json';
  readonly snapshot?: string;
  readonly compare?: string;
}

export const preflightCommand: CommandSpec = {
  name: 'preflight',
  description:
    'Look at every prerequisite at once: tools, cluster, rights, network, credentials, leftovers. Changes nothing.',
  examples: [
    ['tiphys preflight', 'every row, and what to do about those that fail'],
    ['tiphys preflight --snapshot before.json', 'keep what the cluster is like'],
    ['tiphys preflight --compare before.json', 'what is different now'],
    ['tiphys preflight --charts charts/ --secrets secrets/', 'without a network; with credentials'],
    [
      'tiphys preflight --from-cluster --image executor:1',
      'whether the cluster reaches its sources, asked by a pod of its own',
    ],
    ['tiphys preflight -o json', 'for programs'],
  ],
  statuses: {
    [EXIT.ok]: 'nothing fails; there may be warnings',
    [EXIT.failure]: 'the cluster or the network is not as it must be',
    [EXIT.invalid]: 'a tool, a right or a credential is missing; or a file is wrong',
  },
  options: [
    ...FILES,
    new Option('--charts <folder>', 'charts come from here and are not fetched'),
    SECRETS,
    IMAGE_SOURCE,
    new Option('--from-cluster', 'make a pod that asks from there, and remove it; needs --image'),
    imageOption("the pod's image, with Node.js in it, such as the executor's"),
    new Option('--snapshot <file>', 'write the report there, to compare with later'),
    new Option('--compare <file>', 'say what has changed since such a report'),
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
  else io.stdout(renderPreflight(report));
  if (output === 'text' && before) io.stdout(renderChanges(before.takenAt, changes ?? []));
  return report.exitStatus;
}

async function readSnapshot(io: Io, file?: string): Promise<PreflightReport | undefined> {
  if (file === undefined) return undefined;
  const { parseSnapshot } = await import('../../preflight/preflight-difference.ts');
  const source = readSource(io, file, 'Write one with `tiphys preflight --snapshot FILE`.');
  const snapshot = parseSnapshot(source.text);
  if (snapshot) return snapshot;
  const message = 'It is not a report of `tiphys preflight`.';
  const hint = 'Name a file that --snapshot wrote, or what -o json printed.';
  throw new TiphysError([{ code: 'snapshot-invalid', message, hint, file }]);
}

function keep(io: Io, path: string, text: string): void {
  try {
    io.writeFile(path, text);
  } catch (cause) {
    const message = `The snapshot cannot be written: ${(cause as Error).message}.`;
    const hint = 'Choose a folder that you may write to.';
    const file = path;
    throw new TiphysError([{ code: 'file-unwritable', message, hint, file }], { cause });
  }
}
