import { describe, expect, test } from 'vitest';
import { stackCommand } from './cli.ts';

const NOBODY = 65_534;

describe('a machine that lacks something', () => {
  test('without root: status 3, and the message says so', async () => {
    const { status, stderr } = await stackCommand(['up'], { uid: NOBODY });
    expect(stderr).toContain('root: run it as root');
    expect(stderr).not.toContain('apt-get'); // Nothing else is missing here.
    expect(status).toBe(3);
  });

  test('without Go and without the Debian packages: everything at once, and the command', async () => {
    const { status, stderr } = await stackCommand(['up'], { env: { PATH: '/nonexistent' } });
    expect(stderr).toContain("Go 1.26 or newer: 'go' is not on PATH");
    expect(stderr).toContain("'containerd' of Debian's containerd");
    expect(stderr).toContain("'redis-server' of Debian's redis-server");
    expect(stderr).toMatch(/apt-get install -y --no-install-recommends containerd runc .*git$/m);
    expect(stderr).not.toContain('root:');
    expect(stderr.match(/error:/g)).toHaveLength(1);
    expect(status).toBe(3);
  });
});

test('a command that does not exist: status 3, and the nearest one', async () => {
  const { status, stderr } = await stackCommand(['dwon']);
  expect(stderr).toContain('Did you mean down?');
  expect(status).toBe(3);
});
