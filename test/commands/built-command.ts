// The built command, started as a user starts it, but somewhere without a cluster.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

const MAIN = resolve('dist/main.js');
export const SHOP = ['-f', 'test/goldens/fixtures/shop.yaml'];
export const REFERENCE = ['-f', 'examples/reference/platform.yaml'];

const environment = { ...process.env, KUBECONFIG: '/nowhere', ARGOCD_TOKEN_FILE: undefined };

export function tiphys(...args: readonly string[]) {
  return spawnSync(process.execPath, [MAIN, ...args], {
    encoding: 'utf8',
    env: environment,
    maxBuffer: 2 ** 27,
  });
}

/** The same without waiting for its end. */
export function start(...args: readonly string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (said.stdout += chunk));
  child.stderr.on('data', (chunk) => (said.stderr += chunk));
  const ended = once(child, 'close').then(([status]) => ({ ...said, status: status as number }));
  return { child, ended };
}

/** The last line of what was printed as JSON lines. */
export function lastLine(stdout: string) {
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
}

export interface ServedCluster {
  readonly address: string;
  /** Ends it as Ctrl-C does; resolves with its exit status. */
  readonly end: () => Promise<number>;
}

export const serve = (...args: readonly string[]): Promise<ServedCluster> =>
  serveUntil(onTestFinished, ...args);

/** `over` is told how to end it, also where something fails before. */
export async function serveUntil(
  over: (end: () => void) => void,
  ...args: readonly string[]
): Promise<ServedCluster> {
  const all = [MAIN, 'rehearse', 'serve', '--port', '0', '-o', 'json', ...args];
  const child = spawn(process.execPath, all, {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  over(() => void child.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { ...JSON.parse(line), end: () => interrupt(child) };
}

async function interrupt(child: ChildProcess): Promise<number> {
  const exit = once(child, 'exit');
  child.kill('SIGINT');
  const [status] = await exit;
  return status;
}
