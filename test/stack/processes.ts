// Starts, finds and ends the programs of the stack. A program runs in a session of its own and outlives the command that
// started it; what is known of it is a small record with its identity.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { binDirectory, type Config, logFile } from './config.ts';
import { Failure } from './failure.ts';
import { inside, machineHolder } from './machine.ts';
import { type Identity, isAlive, processInfo, signal } from './proc.ts';
import { waitFor } from './run.ts';

export interface Program {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it does its work; asked from this machine. */
  readonly isReady: () => Promise<boolean>;
}

interface ProgramRecord extends Identity {
  /** Of command and environment: a running program with another one is not the wanted program. */
  readonly recipe: string;
}

const recordFile = ({ state }: Config, name: string) => join(state, 'programs', `${name}.json`);

const recipeOf = ({ command, env }: Program) =>
  createHash('sha256')
    .update(JSON.stringify([command, env]))
    .digest('hex');

function readRecord(config: Config, name: string): ProgramRecord | undefined {
  const file = recordFile(config, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** The process that a program runs as; undefined where it does not run. */
export function identityOf(config: Config, name: string): Identity | undefined {
  const record = readRecord(config, name);
  return record && isAlive(record) ? record : undefined;
}

/** Undefined: never started. False: it was, and is gone. */
export function isRunning(config: Config, name: string): boolean | undefined {
  const record = readRecord(config, name);
  return record && isAlive(record);
}

/** Starts the program unless the very same one runs; one with another command line is replaced. */
export async function start(config: Config, program: Program): Promise<void> {
  const record = readRecord(config, program.name);
  if (record && isAlive(record)) {
    if (record.recipe === recipeOf(program)) return;
    await rm(recordFile(config, program.name)); // From now on its end is no failure.
    await stop(record, program.name);
  }
  const holder = await machineHolder(config);
  if (!holder) throw new Error(`'${program.name}' cannot start: there is no machine to run it in`);
  await mkdir(dirname(recordFile(config, program.name)), { recursive: true });
  await mkdir(dirname(logFile(config, program.name)), { recursive: true });
  const temporary = join(config.state, 'tmp');
  await mkdir(temporary, { recursive: true });
  const log = openSync(logFile(config, program.name), 'a');
  const [enter, ...args] = [...inside(holder), ...program.command] as [string, ...string[]];
  const child = spawn(enter, args, {
    detached: true,
    stdio: ['ignore', log, log],
    // No proxy or kubeconfig of the caller: from in there, nothing outside can be reached anyway.
    env: { HOME: process.env.HOME, TMPDIR: temporary, PATH: searchPath(config), ...program.env },
  });
  child.unref();
  const info = child.pid === undefined ? undefined : processInfo(child.pid);
  if (!info) throw await died(config, program.name);
  const { pid, startTicks, boot } = info;
  const next: ProgramRecord = { pid, startTicks, boot, recipe: recipeOf(program) };
  writeRecord(config, program.name, next);
}

/** Argo CD calls git and helm, containerd its shim and runc, kube-proxy iptables. */
const searchPath = (config: Config) => `${binDirectory(config)}:${process.env.PATH ?? ''}`;

/** Whole or not at all: other parts of this command, and other commands, read it at any time. */
function writeRecord(config: Config, name: string, record: ProgramRecord): void {
  const file = recordFile(config, name);
  writeFileSync(`${file}.part`, JSON.stringify(record));
  renameSync(`${file}.part`, file);
}

/** Asks it to end, then makes it. */
async function stop(identity: Identity, name: string): Promise<void> {
  if (!signal(identity, 'SIGTERM')) return;
  const gone = () => !isAlive(identity);
  await waitFor(`'${name}' to end`, gone, { timeoutMs: 10_000 }).catch(() => {
    signal(identity, 'SIGKILL');
  });
  await waitFor(`'${name}' to be gone`, gone);
}

/** Ends it at once, as a crash would. False: it did not run. */
export async function kill(config: Config, name: string): Promise<boolean> {
  const record = readRecord(config, name);
  if (!record || !signal(record, 'SIGKILL')) return false;
  await waitFor(`'${name}' to be gone`, () => !isAlive(record), { intervalMs: 20 });
  return true;
}

/** Waits until the programs are ready; names the first of all that ended meanwhile. */
export async function untilReady(config: Config, programs: readonly Program[]): Promise<void> {
  for (const program of programs) {
    await waitFor(
      `'${program.name}' to be ready (log: ${logFile(config, program.name)})`,
      async () => {
        await checkAlive(config);
        return program.isReady();
      },
      { timeoutMs: 90_000, intervalMs: 100 },
    );
  }
}

/** Does some work, and gives up on it when a program of the stack ends meanwhile. */
export async function whileAlive<T>(config: Config, work: Promise<T>): Promise<T> {
  let done = false;
  const watch = async (): Promise<never> => {
    for (;;) {
      if (!done) await checkAlive(config);
      await new Promise((resolve) => setTimeout(resolve, 250).unref());
    }
  };
  return Promise.race([work, watch()]).finally(() => {
    done = true;
  });
}

async function checkAlive(config: Config): Promise<void> {
  for (const name of startedPrograms(config)) {
    if (isRunning(config, name) === false) throw await died(config, name);
  }
}

/** Drops what is known of programs that ended before: they are to be started anew, not to be complained about. */
export async function forgetEnded(config: Config): Promise<void> {
  for (const name of startedPrograms(config)) {
    if (!isRunning(config, name)) await rm(recordFile(config, name));
  }
}

/** The names of those that were started, whether they run or not. */
export function startedPrograms(config: Config): string[] {
  const directory = join(config.state, 'programs');
  return existsSync(directory)
    ? readdirSync(directory)
        .filter((file) => file.endsWith('.json'))
        .map((file) => file.replace(/\.json$/, ''))
    : [];
}

async function died(config: Config, name: string): Promise<Failure> {
  const tail = await logTail(config, name, 20);
  return new Failure(
    `'${name}' ended. The end of its log (${logFile(config, name)}):\n${tail.replace(/^/gm, '  ')}`,
  );
}

/** The last lines of a program's log. Logs grow large, so only the end is read. */
export async function logTail(config: Config, name: string, lines: number): Promise<string> {
  const file = await open(logFile(config, name)).catch(() => undefined);
  if (!file) return '(no log)';
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, lines * 1000));
    await file.read(buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } finally {
    await file.close();
  }
}
