// npm run test:stack [-- --full] [-- --argocd SHAPE] [-- -t TITLE] [-- FILE…]: brings the stack up, or uses
// the one that is up, runs the suites, and leaves the machine as it was.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ARGOCD_SHAPES, type Config, loadConfig, stackEnvironment } from './config.ts';
import { Failure, NOT_USABLE } from './failure.ts';
import { forgetInterruption, interruption, listenForInterruption } from './interrupt.ts';
import type { Lane } from './lanes.ts';
import { withLock } from './lock.ts';
import { machineHolder, makeMachine } from './machine.ts';
import { progress } from './progress.ts';
import { snapshot } from './snapshot.ts';
import { checkMachine, down, up } from './up.ts';
import { joinStack, leaveStack, otherUsers } from './users.ts';

/** Another run may be bringing the stack up, and may be building it. */
const LOCK_MS = 60 * 60_000;

interface Counts {
  passed: number;
  failed: number;
}

interface Request {
  readonly config: Config;
  readonly filters: readonly string[];
  readonly full: boolean;
  readonly scratch: string;
}

function readArguments(): Omit<Request, 'scratch'> {
  try {
    const options = {
      full: { type: 'boolean' },
      argocd: { type: 'string' },
      title: { type: 'string', short: 't' },
    } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const shape = ARGOCD_SHAPES.find((one) => one === values.argocd);
    if (values.argocd && !shape) throw new Error(`--argocd is one of ${ARGOCD_SHAPES.join(', ')}`);
    const config = loadConfig(process.env, shape);
    const title = values.title ? ['--testNamePattern', values.title] : [];
    return { config, filters: [...title, ...positionals], full: values.full ?? false };
  } catch (error) {
    throw new Failure((error as Error).message, NOT_USABLE);
  }
}

async function test(request: Request): Promise<Counts> {
  const { config } = request;
  checkMachine();
  try {
    const started = await withLock(() => enter(request), LOCK_MS);
    if (config.argocd === 'none') return await vitest('bare', request);
    const counts = await vitest('suites', request, 'shared');
    add(counts, await vitest('suites', request, 'alone'));
    const others = otherUsers(config).length;
    if (started && others === 0) add(counts, await vitest('lifecycle', request));
    else
      progress(
        `the tests of 'up' and 'down' did not run: ${others ? 'others use' : 'you keep'} the stack`,
      );
    return counts;
  } finally {
    forgetInterruption();
    await withLock(() => leave(request), LOCK_MS);
  }
}

/** Brings the stack up for us; whether it was down before. */
async function enter(request: Request): Promise<boolean> {
  const { config } = request;
  const started = (await machineHolder(config)) === undefined;
  if (started) {
    await down(config); // What a crash left is not how the machine was.
    await writeFile(snapshotFile(request), JSON.stringify(await snapshot()));
    await makeMachine(config);
  }
  await joinStack(config, { started });
  await up(config);
  return started;
}

async function leave({ config }: Request): Promise<void> {
  if (await leaveStack(config)) await down(config);
}

const snapshotFile = ({ scratch }: Request) => join(scratch, 'before.json');

function add(sum: Counts, more: Counts): void {
  sum.passed += more.passed;
  sum.failed += more.failed;
}

/** Runs the tests of one directory. What cannot be counted counts as failed. */
async function vitest(directory: string, request: Request, lane?: Lane): Promise<Counts> {
  const { config, filters, full, scratch } = request;
  const output = join(scratch, `${directory}-${lane ?? 'all'}.json`);
  const root = join(import.meta.dirname, '..', '..');
  const args = [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    ...['run', '--config', join(import.meta.dirname, 'vitest.config.ts')],
    ...['--dir', join(import.meta.dirname, directory), '--passWithNoTests'],
    ...['--reporter=verbose', '--reporter=json', `--outputFile.json=${output}`],
    ...filters,
  ];
  const env = {
    ...process.env,
    ...stackEnvironment(config, process.env),
    ...(lane ? { TIPHYS_STACK_LANE: lane } : {}),
    TIPHYS_STACK_SNAPSHOT: snapshotFile(request),
    ...(full ? { TIPHYS_STACK_FULL: '1' } : {}),
  };
  const status = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
    const end = () => child.kill('SIGTERM');
    interruption().addEventListener('abort', end);
    child.on('error', reject);
    child.on('close', resolve);
  });
  interruption().throwIfAborted();
  if (!existsSync(output)) return { passed: 0, failed: 1 };
  const result = JSON.parse(await readFile(output, 'utf8'));
  const counts = { passed: result.numPassedTests, failed: result.numFailedTests };
  if (status !== 0 && counts.failed === 0) counts.failed = 1; // A file that did not even load.
  return counts;
}

async function main(): Promise<void> {
  listenForInterruption('the machine is left as it was');
  const scratch = await mkdtemp(join(tmpdir(), 'tiphys-test-'));
  try {
    const { passed, failed } = await test({ ...readArguments(), scratch });
    console.log(`${passed} passed, ${failed} failed`);
    process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(`error: ${error.message}`);
    process.exitCode = error.exitStatus;
    if (error.exitStatus === 1) console.log('0 passed, 1 failed');
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

await main();
