// Phase 0 on a real cluster: each row says what is so, nothing is written, and with one prerequisite taken away exactly its
// row turns. The node is cordoned and DNS is scaled to zero meanwhile, so nothing else may run beside this suite.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import type { PreflightReport } from '../../../src/preflight/preflight-report.ts';
import { full } from '../kit/full.ts';
import { LEFT_OVER, seen, TOOLS, test, turned, userWithout, verdicts } from '../kit/phase-zero.ts';
import type { Stack } from '../kit/stack.ts';
import { EXECUTOR, loadExecutor } from '../kit/workflow-runs.ts';
import { waitFor } from '../run.ts';

const READ_ONLY = 'selfsubjectaccessreviews.authorization.k8s.io';

describe('every row', () => {
  test('says what is so, and nothing is written', async ({ stack, phase0 }) => {
    const mark = await stack.audit.mark();
    const started = performance.now();
    const report = await phase0.before();
    expect(performance.now() - started).toBeLessThan(30_000);
    const writes = await stack.audit.since(mark, { user: phase0.user.name });
    expect(writes.length).toBeGreaterThan(100);
    expect(writes.filter(({ resource }) => resource !== READ_ONLY)).toEqual([]);

    const installed = stack.config.argocd !== 'none';
    const exists = installed ? 'failure' : 'pass';
    const all = verdicts(report);
    const expected: Record<string, string> = {
      ...Object.fromEntries(
        TOOLS.map((name) => [`tool:${name}`, phase0.find(name) ? 'pass' : 'failure']),
      ),
      ...{ 'cluster:api': 'pass', 'cluster:authentication': 'pass', dns: 'pass', storage: 'pass' },
      ...{ 'nodes:ready': 'pass', 'nodes:schedulable': 'pass', 'nodes:workers': 'warning' },
      ...{ 'reach:git': 'pass', 'reach:charts': 'pass', 'reach:images:127.0.0.1:1': 'warning' },
      ...{ 'credential:kubeconfig': 'pass', 'credential:git': 'pass' },
      ...{ 'credential:registry': 'warning', 'credential:dns': 'pass' },
      'credential:argocd-token': 'pass',
      ...{ 'absent:argocd': exists, 'absent:argo-workflows': exists },
      ...{ 'absent:argo-events': 'pass', 'absent:sealed-secrets': 'pass' },
      ...{ 'argocd:version': 'pass', 'cluster:admission-policies': 'pass' },
      ...{ 'absent:sealing-keys': 'pass', 'absent:platform': 'pass' },
      'absent:definitions': installed ? 'warning' : 'pass',
    };
    expect(all).toMatchObject(expected);
    const rest = Object.keys(all).filter((id) => !(id in expected));
    const rights = rest.filter((id) => id.startsWith('right:'));
    expect(rights.length).toBeGreaterThan(25);
    for (const id of rights) expect([id, all[id]]).toEqual([id, 'pass']);
    const ofAnsible = rest.filter((id) => /^(?:collection|python):/.test(id));
    expect(ofAnsible).toHaveLength(8);
    const installedIn = phase0.find('ansible-galaxy') ? 'pass' : 'failure';
    for (const id of ofAnsible) expect([id, all[id]]).toEqual([id, installedIn]);
    // The size of the machine is what it is.
    const left = rest.filter((id) => !rights.includes(id) && !ofAnsible.includes(id));
    expect(left).toEqual(['nodes:capacity']);
    expect(report.inventory).toMatchObject(await asKubectlSees(stack));
    expect(seen(report, 'cluster:api')).toContain(report.inventory.version);
    const missing = Object.values(all).includes('failure');
    expect(report.exitStatus > 0).toBe(missing);
  });
});

