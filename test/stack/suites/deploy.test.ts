import { describe, expect } from 'vitest';
import type { Scratch } from '../kit/scratch.ts';
import type { Stack } from '../kit/stack.ts';
import { test } from '../kit/test.ts';
import { Tiphys } from '../kit/tiphys.ts';
import { configMap, deployment } from '../kit/workloads.ts';

const QUICK = {
  gate: { dwell: '1s', degradedGrace: '5s' },
  timeouts: { sync: '60s', health: '60s' },
  retries: { maxAttempts: 1, backoff: '1s' },
};

/** A child Application as a parent's Git has it. */
function child(scratch: Scratch, suffix: string, wave?: number) {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: `${scratch.name}-${suffix}`,
      namespace: 'argocd',
      ...(wave === undefined
        ? {}
        : { annotations: { 'argocd.argoproj.io/sync-wave': String(wave) } }),
    },
    spec: {
      project: scratch.name,
      source: { repoURL: scratch.repository.url, path: suffix, targetRevision: 'main' },
      destination: { server: 'https://kubernetes.default.svc', namespace: scratch.namespace },
      syncPolicy: { automated: { selfHeal: true } },
    },
  };
}

/** Every request for an operation, in the order in which the API server got it, with who made it. */
async function operations(stack: Stack, mark: Awaited<ReturnType<Stack['audit']['mark']>>) {
  const writes = await stack.audit.since(mark, { resource: 'applications.argoproj.io' });
  return writes.flatMap(({ name, at, request }) => {
    const { operation } = (request ?? {}) as {
      operation?: { initiatedBy?: { automated?: boolean }; sync?: object };
    };
    return operation?.sync
      ? [{ name, at, automated: operation.initiatedBy?.automated === true }]
      : [];
  });
}

describe('deploy', () => {
  test('brings up a diamond of 12 in two stacks with Applications of their own, and touches nothing the second time', async ({
    stack,
    scratch,
  }) => {
    const n = (suffix: string) => `${scratch.name}-${suffix}`;
    const base = ['b0', 'b1', 'b2', 'b3', 'b4', 'b5'];
    const top = ['t0', 't1', 't2', 't3', 't4', 't5'];
    await scratch.repository.commit(
      Object.fromEntries([
        ...[...base, ...top].map((name) => [`${name}/app.yaml`, deployment({ name })]),
        ...base.map((name) => [`base/${name}.yaml`, child(scratch, name)]),
        ...top.map((name, wave) => [`top/${name}.yaml`, child(scratch, name, wave % 2)]),
      ]),
    );
    await scratch.application('base', { path: 'base', automated: { selfHeal: true } });
    await scratch.application('top', { path: 'top' });
    const tiphys = new Tiphys(scratch);
    await tiphys.platform({
      ...QUICK,
      stacks: [
        {
          name: 'base',
          application: n('base'),
          applications: [
            { name: n('b0') },
            { name: n('b1'), dependsOn: [n('b0')] },
            { name: n('b2'), dependsOn: [n('b0')] },
            { name: n('b3'), dependsOn: [n('b1'), n('b2')] },
            { name: n('b4'), dependsOn: [n('b3')] },
            { name: n('b5') },
          ],
        },
        {
          name: 'top',
          application: n('top'),
          dependsOn: ['stack:base'],
          applications: [
            { name: n('t0') },
            { name: n('t1') },
            { name: n('t2'), dependsOn: [n('t0'), n('t1')] },
            { name: n('t3'), dependsOn: [n('t2')] },
            { name: n('t4'), dependsOn: [n('t2')] },
            { name: n('t5'), dependsOn: [n('t3'), n('t4')] },
          ],
        },
      ],
    });
    const mark = await stack.audit.mark();
    const first = await tiphys.deploy();
    expect(first.stderr).toBe('');
    expect(first.status).toBe(0);
    expect(Object.values(first.outcomes)).not.toContain('failed');
    const made = await operations(stack, mark);
    const at = (suffix: string) =>
      made.find(({ name }) => name === n(suffix))?.at.getTime() ?? Number.NaN;
    for (const [before, after] of [
      ['b0', 'b1'],
      ['b0', 'b2'],
      ['b1', 'b3'],
      ['b2', 'b3'],
      ['b3', 'b4'],
      ['b4', 't0'],
      ['b5', 'top'],
      ['t1', 't2'],
      ['t2', 't3'],
      ['t4', 't5'],
    ] as const) {
      expect(at(before), `${before} before ${after}`).toBeLessThan(at(after));
    }
    const again = await stack.audit.mark();
    const second = await tiphys.deploy();
    expect(second.status).toBe(0);
    expect(new Set(Object.values(second.outcomes))).toEqual(new Set(['unchanged']));
    expect(await operations(stack, again)).toEqual([]);
    expect(await stack.audit.since(again, { resource: 'appprojects.argoproj.io' })).toEqual([]);
  });

  test('skips what is behind a failure, keeps it held, explains it, and goes on after the fix', async ({
    stack,
    scratch,
  }) => {
    const n = (suffix: string) => `${scratch.name}-${suffix}`;
    await scratch.repository.commit({
      'good/app.yaml': configMap('good', {}),
      'bad/app.yaml': deployment({ name: 'bad', readyAfter: '1h' }),
      'behind/app.yaml': configMap('behind', {}),
      'last/app.yaml': configMap('last', {}),
    });
    const automated = { selfHeal: true };
    for (const name of ['good', 'bad', 'behind', 'last']) {
      // Held from before, as bootstrap would do it: made in this moment, Argo CD would sync them at once.
      await scratch.application(name, { path: name });
    }
    const tiphys = new Tiphys(scratch);
    await tiphys.platform({
      ...QUICK,
      timeouts: { sync: '60s', health: '10s' },
      stacks: [
        {
          name: 's',
          applications: [
            { name: n('good') },
            { name: n('bad') },
            { name: n('behind'), dependsOn: [n('bad')] },
            { name: n('last'), dependsOn: [n('behind')] },
          ],
        },
      ],
    });
    const started = tiphys.start(['deploy', '-o', 'json']);
    expect(automated.selfHeal).toBe(true);
    const { status, stdout } = await started.ended;
    expect(status).toBe(2);
    expect(stdout).toContain('"outcome":"skipped"');
    const explained = await tiphys.run('explain', n('last'));
    expect(explained.stdout).toContain(n('bad'));
    await scratch.repository.commit({ 'bad/app.yaml': deployment({ name: 'bad' }) });
    const mark = await stack.audit.mark();
    const second = await tiphys.deploy();
    expect(second.status).toBe(0);
    expect(second.outcomes[`app:${n('good')}`]).toBe('unchanged');
    const touched = new Set((await operations(stack, mark)).map(({ name }) => name));
    expect(touched).toEqual(new Set([n('bad'), n('behind'), n('last')]));
  });
});
