// Hub and spoke: most Applications deploy to a second cluster with an API server of its own. Teardown cleans it up where a context
// reaches it, and leaves it to Argo CD where none does. What was touched is read from the audit logs of both clusters.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Inventory } from '../../../src/inventory/inventory.ts';
import { isQuestion, type Write } from '../kit/audit.ts';
import { memberName } from '../kit/family.ts';
import { full } from '../kit/full.ts';
import { QUICK } from '../kit/platform.ts';
import { listen } from '../kit/run-events.ts';
import type { Scratch } from '../kit/scratch.ts';
import { ARGOCD_USER, HUB, SPOKE_CONTEXT, Spoke } from '../kit/spoke.ts';
import { test } from '../kit/test.ts';
import { deployed, Tiphys } from '../kit/tiphys.ts';
import { configMap, customKind } from '../kit/workloads.ts';

const HERE = ['one', 'two'];
const THERE = ['kinds', 'things', 'a', 'b', 'c', 'd'];
const FINALIZERS = ['resources-finalizer.argocd.argoproj.io'];

/** Six Applications on the second cluster and two on Argo CD's own, the namespaces of which Argo CD makes. */
async function hubAndSpoke(scratch: Scratch) {
  const spoke = await Spoke.create(scratch);
  const group = `${scratch.name}.example.com`;
  const namespace = `${scratch.name}-apps`;
  const thing = { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'main' } };
  const manifests: Record<string, object[]> = {
    kinds: [customKind(group, 'Thing')],
    things: [thing, configMap('things', {})],
  };
  const all = [...HERE, ...THERE];
  await scratch.repository.commit(
    Object.fromEntries(
      all.map((one) => [`${one}/all.yaml`, manifests[one] ?? [configMap(one, {})]]),
    ),
  );
  for (const suffix of all) {
    const server = HERE.includes(suffix) ? 'https://kubernetes.default.svc' : spoke.server;
    await scratch.stack.apply({
      ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' },
      metadata: {
        ...{ name: memberName(scratch, suffix), namespace: 'argocd', finalizers: FINALIZERS },
      },
      spec: {
        project: scratch.name,
        source: { repoURL: scratch.repository.url, path: suffix, targetRevision: 'main' },
        destination: { server, namespace },
        syncPolicy: { syncOptions: ['CreateNamespace=true'] },
      },
    } as never);
  }
  scratch.afterwards(() =>
    scratch.stack.remove({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }),
  );
  const tiphys = new Tiphys(scratch, { KUBECONFIG: spoke.kubeconfig });
  const name = (suffix: string) => memberName(scratch, suffix);
  const chain = (names: readonly string[]) =>
    names.map((one, at) => ({
      name: name(one),
      dependsOn: names.slice(Math.max(0, at - 1), at).map(name),
    }));
  const stacks = [
    { name: 'hub', applications: chain(HERE) },
    { name: 'spoke', dependsOn: ['stack:hub'], applications: chain(THERE) },
  ];
  await tiphys.platform({ ...QUICK, stacks });
  /** An environment file that names this context for the second cluster. Returns the options. */
  const environment = async (context: string): Promise<string[]> => {
    const file = join(scratch.stack.config.state, 'platforms', scratch.name, `${context}.json`);
    const text = {
      ...{ name: 'test', domain: 'example.com', gitRevision: 'main' },
      gitRepository: 'https://git.example.com/platform.git',
      destinations: [{ server: `${spoke.server}/`, context }],
    };
    await writeFile(file, JSON.stringify(text));
    return ['-e', file];
  };
  return { spoke, tiphys, environment, namespace, name };
}

/** What may go, as `RESOURCE NAME`, in one cluster. */
function named({ applications, namespaces, definitions }: Inventory, cluster: string | null) {
  const of = (one: string | undefined) => (one ?? null) === cluster;
  return [
    ...applications
      .filter(({ destination }) => destination === cluster)
      .flatMap(({ deletes }) => deletes.map(({ name }) => name)),
    ...namespaces.filter((one) => one.why === null && of(one.cluster)).map(({ name }) => name),
    ...definitions.filter((one) => of(one.cluster)).map(({ name }) => name),
  ];
}

const render = ({ verb, resource, name }: Write) => `${verb} ${resource} ${name}`;

/** Deletions by whoever the platform's teardown acts as, on either cluster. */
const deletions = (writes: readonly Write[], user: string) =>
  writes.filter((one) => one.user === user && one.verb === 'delete');

