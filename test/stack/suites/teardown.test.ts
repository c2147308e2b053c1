// Teardown on the real Argo CD: operators and their instances, parents and ApplicationSets, volumes, scopes.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { volumesDirectory } from '../config.ts';
import { child, memberName } from '../kit/family.ts';
import { holdFromBefore, QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { Tiphys } from '../kit/tiphys.ts';
import { configMap, customKind, deployment } from '../kit/workloads.ts';
import { waitFor } from '../run.ts';

const FINALIZERS = ['resources-finalizer.argocd.argoproj.io'];
const KEPT = { 'argocd.argoproj.io/sync-options': 'Delete=false' };

const claim = (name: string, annotations = {}) => ({
  ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name, annotations } },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } },
});

class Databases {
  readonly scratch: Scratch;
  readonly group: string;

  constructor(scratch: Scratch) {
    this.scratch = scratch;
    this.group = `${scratch.name}.example.com`;
    scratch.afterwards(async () => {
      await scratch.stack.dropFinalizers(this.instance);
      const [definition] = this.operator;
      await scratch.stack.remove(definition as never);
    });
  }

  get operator(): readonly object[] {
    return [customKind(this.group, 'Database'), deployment({ name: 'operator' })];
  }

  get instance() {
    return {
      ...{ apiVersion: `${this.group}/v1`, kind: 'Database' },
      metadata: {
        name: 'main',
        namespace: this.scratch.namespace,
        finalizers: [`${this.group}/x`],
      },
    };
  }

  /** What the operator does as long as its Deployment is there: takes the finalizer off what is being deleted. */
  serve(): void {
    const { stack, namespace } = this.scratch;
    const workload = { apiVersion: 'apps/v1', kind: 'Deployment' };
    let ended = false;
    const work = async () => {
      while (!ended) {
        const now = await stack.read(this.instance).catch(() => undefined);
        const operator = { ...workload, metadata: { name: 'operator', namespace } };
        const isDeleted = 'deletionTimestamp' in (now?.metadata ?? {});
        if (isDeleted && (await stack.read(operator))) await stack.dropFinalizers(this.instance);
        await new Promise((next) => setTimeout(next, 500));
      }
    };
    const worked = work();
    this.scratch.afterwards(async () => {
      ended = true;
      await worked;
    });
  }
}

/** A parent that heals itself with an operator and a database, and a site that an ApplicationSet makes. */
async function shop(scratch: Scratch) {
  const databases = new Databases(scratch);
  const name = (suffix: string) => memberName(scratch, suffix);
  const cascading = (suffix: string) => {
    const { metadata, ...rest } = child(scratch, suffix);
    return { ...rest, metadata: { ...metadata, finalizers: FINALIZERS } };
  };
  await scratch.repository.commit({
    'operator/all.yaml': databases.operator,
    'db/all.yaml': [databases.instance, claim('kept', KEPT), claim('scratch')],
    'site/all.yaml': [configMap('site', {})],
    'parent/operator.yaml': cascading('operator'),
    'parent/db.yaml': cascading('db'),
  });
  const { metadata, spec } = cascading('site');
  const set = {
    ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet' },
    metadata: { name: scratch.name, namespace: 'argocd' },
    spec: {
      generators: [{ list: { elements: [{ name: metadata.name }] } }],
      template: { metadata: { name: '{{name}}' }, spec },
    },
  };
  scratch.afterwards(() => scratch.stack.remove(set));
  const bringIn = async () => {
    await holdFromBefore(scratch, 'parent', 'operator', 'db', 'site');
    const automated = { selfHeal: true };
    await scratch.application('parent', { path: 'parent', automated, cascade: true });
    await scratch.stack.apply(set);
  };
  const tiphys = new Tiphys(scratch);
  const stacks = [
    {
      name: 'data',
      application: name('parent'),
      applications: [
        { name: name('operator') },
        { name: name('db'), dependsOn: [name('operator')] },
      ],
    },
    { name: 'web', applications: [{ name: name('site'), dependsOn: [name('db')] }] },
  ];
  await tiphys.platform({ ...QUICK, stacks });
  return { tiphys, databases, bringIn, name };
}

const ours = async ({ stack, name }: Scratch) =>
  (await stack.applications()).filter(({ spec }) => spec.project === name);

