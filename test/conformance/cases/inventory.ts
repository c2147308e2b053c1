// What an inventory says of an Application, and what its deletion then does.

import { expect } from 'vitest';
import { takeInventory } from '../../../src/engines/teardown/take-inventory.ts';
import type { Inventory, Volumes } from '../../../src/inventory/inventory.ts';
import { CAUTIOUS } from '../../../src/inventory/inventory.ts';
import { buildPlan } from '../../../src/plan/build-plan.ts';
import { compile } from '../../../src/plan/compile.ts';
import type { Manifest } from '../argocd-world.ts';
import type { Case } from '../case.ts';
import { APPLICATION, CONFIG_MAP, type Lab } from '../lab.ts';
import { annotated, CASCADE, configMap, FOREIGN, guarded, hook, withOption } from '../manifests.ts';

const cascading = { finalizers: [CASCADE] };
const KEEP = { 'helm.sh/resource-policy': 'keep' };

/** Of a platform with these applications, none of which depends on another. */
function inventory(lab: Lab, names: readonly string[], volumes: Volumes = 'retain') {
  const { project, target } = lab;
  const applications = names.map((name) => ({ name }));
  const spec = { argocd: { namespace: lab.world.argocdNamespace, project } };
  const file = {
    apiVersion: 'tiphys.dev/v1alpha1',
    kind: 'Platform',
    metadata: { name: 'inventory' },
    spec: { ...spec, stacks: [{ name: 'all', applications }] },
  };
  const compiled = compile({ file: 'platform.yaml', text: JSON.stringify(file) });
  const plan = buildPlan(compiled, { action: 'teardown' });
  const signal = new AbortController().signal;
  const { clock } = lab.world;
  const policy = { ...CAUTIOUS, volumes };
  return takeInventory({ plan, whole: plan, policy, target, clock, concurrency: 4, signal });
}

const [NOTHING, ONE_GI] = ['', '1Gi'];
const claim = (name: string): Manifest => ({
  ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name } },
  spec: {
    ...{ accessModes: ['ReadWriteOnce'], storageClassName: NOTHING },
    resources: { requests: { storage: ONE_GI } },
  },
});

const definition = (group: string): Manifest => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `things.${group}` },
  spec: {
    ...{ group, scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' } },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
});

const kindAndName = ({ kind, name }: { readonly kind: string; readonly name: string }) =>
  `${kind} ${name}`;
const first = ({ applications: [one] }: Inventory) => {
  if (!one) throw new Error('the inventory is empty');
  return one;
};

/** Deletes it as Tiphys does, and waits until it is gone. */
async function removed(lab: Lab, name: string): Promise<void> {
  const { status } = await lab.about('DELETE', name, '', { cascade: 'true' });
  expect(status).toBe(200);
  await lab.untilGone({ ...APPLICATION, metadata: lab.inArgocd(name) });
}

/** It is to belong to another object, as no manifest in Git can say. */
async function giveTo(lab: Lab, name: string, owner: string): Promise<void> {
  const { uid } = (await lab.read(configMap(owner))).metadata;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid }];
  await lab.apply({ ...CONFIG_MAP, metadata: { name, ownerReferences } });
}

export const inventories: readonly Case[] = [
  {
    title: 'what an inventory says goes with an Application goes, and what it says stays stays',
    check: async (lab) => {
      const staying = [
        withOption('Prune=false,Delete=false', configMap('option')),
        annotated(configMap('helm'), KEEP),
        configMap('owned'),
      ];
      const crd = definition(`${lab.world.id}.example.com`);
      const name = await lab.app('a', [configMap('goes'), ...staying, crd], cascading);
      try {
        await lab.deployed(name);
        await giveTo(lab, 'owned', 'option');
        const saw = await lab.until('Argo CD to see the owner', async () => {
          await lab.refresh(name);
          const { deletes, keeps } = first(await inventory(lab, [name]));
          return keeps.length === 4 && { deletes, keeps };
        });
        expect(saw.deletes.map(kindAndName)).toEqual(['ConfigMap goes']);
        expect(saw.keeps.map((one) => [kindAndName(one), one.why])).toEqual([
          ['ConfigMap helm', 'helm.sh/resource-policy: keep'],
          ['ConfigMap option', 'Delete=false'],
          ['ConfigMap owned', 'left to its owner, ConfigMap option'],
          [
            `CustomResourceDefinition ${crd.metadata.name}`,
            'Argo CD does not delete CRDs with an Application',
          ],
        ]);
        await removed(lab, name);
        await lab.untilGone(configMap('goes'));
        for (const one of [...staying, crd]) {
          const { metadata } = await lab.read(one);
          expect(metadata.deletionTimestamp).toBeUndefined();
        }
      } finally {
        await lab.remove(crd);
      }
    },
  },
  {
    title: 'a hook that was left is in the inventory, and one that went is not',
    check: async (lab) => {
      const [left, gone] = ['left', 'gone'].map((name) => lab.world.job(name, 0)) as [
        Manifest,
        Manifest,
      ];
      const hooks = [hook('PostSync', left), hook('PostSync', gone, 'HookSucceeded')];
      const name = await lab.app('a', [...hooks, configMap('a')], cascading);
      await lab.deployed(name);
      const { deletes } = first(await inventory(lab, [name]));
      expect(deletes.map(kindAndName)).toEqual(['ConfigMap a', 'Job left']);
    },
  },
  {
    title: 'an object that another Application took over stays when the first one goes',
    check: async (lab) => {
      const shared = configMap('shared');
      const [one, other] = [
        await lab.app('a', [shared, configMap('own')], cascading),
        await lab.app('b', [shared], cascading),
      ];
      await lab.deployed(one);
      await lab.synced(other);
      const saw = await lab.until('Argo CD to see the other one', async () => {
        await lab.refresh(one);
        const { deletes, keeps } = first(await inventory(lab, [one]));
        return keeps.length === 1 && { deletes, keeps };
      });
      expect(saw.deletes.map(kindAndName)).toEqual(['ConfigMap own']);
      expect(saw.keeps).toMatchObject([
        { name: 'shared', why: `it belongs to Application "${other}"` },
      ]);
      await removed(lab, one);
      expect((await lab.read(shared)).metadata.deletionTimestamp).toBeUndefined();
    },
  },
  {
    title: 'an inventory refuses a claim that would go, and names finalizers and load balancers',
    check: async (lab) => {
      const service = {
        ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'outside' } },
        spec: { type: 'LoadBalancer', selector: { app: 'a' }, ports: [{ port: 80 }] },
      };
      const manifests = [claim('data'), guarded(configMap('guarded')), service];
      const name = await lab.app('a', manifests);
      try {
        // Just after the operation Argo CD does not see all of it yet.
        await lab.synced(name);
        const saw = await inventory(lab, [name]);
        expect(saw.refusals).toMatchObject([{ code: 'volume-deleted', node: `app:${name}` }]);
        expect(saw.warnings.map(({ code }) => code)).toEqual(['finalizer-missing']);
        expect(first(saw).finalizers).toMatchObject([
          { resource: { kind: 'ConfigMap', name: 'guarded' }, finalizer: FOREIGN, servedBy: [] },
        ]);
        expect(first(saw).loadBalancers.map(kindAndName)).toEqual(['Service outside']);
        expect((await inventory(lab, [name], 'delete')).refusals).toEqual([]);
        expect((await inventory(lab, [name])).hash).toBe(saw.hash);
      } finally {
        await lab.apply({ ...CONFIG_MAP, metadata: { name: 'guarded', finalizers: [] } });
      }
    },
  },
];
