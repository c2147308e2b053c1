// The inventory of a platform that was deployed in the rehearsal, as people and programs get it.

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { deploy } from '../../src/engines/embedded/run-deploy.ts';
import { takeInventory } from '../../src/engines/teardown/take-inventory.ts';
import type { Inventory } from '../../src/inventory/inventory.ts';
import { CAUTIOUS } from '../../src/inventory/inventory.ts';
import { buildPlan } from '../../src/plan/build-plan.ts';
import { compile } from '../../src/plan/compile.ts';
import { Rehearsal } from '../../src/rehearsal/rehearsal.ts';
import { populate } from '../../src/rehearsal/scenario.ts';
import { connectOver } from '../../src/targets/connect.ts';
import { renderJson } from '../../src/view/data.ts';
import { renderInventory } from '../../src/view/inventory-text.ts';

const FILE = 'test/goldens/fixtures/shop.yaml';
const EXPECTED = 'test/goldens/inventory';
const REPOSITORY = 'https://git.example/platform.git';
const never = new AbortController().signal;

const compiled = compile({ file: FILE, text: readFileSync(FILE, 'utf8') });
const whole = buildPlan(compiled, { action: 'teardown' });

const options = (text: string) => ({ 'argocd.argoproj.io/sync-options': text });
const workload = (kind: string, name: string, more: object = {}) => ({
  ...{ apiVersion: 'apps/v1', kind, metadata: { name } },
  spec: { replicas: 1, template: { metadata: { labels: { app: name } } }, ...more },
});

/** What the folders of these applications hold. */
const FOLDERS = {
  operator: [
    {
      ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
      metadata: { name: 'databases.example.com' },
      spec: { group: 'example.com', names: { kind: 'Database', plural: 'databases' } },
    },
    workload('Deployment', 'operator'),
  ],
  db: [
    {
      ...{ apiVersion: 'example.com/v1', kind: 'Database' },
      metadata: { name: 'main', finalizers: ['example.com/cleanup'] },
    },
    {
      ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
      metadata: { name: 'backups', annotations: options('Delete=false') },
    },
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'scratch' } },
    workload('StatefulSet', 'db', { volumeClaimTemplates: [{ metadata: { name: 'disk' } }] }),
  ],
  ingress: [
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'gateway' } },
      spec: { type: 'LoadBalancer', ports: [{ port: 443 }] },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'two' } },
  ],
};

async function deployed() {
  const settle = () => new Promise<void>((done) => setImmediate(done));
  const start = Date.UTC(2026, 0, 1);
  const rehearsal = new Rehearsal({
    ...{ seed: 1, faults: [], start, namespace: 'argocd', pace: { settle } },
  });
  populate(rehearsal, compiled.platform);
  for (const [folder, manifests] of Object.entries(FOLDERS)) {
    rehearsal.git.commit(REPOSITORY, folder, manifests);
  }
  const { clock, transport, random } = rehearsal.join('tiphys');
  const run = async () => {
    const world = { namespace: 'argocd', argocdTokenFile: undefined, clock, random };
    const target = await connectOver({ kubernetes: transport, argocd: undefined }, world);
    const report = await deploy({
      ...{ plan: buildPlan(compiled, { action: 'deploy' }), required: [], target, clock },
      ...{ runId: 'run', holder: 'here', concurrency: 50, keepHold: false },
      ...{ listen: () => {}, stop: never, abort: never },
    });
    expect(report.nodes.filter(({ outcome }) => outcome !== 'healthy')).toEqual([]);
    return target;
  };
  const target = await rehearsal.time.until(run());
  const writes: string[] = [];
  rehearsal.onRequest(({ request }) => {
    if (request.method !== 'GET') writes.push(`${request.method} ${request.path}`);
  });
  const look = (scope: readonly string[] = [], volumes: Inventory['volumes'] = 'retain') =>
    rehearsal.time.until(
      takeInventory({
        ...{ plan: buildPlan(compiled, { action: 'teardown', scope }), whole },
        policy: { ...CAUTIOUS, volumes },
        ...{ target, clock },
        ...{ concurrency: 5, signal: never },
      }),
    );
  return { rehearsal, look, writes };
}

let world: Awaited<ReturnType<typeof deployed>>;
let inventory: Inventory;
beforeAll(async () => {
  world = await deployed();
  inventory = await world.look();
}, 120_000);

test.each([
  ['table.txt', () => renderInventory(inventory, { all: false })],
  ['wide.txt', () => renderInventory(inventory, { all: true })],
  ['json.txt', () => renderJson(inventory)],
])('%s', async (name, render) => {
  await expect(render()).toMatchFileSnapshot(resolve(EXPECTED, name));
});

test('no expected file is left over', () => {
  expect(readdirSync(EXPECTED).sort()).toEqual(['json.txt', 'table.txt', 'wide.txt']);
});

test('it is taken without a write, and again the same', async () => {
  expect((await world.look()).hash).toBe(inventory.hash);
  expect(world.writes).toEqual([]);
});

test('what depends on a scope and is there is refused by name', async () => {
  const { refusals } = await world.look(['operator'], 'delete');
  expect(refusals.map(({ code, node }) => [code, node])).toEqual([
    ['dependent-outside', 'app:site'],
    ['dependent-outside', 'app:api'],
    ['dependent-outside', 'app:db'],
  ]);
});

test('an Application that its parent made and nobody expects is refused', async () => {
  const { rehearsal, look } = await deployed();
  const stranger = rehearsal.objects.get(
    'argoproj.io/v1alpha1',
    'Application',
    'argocd',
    'operator',
  );
  if (!stranger) throw new Error('no operator');
  const id = 'data-stack:argoproj.io/Application:argocd/stranger';
  const annotations = { 'argocd.argoproj.io/tracking-id': id };
  rehearsal.objects.create({
    ...stranger,
    metadata: { name: 'stranger', namespace: 'argocd', annotations },
  });
  const { refusals } = await look([], 'delete');
  expect(refusals).toMatchObject([
    { code: 'application-unexpected', message: expect.stringContaining('"stranger"') },
  ]);
});

test('of what is gone it says so', async () => {
  const { rehearsal, look } = await deployed();
  const site = rehearsal.objects.get('argoproj.io/v1alpha1', 'Application', 'argocd', 'site');
  if (!site) throw new Error('no site');
  rehearsal.objects.update(site, (now) => ({
    ...now,
    metadata: { ...now.metadata, finalizers: [] },
  }));
  const current = rehearsal.objects.current(site);
  if (current) rehearsal.objects.remove(current);
  const { gone, applications, hash } = await look();
  expect(gone).toEqual(['app:site']);
  expect(applications.some(({ name }) => name === 'site')).toBe(false);
  expect(hash).not.toBe(inventory.hash);
});

test.each([
  ['in the scope', [] as const, 'application-unreadable'],
  ['that depends on the scope', ['operator'] as const, 'dependent-outside'],
])('an Application %s that cannot be read is refused, and not gone', async (_, scope, code) => {
  const { rehearsal, look } = await deployed();
  const db = rehearsal.objects.get('argoproj.io/v1alpha1', 'Application', 'argocd', 'db');
  if (!db) throw new Error('no db');
  rehearsal.objects.update(db, (now) => ({ ...now, status: { conditions: 'none' } as never }));
  const { gone, refusals } = await look([...scope], 'delete');
  expect(gone).toEqual([]);
  expect(refusals.map((one) => [one.code, one.node])).toContainEqual([code, 'app:db']);
});
