// The process as commands see it: the one file that touches what is global.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface as readLines } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { FollowOptions, Io, Stream, TerminalSize } from './cli/io.ts';
import type { Lua } from './health/lua.ts';

/** Every application that waits listens for the run's one signal: more than ten are no leak. */
setMaxListeners(0);

const STDIN = 0;
/** Most files are small, and a large buffer for each of thousands costs more than reading them. */
const FIRST_CHUNK = 1 << 14;
const CHUNK = 1 << 20;

/** Pipes and devices do not say how much they hold, and some never end. */
function readAtMost(file: number, bytesMax: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  let next = FIRST_CHUNK;
  for (let left = bytesMax; left > 0; next = Math.min(2 * next, CHUNK)) {
    const chunk = Buffer.allocUnsafe(Math.min(left, next));
    const size = readSome(file, chunk);
    if (size === 0) break;
    chunks.push(chunk.subarray(0, size));
    left -= size;
  }
  return Buffer.concat(chunks);
}

/** A pipe that has nothing yet is asked again; a terminal on Windows ends with an error. */
function readSome(file: number, chunk: Uint8Array): number {
  for (;;) {
    try {
      return readSync(file, chunk);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** Standard input gives what it has once, and a command may look at its file again. */
let stdin: Uint8Array | undefined;

function readFile(path: string, bytesMax: number): Uint8Array {
  if (path === '-') {
    stdin ??= readAtMost(STDIN, bytesMax);
    return stdin;
  }
  const file = openSync(path, 'r');
  try {
    return readAtMost(file, bytesMax);
  } finally {
    closeSync(file);
  }
}

/** A link to any place counts as well: what is written to it would land there. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Something above it is no folder.
    return false;
  }
}

/** One level at a time: for a folder that cannot be, `recursive` of Node 20 may never end. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}

/** setTimeout takes no more than 31 bits of milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(Math.max(0, ms), LONGEST_TIMER));
    signal?.addEventListener('abort', end, { once: true });
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** Beyond it memory would run out, for a chart that means harm. */
const OUTPUT_MAX = 64 * 1024 * 1024;
const TOO_MUCH = 'it printed more than 64 MiB';

const runProgram: Io['runProgram'] = ({ program, args, timeoutMs, signal, folder, environment }) =>
  new Promise((resolve) => {
    const env = { ...process.env, ...environment };
    // Its own group, so that what it starts ends with it.
    const child = spawn(program, args, {
      ...{ env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    });
    let late = false;
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
        if (output[name].length <= OUTPUT_MAX) return;
        resolve({ kind: 'ended', status: null, stdout: '', stderr: TOO_MUCH });
        end();
      });
    }
    const end = () => {
      late = true;
      if (child.pid !== undefined) endGroup(child.pid);
      // What left the group may hold its streams open for ever.
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      resolve({ kind: 'late' });
    };
    const timer = setTimeout(end, timeoutMs);
    signal?.addEventListener('abort', end, { once: true });
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    };
    child.on('error', () => {
      settle();
      resolve({ kind: 'missing' });
    });
    child.on('close', (status) => {
      settle();
      resolve(late ? { kind: 'late' } : { kind: 'ended', status, ...output });
    });
  });

async function withFile<T>(
  name: string,
  text: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tiphys-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // The file may hold credentials: it also goes when the process is made to exit while the work is in progress.
  process.once('exit', remove);
  try {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return await work(join(folder, name));
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** Without a shell: arguments are passed as they are. */
function follow(
  program: string,
  args: readonly string[],
  { environment, heard, stop }: FollowOptions,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...environment };
    // Its own group: Ctrl-C reaches it through us, and once.
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const end = () => child.kill('SIGINT');
    stop.addEventListener('abort', end, { once: true });
    for (const stream of [child.stdout, child.stderr]) {
      readLines({ input: stream }).on('line', heard);
    }
    child.on('error', (error: NodeJS.ErrnoException) => {
      stop.removeEventListener('abort', end);
      if (error.code === 'ENOENT') resolve(undefined);
      else reject(error);
    });
    child.on('close', (status) => {
      stop.removeEventListener('abort', end);
      resolve(status ?? 1);
    });
  });
}

const shipped = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

let started: Promise<Lua> | undefined;

const lua: Lua = async (request) => {
  started ??= import('./lua/engine.ts').then(({ createLua }) =>
    createLua({
      engine: shipped('lua/engine.wasm.br'),
      // A thread begins with a file, and Node.js takes only a compiled one.
      worker: shipped('dist/lua/worker.js'),
      sleep,
    }),
  );
  return (await started)(request);
};

/** Some terminals do not say how large they are. */
function terminal(stream: Stream): TerminalSize | undefined {
  const { isTTY, columns, rows } = process[stream];
  return isTTY ? { columns: columns || 80, rows: rows || 24 } : undefined;
}

export const processIo: Io = {
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  readFile,
  exists,
  listFolder: (path) =>
    readdirSync(path, { withFileTypes: true })
      .map((entry) => ({
        name: entry.name,
        isFolder: entry.isDirectory(),
        isSpecial: !(entry.isDirectory() || entry.isFile() || entry.isSymbolicLink()),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  realPath: realpathSync,
  shipped,
  writeFile: (path, text, how) => {
    makeFolder(dirname(path));
    writeFileSync(path, text, { flag: how?.isNew ? 'wx' : 'w' });
  },
  runProgram,
  version: () =>
    JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version,
  environment: (name) => process.env[name],
  withFile,
  folder: () => process.cwd(),
  follow,
  lua,
  clock: { now: () => Date.now(), monotonic: () => performance.now(), sleep },
  turn: () => new Promise((resolve) => setImmediate(resolve)),
  random: Math.random,
  randomId: () => randomBytes(5).toString('hex'),
  processName: () => `${hostname()}/${process.pid}`,
  terminal,
  screen: () => (process.env.CI || process.env.TERM === 'dumb' ? undefined : terminal('stderr')),
  ask: async (question) => {
    if (!process.stdin.isTTY || !process.stderr.isTTY || process.env.CI) return undefined;
    const { createInterface } = await import('node:readline/promises');
    const asking = createInterface({ input: process.stdin, output: process.stderr });
    const given = new AbortController();
    for (const event of ['SIGINT', 'close']) asking.on(event, () => given.abort());
    try {
      return (await asking.question(question, { signal: given.signal })).trim();
    } catch {
      // Ctrl-C, or the end of the input: no answer is no consent.
      return '';
    } finally {
      asking.close();
    }
  },
  endWithin: (ms, exitStatus) => {
    setTimeout(() => process.exit(process.exitCode ?? exitStatus), ms).unref();
  },
  onSignal: (listener) => {
    process.on('SIGINT', listener);
    process.on('SIGTERM', listener);
    return () => {
      process.off('SIGINT', listener);
      process.off('SIGTERM', listener);
    };
  },
};