describe.concurrent('teardown', () => {
  test('instances before operators, children stay deleted, what is kept is found again', async ({
    stack,
    scratch,
  }) => {
    const { tiphys, databases, bringIn, name } = await shop(scratch);
    databases.serve();
    await bringIn();
    expect((await tiphys.deploy()).status).toBe(0);
    const volumeOf = async (name: string) => {
      const place = { name, namespace: scratch.namespace };
      const { spec, status } = await stack.core.readNamespacedPersistentVolumeClaim(place);
      return status?.phase === 'Bound' ? (spec?.volumeName ?? '') : '';
    };
    const bound = await waitFor('the claim to be bound', () => volumeOf('kept'));
    const other = await waitFor('the other one to be bound', () => volumeOf('scratch'));
    const data = join(volumesDirectory(stack.config), bound, 'data');
    await writeFile(data, 'ours');

    expect((await tiphys.inventory()).refusals).toMatchObject([{ code: 'volume-deleted' }]);
    const scope = ['--scope', name('operator'), '--volumes', 'delete'];
    const part = await tiphys.inventory(...scope);
    const approved = ['--confirm', scratch.name, '--expect', part.hash];
    const refused = await tiphys.run('teardown', ...scope, ...approved);
    expect(refused.status).toBe(1);
    for (const suffix of ['db', 'site'])
      expect(refused.stderr).toContain(`"${name(suffix)}" still exists`);

    const along = [...scope, '--with-dependents'];
    const three = await tiphys.inventory(...along);
    expect([three.refusals, three.warnings, three.applications.length]).toEqual([[], [], 3]);
    const mark = await stack.audit.mark();
    const torn = await tiphys.teardown(three, ...along);
    expect(torn.report.nodes.filter(({ cause }) => cause)).toEqual([]);
    expect(torn.status).toBe(0);
    await new Promise((later) => setTimeout(later, 15_000));
    expect((await ours(scratch)).map(({ metadata }) => metadata?.name)).toEqual([name('parent')]);
    const rest = await tiphys.inventory();
    expect((await tiphys.teardown(rest)).status).toBe(0);
    expect(await ours(scratch)).toEqual([]);
    const made = await stack.audit.since(mark, {
      ...{ resource: 'applications.argoproj.io', verb: 'create', name: new RegExp(scratch.name) },
    });
    expect(made).toEqual([]);
    expect([await volumeOf('kept'), existsSync(data)]).toEqual([bound, true]);
    const gone = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: other } };
    await waitFor('the volume to be gone', async () => (await stack.read(gone)) === undefined);
    const again = await tiphys.run('teardown', '--confirm', scratch.name, '--expect', rest.hash);
    expect([again.status, again.stdout]).toEqual([0, expect.stringContaining('Nothing to delete')]);

    await bringIn();
    const redeployed = await tiphys.deploy();
    expect(redeployed.status).toBe(0);
    expect([await volumeOf('kept'), existsSync(data)]).toEqual([bound, true]);
  });

  test('without its edge an operator may go first: told before, named when it hangs, fixed later', async ({
    stack,
    scratch,
  }) => {
    const databases = new Databases(scratch);
    await scratch.repository.commit({
      'operator/all.yaml': databases.operator,
      'db/all.yaml': [databases.instance],
      'other/all.yaml': [configMap('other', {})],
    });
    const names = await Promise.all(
      ['operator', 'db', 'other'].map((path) => scratch.application(path, { path, cascade: true })),
    );
    const [operator = '', db = '', other = ''] = names;
    const tiphys = new Tiphys(scratch);
    const applications = [{ name: operator }, { name: db }, { name: other }];
    await tiphys.platform({ ...QUICK, stacks: [{ name: 's', applications }] });
    await stack.argocd.sync(operator);
    await stack.application(operator, 'synced', ({ status }) => status?.sync?.status === 'Synced');
    expect((await tiphys.deploy()).status).toBe(0);

    const inventory = await tiphys.inventory();
    expect(inventory.warnings).toMatchObject([{ code: 'finalizer-deadlock', node: `app:${db}` }]);
    const stuck = await tiphys.teardown(inventory, '--stuck-after', '20s');
    expect(stuck.status).toBe(2);
    expect(stuck.outcomes).toMatchObject({
      ...{ [`app:${operator}`]: 'removed', [`app:${db}`]: 'failed', [`app:${other}`]: 'removed' },
    });
    const cause = stuck.report.nodes.find(({ id }) => id === `app:${db}`)?.cause?.message;
    expect(cause).toMatch(
      /Database .*\/main has been terminating since .*which .*-operator should remove/,
    );

    const unsafe = ['--unsafe-remove-finalizers', db, '--confirm', db];
    const done = await tiphys.teardown(inventory, '--stuck-after', '5s', ...unsafe);
    expect(done.status).toBe(0);
    expect(done.events.filter(({ type }) => type === 'node.finalizers-removed')).toHaveLength(1);
    expect(await ours(scratch)).toEqual([]);
  });
});
