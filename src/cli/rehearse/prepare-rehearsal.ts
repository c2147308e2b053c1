// Options and files -> a simulated cluster with the platform in it.
import { InvalidArgumentError, Option } from 'commander';
import { together } from '../../errors.ts';
import type { Platform } from '../../model/platform.ts';
import type { Source } from '../../model/source.ts';
import type { Fault } from '../../rehearsal/fault.ts';
import type { Profile } from '../../rehearsal/files.ts';
import type { Rehearsal } from '../../rehearsal/rehearsal.ts';
import { type SimulatedVersion, VERSIONS } from '../../simulator/argocd/simulated-version.ts';
import { repeatedOption } from '../command.ts';
import { readSource } from '../input/read-source.ts';
import type { Io } from '../io.ts';

export interface RehearsingOptions {
  readonly seed: number;
  readonly fault?: readonly string[];
  readonly faultFile?: string;
  readonly profile?: string;
  readonly fromRun?: string;
  readonly argocd: SimulatedVersion;
}

export const REHEARSING: readonly Option[] = [
  new Option('--seed <n>', 'random seed').default(1).argParser((text) => {
    if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Use a whole number.');
    return Number(text);
  }),
  new Option('--argocd <version>', 'version of Argo CD to simulate')
    .choices(Object.keys(VERSIONS))
    .default('3.2'),
  repeatedOption(
    '--fault <line>',
    "inject a fault, such as 'app:vault degraded after 2m'; can be repeated; see docs/rehearsal.md",
  ),
  new Option('--fault-file <file>', 'file with a YAML list of faults'),
  new Option(
    '--profile <file>',
    'file with the duration of applications: YAML {applications: {NAME: 4m}}',
  ),
  new Option(
    '--from-run <file>',
    'file with the durations of a real run, from `tiphys runs RUN -o json`',
  ),
];

export interface Rehearsing {
  readonly rehearsal: Rehearsal;
  readonly faults: readonly Fault[];
  readonly profile: Profile;
}

/** The first of January: clocks in a rehearsal show the time since its start. */
export const MIDNIGHT = 1_767_225_600_000;

export async function prepareRehearsal(
  io: Io,
  platform: Platform,
  options: RehearsingOptions,
  start: number,
): Promise<Rehearsing> {
  const files = await import('../../rehearsal/files.ts');
  const { parseFaults } = await import('../../rehearsal/parse-fault.ts');
  const { Rehearsal } = await import('../../rehearsal/rehearsal.ts');
  const { namesOf, populate } = await import('../../rehearsal/scenario.ts');
  const { holdEverything } = await import('../../rehearsal/hold-at-start.ts');
  const members = platform.stacks.flatMap(({ applications }) => applications);
  const parents = [platform, ...platform.stacks].flatMap(({ address }) => address ?? []);
  const names = [...members, ...parents].map(({ name }) => name);
  /** A fault names a single Application. */
  const single = [...members.flatMap(namesOf), ...parents.map(({ name }) => name)];
  const { fault = [], faultFile, profile, fromRun } = options;
  const read = <T>(path: string | undefined, option: string, parse: (source: Source) => T) =>
    path === undefined ? undefined : parse(readSource(io, path, missingInput(option)));
  const [typed, filed = [], measured, profiled] = together(
    () => parseFaults(fault, single),
    () => read(faultFile, '--fault-file', (source) => files.parseFaultFile(source, single)),
    () => read(fromRun, '--from-run', (source) => files.profileOfRun(source, names)),
    () => read(profile, '--profile', (source) => files.parseProfile(source, names)),
  );
  const faults = [...typed, ...filed];
  // A profile written by hand overrides measured durations.
  const durations = new Map([...(measured ?? []), ...(profiled ?? [])]);
  const rehearsal = new Rehearsal({
    seed: options.seed,
    faults,
    pace: { settle: io.turn },
    start,
    namespace: platform.argocdNamespace,
    argocd: options.argocd,
  });
  populate(rehearsal, platform, (name) => durations.get(name));
  holdEverything(rehearsal, platform);
  return { rehearsal, faults, profile: durations };
}

const missingInput = (option: string): string =>
  `Check the path given with ${option}; docs/rehearsal.md describes the file.`;
