import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { volumesDirectory } from '../config.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { configMap, deployment, pod, service } from '../kit/workloads.ts';
import { waitFor } from '../run.ts';

/** Runs a pod to its end: how it ended, and what it printed. */
async function runPod(scratch: Scratch, name: string, ...args: string[]) {
  const { core } = scratch.stack;
  const target = { name, namespace: scratch.namespace };
  await scratch.apply(pod(name, ...args));
  const phase = await waitFor(`pod ${name} to end`, async () => {
    const { status } = await core.readNamespacedPod(target);
    return ['Succeeded', 'Failed'].includes(status?.phase ?? '') && status?.phase;
  });
  return { phase, log: await core.readNamespacedPodLog(target) };
}

describe('Services', () => {
  test('a pod resolves a Service by DNS and reaches it', async ({ stack, scratch }) => {
    await scratch.apply(deployment({ name: 'web' }));
    await scratch.apply(service('web'));
    const url = `http://web.${scratch.namespace}.svc.cluster.local/`;
    const { phase, log } = await runPod(scratch, 'asks', 'get', '--attempts=30', url);
    const { spec } = await stack.core.readNamespacedService({
      name: 'web',
      namespace: scratch.namespace,
    });
    expect(phase).toBe('Succeeded');
    expect(log).toContain(
      `web.${scratch.namespace}.svc.cluster.local is ${spec?.clusterIP}\nweb\n`,
    );
  });

  test('a name that no Service has is not resolved', async ({ scratch }) => {
    const url = `http://absent.${scratch.namespace}.svc.cluster.local/`;
    const { phase, log } = await runPod(scratch, 'asks', 'get', url);
    expect(phase).toBe('Failed');
    expect(log).toContain('no such host');
  });
});

describe('volumes', () => {
  const claim = (storageClassName?: string) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Mi' } },
      ...(storageClassName ? { storageClassName } : {}),
    },
  });

  /** Makes a claim, waits until it is bound and deletes it; where the volume's directory is, and its name. */
  async function bindAndDelete(scratch: Scratch, storageClassName?: string) {
    const target = { name: 'data', namespace: scratch.namespace };
    await scratch.apply(claim(storageClassName));
    const name = await waitFor('the claim to be bound', async () => {
      const { status, spec } = await scratch.stack.core.readNamespacedPersistentVolumeClaim(target);
      return status?.phase === 'Bound' && spec?.volumeName;
    });
    const directory = join(volumesDirectory(scratch.stack.config), name);
    expect(existsSync(directory)).toBe(true);
    await scratch.stack.core.deleteNamespacedPersistentVolumeClaim(target);
    return {
      volume: { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name } },
      directory,
    };
  }

  test('of the default class are directories that go with the claim', async ({
    stack,
    scratch,
  }) => {
    const { volume, directory } = await bindAndDelete(scratch);
    await waitFor('the volume to be gone', async () => (await stack.read(volume)) === undefined);
    expect(existsSync(directory)).toBe(false);
  });

  test('of the retaining class stay', async ({ stack, scratch }) => {
    const { volume, directory } = await bindAndDelete(scratch, 'directory-retain');
    await waitFor('the volume to be released', async () => {
      const now = await stack.core.readPersistentVolume({ name: volume.metadata.name });
      return now.status?.phase === 'Released';
    });
    expect(existsSync(directory)).toBe(true);
    await stack.remove(volume);
  });
});

describe('the audit log', () => {
  test('has a write, who made it, and only what came after the mark', async ({
    stack,
    scratch,
  }) => {
    await scratch.apply(configMap('before', {}));
    const mark = await stack.audit.mark();
    expect(await stack.audit.since(mark, { namespace: scratch.namespace, user: 'admin' })).toEqual(
      [],
    );
    await scratch.apply(configMap('first', {}));
    await scratch.apply(configMap('second', {}));
    const writes = await stack.audit.since(mark, {
      resource: 'configmaps',
      namespace: scratch.namespace,
    });
    expect(writes.map(({ verb, name, user, status }) => [verb, name, user, status])).toEqual([
      ['patch', 'first', 'admin', 201],
      ['patch', 'second', 'admin', 201],
    ]);
  });
});

describe('the programs beside the cluster', () => {
  test.for([
    ['helm', 'version', 'v3.22.0'],
    ['kubeseal', '--version', 'v0.40.0'],
    ['yq', '--version', 'yq'],
    ['kubectl', 'version', 'Server Version: v1.36.4'],
    ['argo-events', '--help', 'sensor-service'],
  ] as const)('%s is on PATH', async ([program, argument, expected], { stack }) => {
    expect(await stack.run(program, argument)).toContain(expected);
  });
});
