// The executor as a container runtime starts it, but in this process: variables and mounts are what a test gives it, and
// nothing of this machine is seen.

import type { Io } from '../../../src/cli/io.ts';
import type { ExecutorReport } from '../../../src/executor/executor-report.ts';
import { runExecutor } from '../../../src/executor/run-executor.ts';
import { processIo } from '../../../src/process.ts';

export interface Container {
  readonly environment?: Readonly<Record<string, string>>;
  /** Path in the container -> text, or the file of this machine that lies there. */
  readonly mounts?: Readonly<Record<string, string | { readonly file: string }>>;
  readonly io?: Partial<Io>;
}

export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly report: ExecutorReport;
  /** The log, parsed where it is JSON. */
  readonly log: readonly Record<string, string>[];
  /** What it wrote to files. */
  readonly written: ReadonlyMap<string, string>;
}

const isMounted = (path: string) => /^\/(?:config|secrets)\//.test(path);

export async function execute(args: readonly string[], container: Container = {}): Promise<Ended> {
  const { environment = {}, mounts = {} } = container;
  let [stdout, stderr] = ['', ''];
  const written = new Map<string, string>();
  const io: Io = {
    ...processIo,
    stdout: (text) => (stdout += text),
    stderr: (text) => (stderr += text),
    environment: (name) => environment[name],
    exists: (path) => (isMounted(path) ? path in mounts : processIo.exists(path)),
    readFile: (path, most) => {
      if (!isMounted(path)) return processIo.readFile(path, most);
      const mount = mounts[path];
      if (mount === undefined) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
      return typeof mount === 'string'
        ? new TextEncoder().encode(mount)
        : processIo.readFile(mount.file, most);
    },
    writeFile: (path, text) => void written.set(path, text),
    ...container.io,
  };
  const status = await runExecutor(args, io);
  const log = stderr.startsWith('{')
    ? stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
  return { status, stdout, stderr, report: parsed(stdout), log, written };
}

function parsed(stdout: string): ExecutorReport {
  return stdout.startsWith('{') ? JSON.parse(stdout) : ({} as ExecutorReport);
}
