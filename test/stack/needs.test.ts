import { describe, expect, test } from 'vitest';
import { type Machine, missing } from './needs.ts';

const complete: Machine = {
  uid: 0,
  platform: 'linux',
  has: () => true,
  goVersion: () => 'go1.26.8\n',
};

describe('what a machine lacks', () => {
  test('is nothing where all is there', () => {
    expect(missing(complete)).toEqual([]);
  });

  test.each([
    ['root', { uid: 1000 }, 'root: run it as root, for example with sudo'],
    ['Linux', { platform: 'darwin' }, 'Linux: this is darwin'],
    [
      'Go',
      { goVersion: () => undefined },
      "Go 1.26 or newer: 'go' is not on PATH, see https://go.dev/doc/install",
    ],
    [
      'a newer Go',
      { goVersion: () => 'go1.25.3' },
      'Go 1.26 or newer: found go1.25.3, see https://go.dev/doc/install',
    ],
  ])('is named: %s', (_, lack, line) => {
    expect(missing({ ...complete, ...lack })).toEqual([line]);
  });

  test('of Debian is named with the command that installs it', () => {
    const absent = ['/usr/lib/cni/bridge', 'redis-server'];
    expect(missing({ ...complete, has: (name) => !absent.includes(name) })).toEqual([
      "'/usr/lib/cni/bridge' of Debian's containernetworking-plugins",
      "'redis-server' of Debian's redis-server",
      'install: apt-get update && apt-get install -y --no-install-recommends containernetworking-plugins redis-server',
    ]);
  });
});
