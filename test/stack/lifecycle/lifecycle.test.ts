// Takes the stack down for good, so it runs after all suites, and only on a stack that the tests themselves started.
// The tests of this file build on each other.

import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { moduleDirectory } from '../build.ts';
import { loadConfig } from '../config.ts';
import type { Dump } from '../kit/dump.ts';
import { full } from '../kit/full.ts';
import { Reference } from '../kit/reference.ts';
import { expectDeployedInOrder } from '../kit/reference-order.ts';
import { Scratch } from '../kit/scratch.ts';
import { Stack } from '../kit/stack.ts';
import { added, snapshot } from '../snapshot.ts';
import { stackCommand } from './cli.ts';

const config = loadConfig(process.env);
const before: string[] = JSON.parse(
  await readFile(process.env.TIPHYS_STACK_SNAPSHOT ?? '', 'utf8'),
);

/** The identity of every program of the stack. */
async function programs(): Promise<string[]> {
  const directory = join(config.state, 'programs');
  const names = (await readdir(directory)).sort();
  return Promise.all(
    names.map(async (name) => name + (await readFile(join(directory, name), 'utf8'))),
  );
}

describe('up', () => {
  test('can be repeated: nothing is started anew', async () => {
    const first = await programs();
    const { status, stderr } = await stackCommand(['up']);
    expect(stderr).toMatch(/up, in [\d.]+ s/);
    expect(status).toBe(0);
    expect(await programs()).toEqual(first);
  });

  test('starts again what has ended', async () => {
    const first = await programs();
    expect(await stackCommand(['kill', 'scheduler'])).toMatchObject({ status: 0 });
    expect(await stackCommand(['status'])).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^scheduler +ended$/m),
    });
    expect(await stackCommand(['up'])).toMatchObject({ status: 0 });
    const changed = added(first, await programs());
    expect(changed.map((line) => line.split('.')[0])).toEqual(['scheduler']);
  });

  test('is refused while another command changes the stack', async () => {
    const both = await Promise.all([stackCommand(['up']), stackCommand(['up'])]);
    expect(both.map(({ status }) => status).sort()).toEqual([0, 1]);
    expect(both.map(({ stderr }) => stderr).join()).toContain(
      'another command is changing the stack',
    );
  });
});

describe('the shapes', () => {
  test('fast replaces the controller that has timings, and nothing else', async () => {
    const first = await programs();
    expect(await stackCommand(['up', '--argocd', 'fast'])).toMatchObject({ status: 0 });
    const changed = added(first, await programs()).map((line) => line.split('.')[0]);
    expect(changed).toEqual(['argocd-application-controller']);
  });

  test('Argo CD cannot be taken out of a stack that is up', async () => {
    expect(await stackCommand(['up', '--argocd', 'none'])).toMatchObject({
      status: 3,
      stderr: expect.stringContaining("run 'down' first"),
    });
  });
});

describe('down', () => {
  test('leaves no process, mount, interface, rule, setting or file behind', async () => {
    const kinds = new Set(added(before, await snapshot()).map((line) => line.split(' ')[0]));
    // The comparison sees the stack while it is up: what it does not see, it could not miss.
    for (const kind of ['control', 'file', 'interface', 'process', 'route', 'setting']) {
      expect(kinds).toContain(kind);
    }
    // It is refused while tests use the stack, as these do.
    expect(await stackCommand(['down'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('tests use the stack'),
    });
    expect(await stackCommand(['down', '--force'])).toMatchObject({ status: 0, stderr: '' });
    expect(added(before, await snapshot())).toEqual([]);
  });

  test('can be repeated', async () => {
    expect(await stackCommand(['down'])).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('a program that dies during up', () => {
  let cache: string;
  afterAll(() => rm(cache, { recursive: true, force: true }));

  test('is named, with the end of its log', async () => {
    // A cache like the real one, in which one program is another.
    cache = await mkdtemp(join(tmpdir(), 'tiphys-cache-'));
    const stack = join(cache, 'tiphys', 'stack');
    await mkdir(join(stack, 'modules'), { recursive: true });
    await symlink(join(config.cache, 'images'), join(stack, 'images'));
    for (const name of await readdir(join(config.cache, 'modules'))) {
      await symlink(join(config.cache, 'modules', name), join(stack, 'modules', name));
    }
    const broken = moduleDirectory({ ...config, cache: stack }, 'etcd');
    await rm(broken);
    await mkdir(broken);
    await writeFile(join(broken, 'etcd'), '#!/bin/sh\necho the disk is on fire\nexit 7\n');
    await chmod(join(broken, 'etcd'), 0o755);

    const env = { ...process.env, XDG_CACHE_HOME: cache };
    const { status, stderr } = await stackCommand(['up', '--argocd', 'none'], { env });
    expect(stderr).toMatch(/^error: 'etcd' ended\. The end of its log \(.*\/log\/etcd\):$/m);
    expect(stderr).toMatch(/^ {2}the disk is on fire$/m);
    expect(status).toBe(1);
  });

  test('leaves nothing after down either', async () => {
    expect(await stackCommand(['down', '--force'])).toMatchObject({ status: 0, stderr: '' });
    expect(added(before, await snapshot())).toEqual([]);
  });
});

test.runIf(full)('a stack without Argo CD is only Kubernetes', async () => {
  expect(await stackCommand(['up', '--argocd', 'none'])).toMatchObject({ status: 0 });
  const { stdout } = await stackCommand(['status']);
  expect(stdout).toMatch(/^kubelet +ready$/m);
  expect(stdout).not.toMatch(/^argocd-/m);
  expect((await stackCommand(['env'])).stdout).not.toContain('ARGOCD');
  expect(await stackCommand(['down', '--force'])).toMatchObject({ status: 0, stderr: '' });
  expect(added(before, await snapshot())).toEqual([]);
});

test.runIf(full)(
  'the reference platform comes up the same on two fresh clusters',
  { timeout: 40 * 60_000 },
  async () => {
    const first = await onFreshCluster();
    const second = await onFreshCluster();
    expect(Object.keys(second)).toEqual(Object.keys(first));
    expect(second).toEqual(first);
  },
);

async function onFreshCluster(): Promise<Dump> {
  expect(await stackCommand(['up', '--argocd', 'default'])).toMatchObject({ status: 0 });
  const scratch = await Scratch.create(new Stack(loadConfig(process.env, 'default')));
  const reference = await Reference.create(scratch);
  await reference.bootstrap();
  const { status } = await reference.tiphys.deploy();
  expect(status).toBe(0);
  await expectDeployedInOrder(reference);
  const dump = await reference.dump();
  expect(await stackCommand(['down', '--force'])).toMatchObject({ status: 0, stderr: '' });
  return dump;
}
