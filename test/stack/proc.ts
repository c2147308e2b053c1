// What /proc tells about processes. A pid alone proves nothing, it may have been given to another process since: an
// identity is the pid with the moment of its start.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface Identity {
  readonly pid: number;
  /** Clock ticks from the machine's start to the process's. */
  readonly startTicks: number;
  readonly boot: string;
}

export interface ProcessInfo extends Identity {
  readonly parent: number;
  readonly name: string;
}

const boot = () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

/** Undefined for a process that is gone or only waits to be reaped. */
export function processInfo(pid: number): ProcessInfo | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The name stands in parentheses and may hold any character; the numbers follow the last one.
  const close = stat.lastIndexOf(')');
  const [state, parent, ...rest] = stat.slice(close + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  const name = stat.slice(stat.indexOf('(') + 1, close);
  return { pid, startTicks: Number(rest[17]), boot: boot(), parent: Number(parent), name };
}

export function isAlive(identity: Identity): boolean {
  const now = processInfo(identity.pid);
  return now?.startTicks === identity.startTicks && now.boot === identity.boot;
}

/** Sends the signal to that very process; false if it is gone. */
export function signal(identity: Identity, name: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false;
  try {
    return process.kill(identity.pid, name);
  } catch {
    return false;
  }
}

export function allProcesses(): ProcessInfo[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => processInfo(Number(entry)) ?? []);
}

/** For example 'mnt:[4026532301]': equal for two processes in the same namespace. */
export function namespaceOf(pid: number | 'self', kind: 'mnt' | 'net'): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/${kind}`);
  } catch {
    return undefined;
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
