// Finds every process of the stack, whoever started it, and ends it.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { machineHolder, podGroups } from './machine.ts';
import { allProcesses, isAlive, namespaceOf, type ProcessInfo, signal } from './proc.ts';
import { identityOf, startedPrograms } from './processes.ts';
import { waitFor } from './run.ts';

/** Every process of the stack: those inside the namespaces, their descendants, and what is in a pod's control group. */
async function stackProcesses(config: Config): Promise<ProcessInfo[]> {
  const holder = await machineHolder(config);
  const namespace = holder && namespaceOf(holder.pid, 'mnt');
  const all = allProcesses();
  const programs = startedPrograms(config).flatMap((name) => identityOf(config, name)?.pid ?? []);
  const mine = new Set([...programs, ...(await pidsInPods(config))]);
  for (const { pid } of all) {
    if (namespace && namespaceOf(pid, 'mnt') === namespace) mine.add(pid);
  }
  // A container's process is a child of its shim; children are listed after their parents often, but not always.
  for (let before = -1; before !== mine.size; ) {
    before = mine.size;
    for (const { pid, parent } of all) if (mine.has(parent)) mine.add(pid);
  }
  return all.filter(({ pid }) => mine.has(pid));
}

async function pidsInPods(config: Config): Promise<number[]> {
  const pids = async (group: string): Promise<number[]> => {
    const text = await readFile(join(group, 'cgroup.procs'), 'utf8').catch(() => '');
    const below = await directoriesIn(group);
    const deeper = await Promise.all(below.map(pids));
    // A process of another pid namespace is shown as 0, which would be the parent of everything.
    const here = text
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 1);
    return [...here, ...deeper.flat()];
  };
  return (await Promise.all((await podGroups(config)).map(pids))).flat();
}

/** Groups come and go with the pods, so one that is gone holds nothing. */
async function directoriesIn(group: string): Promise<string[]> {
  const entries = await readdir(group, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(group, name));
}

/** Ends everything at once. The holder goes last, because it tells which processes are ours. */
export async function killAll(config: Config): Promise<void> {
  const holder = await machineHolder(config);
  await waitFor("the stack's processes to end", async () => {
    const rest = (await stackProcesses(config)).filter(({ pid }) => pid !== holder?.pid);
    for (const one of rest) signal(one, 'SIGKILL');
    return rest.length === 0;
  });
  if (holder) {
    signal(holder, 'SIGKILL');
    await waitFor('the namespaces to close', () => !isAlive(holder), { intervalMs: 20 });
  }
}
