// What a command may use of its environment, passed in by main.ts. Tests pass in their own.
import type { Lua } from '../health/lua.ts';
import type { Clock } from '../ports/clock.ts';
import type { ProgramEnd } from '../preflight/preflight-context.ts';
import type { Trigger } from '../run/started-by.ts';

interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
  /** A pipe, a socket or a device: to read it could take for ever. */
  readonly isSpecial?: boolean;
}

interface ProgramCall {
  /** Found on the PATH of this process, unless it is a path. */
  readonly program: string;
  readonly args: readonly string[];
  /** The program is stopped after this time, or by the signal. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Where it starts; by default where this process did. */
  readonly folder?: string;
  /** In addition to those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface FollowOptions {
  /** In addition to those of this process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Each line of its output, of either kind. */
  readonly heard: (line: string) => void;
  /** Asks it to end, as Ctrl-C does. */
  readonly stop: AbortSignal;
}

export type Stream = 'stdout' | 'stderr';
export type ColorChoice = 'auto' | 'always' | 'never';

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
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
  /** Makes the folders that are missing. With `isNew` it fails where something exists already. Throws as node:fs does. */
  readonly writeFile: (path: string, text: string, how?: { readonly isNew: boolean }) => void;
  /** Runs a program to its end, without a terminal. A program that cannot be run counts as ended. */
  readonly runProgram: (call: ProgramCall) => Promise<ProgramEnd>;
  readonly version: () => string;
  /** A kubeconfig passed as text; undefined: it is looked up as kubectl does. */
  readonly kubeconfigText?: string;
  /** The API server as seen from a pod, if only that may be used. */
  readonly inCluster?: { readonly host: string; readonly port: string };
  /** What called the program; undefined: a user on the command line. */
  readonly trigger?: Trigger;
  readonly environment: (name: string) => string | undefined;
  /** A file that exists, readable by this user only, while the work runs. */
  readonly withFile: <T>(
    name: string,
    text: string,
    work: (path: string) => Promise<T>,
  ) => Promise<T>;
  /** The folder that relative paths start from. */
  readonly folder: () => string;
  /** Runs a program to its end. Returns its exit status; undefined if there is no such program. */
  readonly follow: (
    program: string,
    args: readonly string[],
    options: FollowOptions,
  ) => Promise<number | undefined>;
  /** Argo CD's Lua, started on first use. */
  readonly lua: Lua;
  readonly clock: Clock;
  /** Resolves when all pending work that needs no outside event is done. */
  readonly turn: () => Promise<void>;
  /** From 0 to 1, for spreading retries in time. */
  readonly random: () => number;
  readonly randomId: () => string;
  /** Host and process id, to show to users. */
  readonly processName: () => string;
  /** The size of the terminal that a stream is; undefined: it is none. */
  readonly terminal: (stream: Stream) => TerminalSize | undefined;
  /** --color, before the environment is asked. */
  readonly color?: ColorChoice;
  /** The size of the terminal for progress; undefined if nothing may be redrawn. */
  readonly screen: () => TerminalSize | undefined;
  /** Asks the user at the terminal; undefined without a terminal. */
  readonly ask: (question: string) => Promise<string | undefined>;
  /** The process ends after this many milliseconds at the latest, even with open connections. */
  readonly endWithin: (ms: number, exitStatus: number) => void;
  /** The listener is called at each request to stop. The returned function removes it. */
  readonly onSignal: (listener: () => void) => () => void;
}
