// Runs a command as a process of its own, and measures it from outside.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DIST = new URL('../dist/', import.meta.url);
export const MAIN = fileURLToPath(new URL('main.js', DIST));

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Seconds from start to end, as a user would wait. */
export function timeProcess(args: readonly string[], outputFile = '/dev/null'): number {
  const output = openSync(outputFile, 'w');
  try {
    const started = performance.now();
    run(args, output);
    return (performance.now() - started) / 1000;
  } finally {
    closeSync(output);
  }
}

// VmHWM and not maxRSS: that one counts the parent's memory from before the exec.
const METER = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from 'node:fs';
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    const memory = /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1] / 1024;
    process.stderr.write(JSON.stringify({ cpu: (user + system) / 1e6, memory }));
  });
`)}`;

interface Cost {
  /** Seconds, of all threads; a busy machine makes it longer by less than it does the wall time. */
  readonly cpu: number;
  /** The peak of resident memory, in megabytes. */
  readonly memory: number;
}

export function costOf(args: readonly string[]): Cost {
  // Before it there may be a warning.
  const said = run(['--import', METER, ...args], 'ignore');
  return JSON.parse(said.split('\n').at(-1) ?? '');
}

interface Ended extends Cost {
  readonly seconds: number;
  readonly stdout: string;
}

/** Of a command that may fail. */
export function costOfAny(args: readonly string[]): Ended {
  const started = performance.now();
  const { stdout, stderr } = spawn(['--import', METER, ...args], 'pipe');
  const seconds = (performance.now() - started) / 1000;
  return { seconds, stdout, ...JSON.parse(stderr) };
}

interface Phases {
  readonly parse: number;
  readonly plan: number;
  readonly render: number;
}

/** Seconds of each phase in one process, which has done each once before on something small. */
export function timePhases(file: string, warmUp: string): Phases {
  const script = fileURLToPath(new URL('phases.ts', import.meta.url));
  return JSON.parse(run(['--import', 'tsx', script, DIST.href, warmUp, file], 'pipe'));
}

function run(args: readonly string[], output: number | 'ignore' | 'pipe'): string {
  const { status, stdout, stderr } = spawn(args, output);
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return output === 'pipe' ? stdout : stderr;
}

function spawn(args: readonly string[], output: number | 'ignore' | 'pipe') {
  return spawnSync(process.execPath, args, {
    stdio: ['ignore', output, 'pipe'],
    encoding: 'utf8',
  });
}