describe('with one thing taken away, exactly its row turns', () => {
  test('a tool hidden from PATH: status 3, with the command that installs it', async ({
    phase0,
  }) => {
    const before = await phase0.before();
    const kept = JSON.parse(await readFile(join(phase0.folder, 'before.json'), 'utf8'));
    expect(kept).toEqual(before);
    const { status, stdout } = await phase0.run(
      ['-o', 'json', '--compare', 'before.json'],
      'kubeseal',
    );
    const now: PreflightReport & { changes: string[] } = JSON.parse(stdout);
    expect(turned(before, now)).toEqual({ 'tool:kubeseal': 'pass -> failure' });
    expect(now.changes).toContain('tool:kubeseal changed from pass to failure: not on PATH');
    expect([status, now.exitStatus]).toEqual([3, 3]);
    const row = now.rows.find(({ id }) => id === 'tool:kubeseal');
    expect(row?.remedy).toMatch(/^Install it: go install /);
  });

  test('a right', async ({ phase0 }) => {
    const before = await phase0.before();
    const kubeconfig = await userWithout(phase0.scratch, before, 'delete', 'secrets');
    const now = await phase0.report(['--kubeconfig', kubeconfig]);
    expect(turned(before, now)).toEqual({ 'right:secrets': 'pass -> failure' });
    expect(seen(now, 'right:secrets')).toBe('cannot delete');
    expect(now.exitStatus).toBe(3);
  });

  test('the node is cordoned', async ({ phase0, stack }) => {
    const before = await phase0.before();
    onTestFinished(async () => void (await stack.run('kubectl', 'uncordon', 'node1')));
    await stack.run('kubectl', 'cordon', 'node1');
    const now = await phase0.report();
    expect(turned(before, now)).toEqual({ 'nodes:schedulable': 'pass -> failure' });
    expect(seen(now, 'nodes:schedulable')).toBe('none: node1 (cordoned)');
  });

  test('DNS is scaled to zero', async ({ phase0, stack }) => {
    const before = await phase0.before();
    const dns = ['--namespace=kube-system', 'deployment/coredns'];
    onTestFinished(async () => {
      await stack.run('kubectl', 'scale', '--replicas=1', ...dns);
      await stack.run('kubectl', 'rollout', 'status', '--timeout=60s', ...dns);
    });
    await stack.run('kubectl', 'scale', '--replicas=0', ...dns);
    const gone = ['--namespace=kube-system', 'pods', '-l', 'k8s-app=kube-dns', '--output=name'];
    await waitFor('DNS to end', async () => (await stack.run('kubectl', 'get', ...gone)) === '');
    expect(turned(before, await phase0.report())).toEqual({ dns: 'pass -> failure' });
  });

  test('a namespace is left over; one that bootstrap made is not', async ({ phase0, stack }) => {
    const before = await phase0.before();
    const labels = { 'app.kubernetes.io/managed-by': 'tiphys-bootstrap' };
    // It goes while nobody waits: the next run of this suite does, where it must.
    onTestFinished(async () => void (await stack.objects.delete(LEFT_OVER)));
    await stack.apply({ ...LEFT_OVER, metadata: { ...LEFT_OVER.metadata, labels } });
    const made = await phase0.report();
    expect(seen(made, 'absent:argo-events')).toBe('present: bootstrap created argo-events');
    await stack.run(
      'kubectl',
      'label',
      'namespace',
      'argo-events',
      'app.kubernetes.io/managed-by-',
    );
    const now = await phase0.report();
    expect(turned(before, now)).toEqual({ 'absent:argo-events': 'pass -> failure' });
  });
});

describe('from the cluster', () => {
  test.runIf(full)('a pod asks, and is gone afterwards', async ({ phase0, stack }) => {
    await loadExecutor(phase0.scratch);
    const mark = await stack.audit.mark();
    const report = await phase0.report(['--from-cluster', '--image', EXECUTOR]);
    expect(verdicts(report)).toMatchObject({
      pod: 'pass',
      'reach:images:127.0.0.1:1:from-cluster': 'failure',
    });
    const writes = await stack.audit.since(mark, { user: phase0.user.name });
    const made = writes.filter(({ resource }) => resource !== READ_ONLY);
    expect(made.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual([
      'create pods',
      'delete pods',
    ]);
    const pods = await stack.run('kubectl', 'get', 'pods', '--namespace=default', '--output=name');
    expect(pods).not.toContain('tiphys-preflight');
  });
});

/** The inventory, from another program. */
async function asKubectlSees(stack: Stack): Promise<object> {
  const get = async (kind: string) =>
    JSON.parse(await stack.run('kubectl', 'get', kind, '--output=json')).items as {
      metadata: { name: string };
      status?: { nodeInfo: { kubeletVersion: string }; capacity: { pods: string } };
    }[];
  const version = JSON.parse(await stack.run('kubectl', 'version', '--output=json'));
  const [nodes, classes, definitions] = await Promise.all(
    ['nodes', 'storageclasses', 'customresourcedefinitions'].map(get),
  );
  return {
    version: version.serverVersion.gitVersion,
    nodes: nodes?.map(({ metadata, status }) => ({
      ...{ name: metadata.name, version: status?.nodeInfo.kubeletVersion, ready: true },
      allocatable: { pods: Number(status?.capacity.pods) },
    })),
    storageClasses: classes?.map(({ metadata }) => ({ name: metadata.name })),
    definitions: definitions?.map(({ metadata }) => metadata.name).sort(),
  };
}
