// Commands as a user or a container calls them, in this process: on a simulated cluster, in its time.
import { setTimeout } from 'node:timers/promises';
import type { Io } from '../../src/cli/io.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { processIo } from '../../src/process.ts';

export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Caller {
  readonly clock: Clock;
  readonly files: Readonly<Record<string, string>>;
  /** Lets the cluster's time pass. */
  readonly advance: (ms: number) => Promise<void>;
}

type Program = (args: readonly string[], io: Io) => Promise<number>;

/** Modules are loaded on the way, in real time: both clocks are given a little by turns. */
export function caller({ clock, files, advance }: Caller) {
  let ids = 0;
  return async (program: Program, args: readonly string[], part: Partial<Io> = {}) => {
    const said = { stdout: '', stderr: '' };
    const io: Io = {
      ...processIo,
      ...{ clock, screen: () => undefined, onSignal: () => () => {}, ask: async () => undefined },
      stdout: (text) => (said.stdout += text),
      stderr: (text) => (said.stderr += text),
      environment: () => undefined,
      exists: (path) => path in files,
      readFile: (path) => new TextEncoder().encode(files[path]),
      randomId: () => `${++ids}0000000000`,
      ...part,
    };
    let status: number | undefined;
    let error: unknown;
    program(args, io).then(
      (end) => (status = end),
      (cause: unknown) => (error = cause),
    );
    const end = clock.monotonic() + DAY_MS;
    while (status === undefined && error === undefined && clock.monotonic() < end) {
      await advance(1_000);
      await setTimeout(0);
    }
    if (status === undefined) throw error ?? new Error('it does not come to an end');
    return { status, ...said } satisfies Ended;
  };
}

/** Far more than any of them takes: it passes quickly while modules are loaded. */
const DAY_MS = 86_400_000;
