// Tiphys' own client: what it keeps in Kubernetes, its token, and what stands in its way.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { ARGOCD_SERVER } from '../config.ts';
import { ARGOCD, connected, problem, test } from '../kit/client.ts';
import type { Stack } from '../kit/stack.ts';
import { run } from '../run.ts';

describe('Kubernetes', () => {
  test('a Lease changes hands only once', async ({ stack, scratch, target }) => {
    const lease = {
      name: scratch.name,
      holder: 'one',
      durationSeconds: 15,
      renewTime: '2026-11-15T06:47:17.250Z',
      transitions: 0,
      annotations: new Map([['tiphys.dev/plan', 'x']]),
    };
    const { leases } = target;
    scratch.afterwards(() =>
      stack.remove({
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: scratch.name, namespace: ARGOCD },
      }),
    );
    expect(await leases.get(scratch.name)).toBeUndefined();
    expect(await leases.create(lease)).toEqual({ kind: 'done' });
    expect(await leases.create(lease)).toMatchObject({ kind: 'refused', reason: 'conflict' });
    const seen = await leases.get(scratch.name);
    if (!seen) throw new Error('no Lease');
    expect(seen).toMatchObject({ ...lease, renewTime: '2026-11-15T06:47:17.250000Z' });
    expect(await leases.update({ ...seen, holder: 'two', transitions: 1 })).toEqual({
      kind: 'done',
    });
    const late = await leases.update({ ...seen, holder: 'three' });
    expect(late).toMatchObject({ kind: 'refused', reason: 'conflict' });
    expect(await leases.get(scratch.name)).toMatchObject({ holder: 'two', transitions: 1 });
  });

  test('the store keeps bytes', async ({ scratch, target }) => {
    const labels = new Map([['tiphys.dev/run', scratch.name]]);
    const text = { name: scratch.name, labels, annotations: new Map([['a', 'b']]) };
    const always = () => true;
    const bytes = (...values: number[]) => new Map([['events', new Uint8Array(values)]]);
    expect(await target.store.put({ ...text, data: bytes(0, 255) }, always)).toEqual({
      kind: 'done',
    });
    expect(await target.store.put({ ...text, data: bytes(1, 2, 3) }, always)).toEqual({
      kind: 'done',
    });
    const [stored, ...more] = await target.store.list(labels);
    expect(more).toEqual([]);
    expect(stored).toMatchObject(text);
    expect([...(stored?.data.get('events') ?? [])]).toEqual([1, 2, 3]);
    expect(await target.store.remove(scratch.name)).toEqual({ kind: 'done' });
    expect(await target.store.list(labels)).toEqual([]);
  });

  test('ApplicationSets that sync by themselves', async ({ scratch, target }) => {
    const set = (name: string, strategy: object) =>
      scratch.apply({
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'ApplicationSet',
        metadata: { name: `${scratch.name}-${name}`, namespace: ARGOCD },
        spec: {
          generators: [{ list: { elements: [] } }],
          template: { metadata: { name: 'x' }, spec: { project: 'default', destination: {} } },
          ...strategy,
        },
      } as never);
    await set('plain', {});
    await set('rolling', { strategy: { type: 'RollingSync', rollingSync: { steps: [] } } });
    const found = await target.applicationSets.list([ARGOCD]);
    const rolling = found.filter(({ rollingSync }) => rollingSync).map(({ name }) => name);
    expect(rolling.filter((name) => name.startsWith(scratch.name))).toEqual([
      `${scratch.name}-rolling`,
    ]);
  });
});

/** argocd-server is asked for it, and has none. */
const NOWHERE = { name: 'nowhere', namespace: ARGOCD, project: 'default' };

