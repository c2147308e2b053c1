// What a command may touch of the outside, handed in by main.ts. Tests hand in their own.
import type { Lua } from '../health/lua.ts';
import type { Clock } from '../ports/clock.ts';
import type { ProgramEnd } from '../preflight/preflight-context.ts';
import type { Trigger } from '../run/started-by.ts';

interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

interface ProgramCall {
  /** Found on the PATH of this process, unless it is a path. */
  readonly program: string;
  readonly args: readonly string[];
  /** It is ended after so long, or when the signal is given. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Beside what this process has. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface FollowOptions {
  /** Beside what this process has. */
  readonly environment: Readonly<Record<string, string>>;
  /** Each line of its output, of either kind. */
  readonly heard: (line: string) => void;
  /** Asks it to end, as Ctrl-C does. */
  readonly stop: AbortSignal;
}

export interface Io {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Reads at most so many bytes. Throws as node:fs does. `-` is standard input. */
  readonly readFile: (path: string, bytesMax: number) => Uint8Array;
  readonly exists: (path: string) => boolean;
  /** What is in a folder, by name. Throws as node:fs does. */
  readonly listFolder: (path: string) => readonly FolderEntry[];
  /** The path without links. Throws as node:fs does. */
  readonly realPath: (path: string) => string;
  /** A file or folder that comes with the program. */
  readonly shipped: (path: string) => string;
  /** Makes the folders that are missing. */
  readonly writeFile: (path: string, text: string) => void;
  /** Runs a program to its end, without a terminal. That it cannot be run is an end, too. */
  readonly runProgram: (call: ProgramCall) => Promise<ProgramEnd>;
  readonly version: () => string;
  /** A kubeconfig that was handed over as text; undefined: it is found as kubectl finds it. */
  readonly kubeconfigText?: string;
  /** The place inside of a cluster, where that is meant and nothing else. */
  readonly inCluster?: { readonly host: string; readonly port: string };
  /** What called the program; undefined: somebody at a command line. */
  readonly trigger?: Trigger;
  readonly environment: (name: string) => string | undefined;
  /** A file that is there, for this user alone, while the work is done. */
  readonly withFile: <T>(
    name: string,
    text: string,
    work: (path: string) => Promise<T>,
  ) => Promise<T>;
  /** The folder that relative paths are meant from. */
  readonly folder: () => string;
  /** Runs a program to its end. Gives back its exit status; undefined where there is no such program. */
  readonly follow: (
    program: string,
    args: readonly string[],
    options: FollowOptions,
  ) => Promise<number | undefined>;
  /** Argo CD's Lua, which is started at the first request. */
  readonly lua: Lua;
  readonly clock: Clock;
  /** Resolves when everything that waits for nothing outside has happened. */
  readonly turn: () => Promise<void>;
  /** From 0 to 1, for spreading retries in time. */
  readonly random: () => number;
  readonly randomId: () => string;
  /** Names this process to people: host and process id. */
  readonly processName: () => string;
  /** The size of the terminal; undefined where nothing may be drawn again. */
  readonly screen: () => { readonly columns: number; readonly rows: number } | undefined;
  /** Asks whoever sits at the terminal; undefined where nobody does. */
  readonly ask: (question: string) => Promise<string | undefined>;
  /** The process ends after so many milliseconds, whatever is still open, unless it has ended by itself. */
  readonly endWithin: (ms: number, exitStatus: number) => void;
  /** Called at each request to stop. What it returns ends the listening. */
  readonly onSignal: (listener: () => void) => () => void;
}
