// npm run bench:stack: what a deployment costs on a real Argo CD, seen from outside, against its budgets. Uses the stack of
// test/stack; one that is down is brought up and taken down again.
import { availableParallelism, loadavg } from 'node:os';
import { type Config, loadConfig } from '../test/stack/config.ts';
import { Scratch } from '../test/stack/kit/scratch.ts';
import { Stack } from '../test/stack/kit/stack.ts';
import { withLock } from '../test/stack/lock.ts';
import { machineHolder, makeMachine } from '../test/stack/machine.ts';
import { down, up } from '../test/stack/up.ts';
import { joinStack, leaveStack } from '../test/stack/users.ts';
import { isOver, renderBudgets } from './report.ts';
import { budgetsOf, renderMeasured } from './stack-report.ts';
import { measureQuiet, measureRun } from './stack-runs.ts';

const LOCK_MS = 60 * 60_000;

const config = loadConfig(process.env);
try {
  await withLock(() => enter(config), LOCK_MS);
  process.exitCode = await bench(new Stack(config));
} finally {
  await withLock(() => leave(config), LOCK_MS);
}

async function bench(stack: Stack): Promise<number> {
  process.stderr.write('deploying a platform\n');
  const run = await inScratch(stack, measureRun);
  process.stderr.write('waiting for one slow application\n');
  const quiet = await inScratch(stack, measureQuiet);
  const budgets = budgetsOf(run, quiet);
  process.stdout.write(`${renderMeasured(run, quiet)}\n${renderBudgets(budgets)}${load()}`);
  return budgets.some(isOver) ? 1 : 0;
}

async function inScratch<T>(stack: Stack, work: (scratch: Scratch) => Promise<T>): Promise<T> {
  const scratch = await Scratch.create(stack);
  try {
    return await work(scratch);
  } finally {
    await scratch.cleanUp();
  }
}

async function enter(wanted: Config): Promise<void> {
  const started = (await machineHolder(wanted)) === undefined;
  if (started) {
    await down(wanted); // What a crash left.
    await makeMachine(wanted);
  }
  await joinStack(wanted, { started });
  await up(wanted);
}

async function leave(used: Config): Promise<void> {
  if (await leaveStack(used)) await down(used);
}

/** Seconds say something only of a machine that does nothing else. */
function load(): string {
  const [busy = 0] = loadavg();
  return `load ${busy.toFixed(1)} on ${availableParallelism()} cores\n`;
}
