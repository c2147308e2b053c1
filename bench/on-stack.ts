// The stack of test/stack for a benchmark; one that is down is brought up and taken down again.
import { type Config, loadConfig } from '../test/stack/config.ts';
import { Scratch } from '../test/stack/kit/scratch.ts';
import { Stack } from '../test/stack/kit/stack.ts';
import { withLock } from '../test/stack/lock.ts';
import { machineHolder, makeMachine } from '../test/stack/machine.ts';
import { down, up } from '../test/stack/up.ts';
import { joinStack, leaveStack } from '../test/stack/users.ts';

const LOCK_MS = 60 * 60_000;

/** What it gives is the exit status. */
export async function onStack(bench: (stack: Stack) => Promise<number>): Promise<void> {
  const config = loadConfig(process.env);
  try {
    await withLock(() => enter(config), LOCK_MS);
    process.exitCode = await bench(new Stack(config));
  } finally {
    await withLock(() => leave(config), LOCK_MS);
  }
}

export async function inScratch<T>(
  stack: Stack,
  work: (scratch: Scratch) => Promise<T>,
): Promise<T> {
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
