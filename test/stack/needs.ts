// What the stack needs of the machine. Everything that is missing is said at once, with the command that installs it.

import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { Failure, NOT_USABLE } from './failure.ts';

/** Debian package, and a program (a bare name) or a file (a path) that it brings. */
const PACKAGES: readonly (readonly [debian: string, brings: string])[] = [
  ['containerd', 'containerd'],
  ['runc', 'runc'],
  ['containernetworking-plugins', '/usr/lib/cni/bridge'],
  ['buildah', 'buildah'],
  ['iptables', 'iptables'],
  ['iproute2', 'ip'],
  ['util-linux', 'nsenter'],
  ['mount', 'mount'],
  ['openssl', 'openssl'],
  ['redis-server', 'redis-server'],
  ['git', 'git'],
];

const GO = { major: 1, minor: 26 };

export interface Machine {
  readonly uid: number;
  readonly platform: string;
  has(programOrFile: string): boolean;
  /** What `go env GOVERSION` says, for example 'go1.26.8'; undefined without Go. */
  goVersion(): string | undefined;
}

/** One line for each thing that is missing, and the command for those that Debian has. */
export function missing(machine: Machine): string[] {
  const lines: string[] = [];
  if (machine.platform !== 'linux') lines.push(`Linux: this is ${machine.platform}`);
  if (machine.uid !== 0) lines.push('root: run it as root, for example with sudo');
  const go = missingGo(machine.goVersion());
  if (go) lines.push(go);
  const packages = PACKAGES.filter(([, brings]) => !machine.has(brings));
  for (const [debian, brings] of packages) lines.push(`'${brings}' of Debian's ${debian}`);
  if (packages.length > 0) {
    const names = packages.map(([debian]) => debian).join(' ');
    lines.push(`install: apt-get update && apt-get install -y --no-install-recommends ${names}`);
  }
  return lines;
}

function missingGo(version: string | undefined): string | undefined {
  const wanted = `Go ${GO.major}.${GO.minor} or newer`;
  if (version === undefined)
    return `${wanted}: 'go' is not on PATH, see https://go.dev/doc/install`;
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(version) ?? [];
  const enough =
    Number(major) > GO.major || (Number(major) === GO.major && Number(minor) >= GO.minor);
  return enough ? undefined : `${wanted}: found ${version}, see https://go.dev/doc/install`;
}

export function checkNeeds(machine: Machine): void {
  const lines = missing(machine);
  if (lines.length === 0) return;
  const list = lines.map((line) => `  ${line}`).join('\n');
  throw new Failure(`the stack cannot run here, it needs:\n${list}`, NOT_USABLE);
}

/** Terminals for the tests of what is on the screen. */
const FOR_TESTS = ['tmux'];

/** The names that a fresh machine installs first. */
export const debianPackages = [...PACKAGES.map(([debian]) => debian), ...FOR_TESTS];

/** Looks a program up as the system would: by its path, or by name on PATH. */
export function findProgram(programOrFile: string, path: string): string | undefined {
  const candidates = programOrFile.startsWith('/')
    ? [programOrFile]
    : path
        .split(':')
        .filter(Boolean)
        .map((directory) => join(directory, programOrFile));
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
