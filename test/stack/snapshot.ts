// The traces that a stack could leave on a machine, as sorted lines that can be compared before and after.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { allProcesses, namespaceOf } from './proc.ts';
import { run } from './run.ts';

/** Where the stack's programs write, and what changes there without them. */
const PLACES = ['/etc', '/opt', '/run', '/usr/libexec', '/var/lib', '/var/log'];
const CHANGING = ['/var/lib/apt', '/var/lib/dpkg', '/var/log/apt', '/run/lock', '/run/user'];
/** In places that others use all the time, only what bears a name of ours or of these programs can be ours. */
const OURS =
  /argo|reposerver|kube|k8s|pod|etcd|coredns|containerd|runc|redis|cni|buildah|tiphys-stack/i;
const SETTINGS = ['kernel', 'vm', 'net/ipv4', 'net/ipv6', 'net/bridge', 'net/netfilter'];
/** Counters and clocks, not settings. */
const VOLATILE = /random|ns_last_pid|conntrack_count|nr_|stat_|sched|pty|drop_caches|neigh/;

export async function snapshot(): Promise<string[]> {
  const lines = [
    ...strangers().map((line) => `process ${line}`),
    ...readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .map((line) => `mount ${line}`),
    ...(await run('ip', ['-brief', 'link']))
      .split('\n')
      .map((line) => `interface ${line.split(' ')[0]}`),
    ...(await run('ip', ['route', 'show', 'table', 'all']))
      .split('\n')
      .map((line) => `route ${line}`),
    ...(await rules()),
    ...below('/sys/fs/cgroup', true)
      .filter((path) => OURS.test(path))
      .map((path) => `control group ${path}`),
    ...SETTINGS.flatMap((name) => settings(join('/proc/sys', name))),
    ...PLACES.flatMap((place) => below(place)).map((path) => `file ${path}`),
    ...readdirSync('/tmp')
      .filter((name) => OURS.test(name))
      .map((name) => `file /tmp/${name}`),
  ];
  return [...new Set(lines)].sort();
}

/** What is only in the second. */
export function added(before: readonly string[], after: readonly string[]): string[] {
  const known = new Set(before);
  return after.filter((line) => !known.has(line));
}

/** Processes in other namespaces than ours, or of a program that the stack runs. Other people's come and go. */
function strangers(): string[] {
  const names = /^(kube|etcd|containerd|runc|argo|redis-server|coredns|standin|workflow-contro)/;
  return allProcesses()
    .filter(({ pid, name }) => {
      const mount = namespaceOf(pid, 'mnt');
      const elsewhere = mount !== undefined && mount !== namespaceOf('self', 'mnt');
      return elsewhere || names.test(name) || commandOf(pid).includes('tiphys-stack');
    })
    .map(({ pid, name }) => `${pid} ${name}`);
}

function commandOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return '';
  }
}

/** The rules and chains of both packet filters, without counters; a table that is only empty chains is no rule. */
async function rules(): Promise<string[]> {
  const lines: string[] = [];
  for (const program of ['iptables-save', 'ip6tables-save']) {
    const text = await run(program, []);
    const own = text.split('\n').filter((line) => /^-A|^:.* -/.test(line));
    lines.push(...own.map((line) => `${program} ${line.replace(/\[.*/, '')}`));
  }
  return lines;
}

function settings(directory: string): string[] {
  return below(directory)
    .filter((path) => !VOLATILE.test(path))
    .flatMap((path) => {
      try {
        return `setting ${path} ${readFileSync(path, 'utf8').trim()}`;
      } catch {
        return []; // Some can only be written.
      }
    });
}

/** All paths below, or only the directories. What vanishes meanwhile was not there. */
function below(directory: string, onlyDirectories = false): string[] {
  if (CHANGING.includes(directory)) return [];
  let entries: import('node:fs').Dirent[];
  try {
    entries = readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return [path, ...below(path, onlyDirectories)];
    return onlyDirectories ? [] : [path];
  });
}
