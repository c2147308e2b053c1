// Several runs of tests can use one stack. A stack that tests have started is taken down by the last of them; one that a
// person has started stays.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { isAlive, processInfo } from './proc.ts';

const directory = ({ state }: Config) => join(state, 'users');
const mine = (config: Config) => join(directory(config), String(process.pid));
const startedByTests = ({ state }: Config) => join(state, 'started-by-tests');

/** This process uses the stack from now on. */
export async function joinStack(config: Config, { started }: { started: boolean }): Promise<void> {
  await mkdir(directory(config), { recursive: true });
  await writeFile(mine(config), JSON.stringify(processInfo(process.pid)));
  if (started) await writeFile(startedByTests(config), '');
}

/** This process no longer uses it. True if nobody does now, and no person wanted the stack. */
export async function leaveStack(config: Config): Promise<boolean> {
  await rm(mine(config), { force: true });
  return existsSync(startedByTests(config)) && otherUsers(config).length === 0;
}

/** The pids of other runs of tests that use the stack. */
export function otherUsers(config: Config): number[] {
  if (!existsSync(directory(config))) return [];
  return readdirSync(directory(config))
    .map((name) => JSON.parse(readFileSync(join(directory(config), name), 'utf8')))
    .filter((user) => user.pid !== process.pid && isAlive(user))
    .map(({ pid }) => pid);
}