describe('the token', () => {
  const make = async (stack: Stack, id: string) => {
    const body = { name: 'tiphys', id, expiresIn: 3600 };
    const answer = await stack.argocd.request<{ token: string }>(
      'POST',
      'account/tiphys/token',
      body,
    );
    return answer.token;
  };

  test('is read from the Secret, and again when it was revoked', async ({ stack, scratch }) => {
    const put = async (id: string) =>
      scratch.apply({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'tiphys-argocd-token', namespace: ARGOCD },
        stringData: { token: await make(stack, id) },
      } as never);
    const [first, second] = [`${scratch.name}-1`, `${scratch.name}-2`];
    await put(first);
    const target = await connected(stack, { argocdTokenFile: undefined });
    expect(await target.applications.get(NOWHERE)).toBeUndefined();
    await put(second);
    await stack.argocd.request('DELETE', `account/tiphys/token/${first}`);
    scratch.afterwards(async () => {
      await stack.argocd.request('DELETE', `account/tiphys/token/${second}`);
    });
    const all = [1, 2, 3, 4].map(() => target.applications.get(NOWHERE));
    expect(await Promise.all(all)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('that is wrong, missing or revoked is one clear error', async ({
    stack,
    scratch,
    folder,
  }) => {
    const file = join(folder, 'token');
    const withFile = () => connected(stack, { argocdTokenFile: file });
    expect(await problem(withFile())).toBe('argocd-token-missing');
    await writeFile(file, 'aaa.bbb.ccc');
    expect(await problem(withFile())).toBe('argocd-token-rejected');
    expect(await problem(connected(stack, { argocdTokenFile: undefined }))).toBe(
      'argocd-token-missing',
    );
    await writeFile(file, await make(stack, scratch.name));
    const target = await withFile();
    await stack.argocd.request('DELETE', `account/tiphys/token/${scratch.name}`);
    expect(await problem(target.applications.get(NOWHERE))).toBe('argocd-token-rejected');
  });
});

describe('a cluster that cannot be used is one clear error', () => {
  const changed = async (stack: Stack, folder: string, change: (text: string) => string) => {
    const text = await stack.run('kubectl', 'config', 'view', '--raw', '--flatten');
    const file = join(folder, 'kubeconfig');
    await writeFile(file, change(text), { mode: 0o600 });
    return connected(stack, { kubeconfig: file });
  };

  test('another CA', async ({ stack, folder }) => {
    const other = Buffer.from(await newCa(folder)).toString('base64');
    const replace = (text: string) =>
      text.replace(/certificate-authority-data: .*/, `certificate-authority-data: ${other}`);
    expect(await problem(changed(stack, folder, replace))).toBe('cluster-tls');
  });

  test('nobody at the address', async ({ stack, folder }) => {
    const replace = (text: string) => text.replace(/server: .*/, 'server: https://127.0.0.1:1');
    expect(await problem(changed(stack, folder, replace))).toBe('cluster-unreachable');
  });

  test('no credentials', async ({ stack, folder }) => {
    const replace = (text: string) => text.replace(/client-(certificate|key)-data: .*/g, '');
    expect(await problem(changed(stack, folder, replace))).toMatch(
      /^cluster-(unauthorized|forbidden)$/,
    );
  });

  test('no Argo CD in the namespace', async ({ stack, scratch }) => {
    expect(await problem(connected(stack, { namespace: scratch.namespace }))).toBe(
      'argocd-not-found',
    );
  });

  test('nobody at the address of Argo CD', async ({ stack }) => {
    expect(await problem(connected(stack, { argocdServer: 'http://127.0.0.1:1' }))).toBe(
      'argocd-unreachable',
    );
  });

  test('TLS where there is none: argocd-server cuts the connection', async ({ stack }) => {
    const argocdServer = `https://${ARGOCD_SERVER}:80`;
    expect(await problem(connected(stack, { argocdServer }))).toBe('argocd-unreachable');
  });
});

/** A certificate that has nothing to do with the stack. */
function newCa(folder: string): Promise<string> {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const subject = ['-subj', '/CN=other', '-days', '1', '-keyout', join(folder, 'key')];
  return run('openssl', ['req', '-x509', ...key, ...subject]);
}