describe('hub and spoke', () => {
  test('with a context both clusters are cleaned up, and nothing that was not approved is touched', async ({
    stack,
    scratch,
  }) => {
    const { spoke, tiphys, environment, namespace, name } = await hubAndSpoke(scratch);

    const first = tiphys.start(['deploy', '-o', 'json']);
    listen(first, (event) => {
      if (event.type === 'node.finished' && event.node === `app:${name('things')}`)
        first.child.kill('SIGKILL');
    });
    expect((await first.ended).status).toBeNull();
    const resumed = await tiphys.deploy();
    expect(resumed.status).toBe(0);
    expect(resumed.events.find(({ type }) => type === 'run.started')).toMatchObject({
      resumed: true,
    });
    expect((await tiphys.run('validate')).status).toBe(0);
    expect(await spoke.namespaces()).toContain(namespace);

    // The hub has none of these objects.
    const lost = await tiphys.inventory(...(await environment(HUB)));
    expect(lost.clusters).toBeUndefined();
    expect(lost.warnings.map(({ message }) => message).join()).toContain('is found there');
    // And now it has one of the same name.
    await scratch.apply({ ...configMap('a', {}), metadata: { name: 'a', namespace } });
    const wrong = await tiphys.inventory(...(await environment(HUB)));
    expect(wrong.refusals).toMatchObject([{ code: 'destination-wrong', node: `app:${name('a')}` }]);
    await stack.run('kubectl', '-n', namespace, 'delete', 'configmap', 'a');

    const right = [...(await environment(SPOKE_CONTEXT)), '--crds'];
    const approved = await tiphys.inventory(...right);
    expect(approved.refusals).toEqual([]);
    expect(approved.clusters).toMatchObject([{ cluster: spoke.server, context: SPOKE_CONTEXT }]);
    expect(approved.namespaces.map(({ cluster, why }) => [cluster, why])).toEqual([
      [undefined, null],
      [spoke.server, null],
    ]);
    expect(approved.definitions).toMatchObject([{ cluster: spoke.server }]);
    const confirm = ['--confirm', scratch.name, '--expect', approved.hash];
    const engine = ['--engine', 'argo-workflows'];
    const refused = await tiphys.run('teardown', ...right, ...confirm, ...engine);
    expect([refused.status, refused.stderr]).toEqual([
      ...[3, expect.stringContaining('cannot clean up other clusters')],
    ]);

    const marks = { hub: await stack.audit.mark(), spoke: await spoke.audit.mark() };
    const begun = tiphys.start(['teardown', '-o', 'json', ...right, ...confirm]);
    listen(begun, (event) => {
      if (event.type === 'node.finished' && event.node === `app:${name('b')}`)
        begun.child.kill('SIGKILL');
    });
    expect((await begun.ended).status).toBeNull();
    const report = deployed(
      await tiphys.run('teardown', '-o', 'json', ...right, ...confirm),
    ).report;
    expect(report.exitStatus).toBe(0);
    expect(report.leftovers).toEqual([]);

    expect(await spoke.namespaces()).not.toContain(namespace);
    expect(
      await stack.read({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }),
    ).toBeUndefined();
    const there = await spoke.audit.since(marks.spoke);
    const own = there.filter((one) => one.user === 'admin' && !isQuestion(one));
    expect(own.map(render).sort()).toEqual([
      `delete customresourcedefinitions.apiextensions.k8s.io things.${scratch.name}.example.com`,
      `delete namespaces ${namespace}`,
    ]);
    const byArgocd = deletions(there, ARGOCD_USER).map(({ name: one }) => one);
    expect(byArgocd.length).toBeGreaterThan(0);
    expect(named(approved, spoke.server)).toEqual(expect.arrayContaining(byArgocd));
    const here = deletions(await stack.audit.since(marks.hub, { namespace: /apps$|^$/ }), 'admin');
    expect(here.map(render)).toEqual([`delete namespaces ${namespace}`]);
  });

  test.runIf(full)(
    'without a context Argo CD deletes what it tracks there, and nothing else happens',
    async ({ stack, scratch }) => {
      const { spoke, tiphys, namespace } = await hubAndSpoke(scratch);
      expect((await tiphys.deploy()).status).toBe(0);
      const approved = await tiphys.inventory('--crds');
      expect(approved.clusters).toBeUndefined();
      const told = approved.warnings.filter(({ code }) => code === 'destination-remote');
      expect(told).toHaveLength(THERE.length);
      const mark = await spoke.audit.mark();
      const { report } = await tiphys.teardown(approved, '--crds');
      expect(report.exitStatus).toBe(0);
      const there = await spoke.audit.since(mark);
      expect(there.filter(({ user }) => user === 'admin').map(render)).toEqual([]);
      const byArgocd = deletions(there, ARGOCD_USER).map(({ name }) => name);
      expect(named(approved, spoke.server)).toEqual(expect.arrayContaining(byArgocd));
      expect(await spoke.namespaces()).toContain(namespace);
      const { items } = await spoke.core.listNamespacedConfigMap({ namespace });
      expect(items.map(({ metadata }) => metadata?.name)).toEqual(['kube-root-ca.crt']);
      expect(
        await stack.read({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }),
      ).toBeUndefined();
    },
  );
});
