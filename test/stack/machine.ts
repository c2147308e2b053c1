// The machine in the machine: mount and network namespaces that every program of the stack runs in. Whatever these
// programs mount, filter or name there (overlay file systems, the bridge, kube-proxy's rules, sockets in fixed places)
// is invisible outside and gone with the last of them, also after a kill -9.
//
//   this machine                         the stack
//   tiphys0  10.244.255.1  --- cable --- host0  10.244.255.2
//                                        pods0  10.244.0.1    the bridge of the pods, and the node's address

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Config, LINK, NODE, podGroup } from './config.ts';
import { type Identity, isAlive, namespaceOf, processInfo } from './proc.ts';
import { run, waitFor } from './run.ts';

/** This machine, as pods reach it. */
export const HERE = '10.244.255.1';
const THERE = '10.244.255.2';
const REACHED = ['10.244.0.0/24', '10.96.0.0/16'];
export const BRIDGE = 'pods0';

/** Places that some program insists on. In the namespace each is an empty file system of its own. */
const PRIVATE = [
  '/run/mount', // Where `mount` takes notes; first, because the others are mounted.
  '/etc/cni',
  '/run/containerd',
  '/run/netns',
  '/var/lib/cni',
  '/var/lib/containers',
  '/var/lib/kubelet',
  '/var/log/containers',
];

/** Kernel settings of the whole machine that the kubelet would set. It is shown the values it wants instead. */
const SHOWN_SETTINGS = {
  'vm/overcommit_memory': '1',
  'vm/panic_on_oom': '0',
  'kernel/panic': '10',
  'kernel/panic_on_oops': '1',
  'kernel/keys/root_maxkeys': '1000000',
  'kernel/keys/root_maxbytes': '25000000',
};

interface Record {
  readonly holder: Identity;
  /** Directories that had to be made as places to mount on. */
  readonly made: readonly string[];
}

const recordFile = ({ state }: Config) => join(state, 'machine.json');

/** The process that keeps the namespaces open; undefined if there is none. */
export async function machineHolder(config: Config): Promise<Identity | undefined> {
  const record = await readRecord(config);
  return record && isAlive(record.holder) ? record.holder : undefined;
}

async function readRecord(config: Config): Promise<Record | undefined> {
  const file = recordFile(config);
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : undefined;
}

/** The words before a command that make it run inside. */
export function inside(holder: Identity): [string, ...string[]] {
  return ['nsenter', '--target', String(holder.pid), '--mount', '--net', '--'];
}

export async function makeMachine(config: Config): Promise<Identity> {
  const running = await machineHolder(config);
  if (running) return running;
  const made: string[] = [];
  for (const place of PRIVATE) {
    const first = await mkdir(place, { recursive: true });
    if (first) made.push(...pathsBetween(first, place));
  }
  await mkdir(config.state, { recursive: true, mode: 0o755 });
  const holder = await hold();
  const record: Record = { holder, made };
  await writeFile(recordFile(config), JSON.stringify(record));
  for (const group of await podGroups(config)) await mkdir(group, { recursive: true });
  await furnish(config, holder);
  await plug(holder);
  return holder;
}

/** ['/a', '/a/b', '/a/b/c'] for '/a' and '/a/b/c'. */
function pathsBetween(first: string, last: string): string[] {
  return last === first ? [first] : [...pathsBetween(first, dirname(last)), last];
}

async function hold(): Promise<Identity> {
  const args = ['--mount', '--net', '--propagation', 'private', 'sleep', 'infinity'];
  const child = spawn('unshare', args, { detached: true, stdio: 'ignore' });
  child.unref();
  return waitFor('the namespaces', () => {
    const info = child.pid === undefined ? undefined : processInfo(child.pid);
    return info?.name === 'sleep' && namespaceOf(info.pid, 'net') !== namespaceOf('self', 'net')
      ? { pid: info.pid, startTicks: info.startTicks, boot: info.boot }
      : undefined;
  });
}

async function furnish(config: Config, holder: Identity): Promise<void> {
  const command = (...args: string[]) => execute([...inside(holder), ...args]);
  for (const place of PRIVATE) await command('mount', '-t', 'tmpfs', 'stack', place);
  await mkdir(join(config.state, 'settings'), { recursive: true });
  for (const [name, value] of Object.entries(SHOWN_SETTINGS)) {
    const file = join(config.state, 'settings', name.replaceAll('/', '.'));
    await writeFile(file, `${value}\n`);
    await command('mount', '--bind', file, `/proc/sys/${name}`);
  }
}

async function plug(holder: Identity): Promise<void> {
  const there = (...args: string[]) => execute([...inside(holder), 'ip', ...args]);
  await there('link', 'set', 'lo', 'up');
  await there('link', 'add', BRIDGE, 'type', 'bridge');
  await there('address', 'add', `${NODE}/24`, 'dev', BRIDGE);
  await there('link', 'set', BRIDGE, 'up');
  await run('ip', [
    ...['link', 'add', LINK, 'type', 'veth'],
    ...['peer', 'name', 'host0', 'netns', String(holder.pid)],
  ]);
  await there('address', 'add', `${THERE}/30`, 'dev', 'host0');
  await there('link', 'set', 'host0', 'up');
  await run('ip', ['address', 'add', `${HERE}/30`, 'dev', LINK]);
  await run('ip', ['link', 'set', LINK, 'up']);
  for (const network of REACHED) await run('ip', ['route', 'add', network, 'via', THERE]);
  const [enter, ...args] = [...inside(holder), 'tee', '/proc/sys/net/ipv4/ip_forward'];
  await run(enter as string, args, { input: '1\n' });
}

const execute = ([program, ...args]: [string, ...string[]]) => run(program, args);

/** Takes away what outlives the last process: the cable, control groups, places that were made, the state. */
export async function removeMachine(config: Config): Promise<void> {
  const record = await readRecord(config);
  await unplug();
  for (const place of [...(record?.made ?? [])].reverse()) await rmdir(place).catch(() => {});
  for (const group of await podGroups(config)) if (existsSync(group)) await removeGroup(group);
  await rm(config.state, { recursive: true, force: true });
}

/** The kernel takes the cable away with the namespace, a moment later or at this very moment. */
async function unplug(): Promise<void> {
  await waitFor(`the interface ${LINK} to be gone`, async () => {
    const links = await run('ip', ['-brief', 'link']);
    if (!links.includes(LINK)) return true;
    await run('ip', ['link', 'delete', LINK]).catch(() => {});
    return false;
  });
}

/** The control groups of the pods: one tree in version 2, one in each hierarchy in version 1. */
export async function podGroups(config: Config): Promise<string[]> {
  const root = '/sys/fs/cgroup';
  const version2 = existsSync(join(root, 'cgroup.controllers'));
  const hierarchies = version2 ? ['.'] : await readdir(root);
  return hierarchies.map((hierarchy) => join(root, hierarchy, podGroup(config)));
}

/** Groups go from the leaves up; one whose last process just ended is busy for a moment. */
async function removeGroup(group: string): Promise<void> {
  for (const entry of await readdir(group, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeGroup(join(group, entry.name));
  }
  await waitFor(`control group ${group} to be free`, () =>
    rmdir(group).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    ),
  );
}
