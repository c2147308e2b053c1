// What may stand where the cursor is. Reads files, and for runs the cluster; starts no program and asks no questions.
import { basename, dirname } from 'node:path';
import type { Option } from 'commander';
import { FAULTS, type FaultKind } from '../../rehearsal/fault-table.ts';
import { FILES } from '../command.ts';
import { readConfigFile, setDefaults } from '../defaults/read-defaults.ts';
import { CONFIG, settableOf } from '../defaults/settable-option.ts';
import { KUBERNETES } from '../input/connection.ts';
import { readSource } from '../input/read-source.ts';
import type { Io } from '../io.ts';
import { optionValue } from './line.ts';
import type { NameKind } from './name-kinds.ts';
import { type PlatformNames, platformNames } from './platform-names.ts';

/** A larger file takes too long to parse for a user who waits at a prompt. */
const BYTES_MAX = 4_000_000;

export interface Question {
  readonly kind: NameKind;
  /** What is there of the word. */
  readonly word: string;
  /** The others of the line, without quotes. */
  readonly line: readonly string[];
}

type Offer = (io: Io, question: Question, found: Settings) => Promise<readonly string[]>;

const OFFERS: Readonly<Record<NameKind, Offer>> = {
  context: contexts,
  run: runs,
  application: named(({ applications }) => applications),
  fault: named(({ applications }, word) => faults(word, applications)),
  scope: named(({ applications, stacks }, word) =>
    either(word, ['platform', ...ofStacks(stacks), ...ofApplications(applications)], applications),
  ),
  reference: named(({ applications, stacks }, word) =>
    either(word, [...applications, ...ofStacks(stacks)], ofApplications(applications)),
  ),
  approval: named(({ approvals: { applications, stacks } }, word) =>
    either(word, [...applications, ...ofStacks(stacks)], ofApplications(applications)),
  ),
};

export async function candidates(io: Io, question: Question): Promise<readonly string[]> {
  return await OFFERS[question.kind](io, question, await settings(io, question));
}

function named(choose: (names: PlatformNames, word: string) => readonly string[]): Offer {
  return async (io, { word }, { file = '' }) =>
    choose(platformNames(readSource(plainOnly(io), file, '')), word);
}

const ofStacks = (names: readonly string[]) => names.map((name) => `stack:${name}`);
const ofApplications = (names: readonly string[]) => names.map((name) => `app:${name}`);

async function contexts(io: Io, _: Question, { kubeconfig }: Settings): Promise<readonly string[]> {
  const { contextNames } = await import('../../targets/kubernetes/kubeconfig.ts');
  return await contextNames({ kubeconfig, environment: io.environment });
}

/** The usual form of a reference; the other one where that does not fit. */
function either(word: string, usual: readonly string[], other: readonly string[]) {
  return usual.some((one) => one.startsWith(word)) ? usual : other;
}

/** The application first, then what may happen to it. */
function faults(word: string, applications: readonly string[]): string[] {
  const named = applications.map((name) => `app:${name}`);
  const whole = named.find((one) => word === one || word.startsWith(`${one} `));
  const lines = (of: (kind: FaultKind) => boolean, subject?: string) =>
    FAULTS.filter(of).map((kind) => faultLine(kind, subject ?? kind.subject));
  if (whole !== undefined) return lines(({ subject }) => subject === 'app', whole);
  return [...named, ...lines(({ subject }) => subject !== 'app')];
}

function faultLine({ effect, terms }: FaultKind, subject: string): string {
  const { at, by } = terms;
  return [
    `${subject} ${effect}`,
    ...(at === 'needed' ? ['at 1m'] : []),
    ...(by === 'needed' ? ['by 5m'] : []),
  ].join(' ');
}

type Settings = Readonly<Record<string, string | undefined>>;

/** Of the files and the cluster, as the command itself would find them. */
async function settings(io: Io, { line }: Question): Promise<Settings> {
  const given = (option: Option) => optionValue(line, [option.short, option.long]);
  const options = settableOf([...FILES, ...KUBERNETES]);
  const file = await readConfigFile(plainOnly(io), given(CONFIG));
  const set = setDefaults(io, options, file);
  return Object.fromEntries(
    options.map((option) => [
      option.attributeName(),
      given(option) ?? set.find((one) => one.option === option)?.value ?? option.defaultValue,
    ]),
  ) as Settings;
}

/** Standard input, a pipe or a device could take for ever. */
const plainOnly = (io: Io): Io => ({
  ...io,
  readFile: (path) => {
    const real = path === '-' ? path : io.realPath(path);
    const entry = io.listFolder(dirname(real)).find(({ name }) => name === basename(real));
    if (!entry || entry.isFolder || entry.isSpecial) throw new Error('not a file');
    const bytes = io.readFile(real, BYTES_MAX + 1);
    if (bytes.length > BYTES_MAX) throw new Error('too large');
    return bytes;
  },
});

/** The newest first. A login that needs a program, perhaps with a browser, is not for a key press. */
async function runs(io: Io, _: Question, found: Settings): Promise<readonly string[]> {
  const { file = '', environment, kubeconfig, context } = found;
  const [{ planFor }, { connectToPlace }, { listRuns }] = await Promise.all([
    import('../input/planning.ts'),
    import('../../targets/connect.ts'),
    import('../../session/record/history.ts'),
  ]);
  const { compiled } = await planFor(plainOnly(io), 'deploy', { file, environment });
  const { name, argocdNamespace: namespace } = compiled.platform;
  const runProgram: Io['runProgram'] = async () => ({ kind: 'missing' });
  const place = await connectToPlace({ ...io, runProgram, kubeconfig, context, namespace });
  return (await listRuns(place.store, name)).map(({ run }) => run);
}
