// Runs the real command the way users do, and measures what it cost.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const FILE = 'platform.yaml';

/** What platform.yaml holds, or the size of a file of zeros, or what is to be read in its place. */
export type Input =
  | string
  | Uint8Array
  | { readonly size: number }
  | { readonly stdin: Uint8Array }
  | { readonly path: string }
  | { readonly platform: string; readonly environment: string };

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Seconds, of all the threads of the process; other than wall time it does not depend on what else is running. */
  readonly cpu: number;
  readonly wall: number;
  /** The peak, in megabytes. */
  readonly memory: number;
}

// VmHWM and not maxRSS: that one counts the parent's memory from before the exec.
const METER = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync, writeSync } from 'node:fs';
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    const memory = /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1] / 1024;
    writeSync(3, JSON.stringify({ cpu: (user + system) / 1e6, memory }));
  });
`)}`;

export async function plan(input: Input, ...options: string[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'tiphys-bad-input-'));
  try {
    return await run(folder, write(folder, input), options, input);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns what to name with -f. */
function write(folder: string, input: Input): string {
  const path = join(folder, FILE);
  if (typeof input === 'string' || input instanceof Uint8Array) writeFileSync(path, input);
  else if ('path' in input) return input.path;
  else if ('stdin' in input) return '-';
  else if ('platform' in input) {
    writeFileSync(path, input.platform);
    writeFileSync(join(folder, 'environment.yaml'), input.environment);
  } else {
    writeFileSync(path, '');
    truncateSync(path, input.size);
  }
  return FILE;
}

async function run(cwd: string, file: string, options: readonly string[], input: Input) {
  const started = performance.now();
  const args = ['--import', METER, MAIN, 'plan', '-f', file, ...options];
  const stdio = ['pipe', 'pipe', 'pipe', 'pipe'] as const;
  const child = spawn(process.execPath, args, { cwd, stdio: [...stdio], timeout: 100_000 });
  // The command may stop reading before the end.
  child.stdin?.on('error', () => {});
  child.stdin?.end(typeof input === 'object' && 'stdin' in input ? input.stdin : undefined);
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const streams = child.stdio.slice(1).map((stream) => text(stream as NodeJS.ReadableStream));
  const [status, stdout = '', stderr = '', meter = ''] = await Promise.all([exit, ...streams]);
  const wall = (performance.now() - started) / 1000;
  if (meter === '') throw new Error(`The process died with status ${status}: ${stderr}`);
  return {
    status,
    stdout,
    stderr,
    wall,
    ...(JSON.parse(meter) as { cpu: number; memory: number }),
  };
}
