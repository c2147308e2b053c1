// What Argo CD lists of an Application and does not judge: Synced and Healthy is believed where nothing speaks against it.
import { expect, test } from 'vitest';
import { causeOf, outcomes } from '../fakes/run-world.ts';
import { Rehearsed } from './rehearsed.ts';

const SPEC = {
  timeouts: { sync: '2m', health: '2m' },
  stacks: [{ name: 's', applications: [{ name: 'a', expectedDuration: '20s' }] }],
};
const TRACKING = 'argocd.argoproj.io/tracking-id';

const configMap = (name: string, annotations: Readonly<Record<string, string>>) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap' },
  metadata: { name, namespace: 'platform', annotations },
});

/** Somebody makes it in the cluster, with these annotations. */
const made = (name: string, annotations: Readonly<Record<string, string>>) => (world: Rehearsed) =>
  void world.rehearsal.objects.create(configMap(name, annotations));

const EXTRA = { [TRACKING]: 'a:/ConfigMap:platform/extra' };
const IGNORED = { ...EXTRA, 'argocd.argoproj.io/compare-options': 'IgnoreExtraneous' };
/** As the composite of a Crossplane claim has it: the id is the claim's. */
const COPIED = { [TRACKING]: 'a:apps/Deployment:platform/a' };
const SKIPPED = { 'argocd.argoproj.io/hook': 'Skip' };

test.each([
  ['an extra that Argo CD is told to ignore', made('extra', IGNORED)],
  ['an object with a copy of a tracking id', made('copy', COPIED)],
  [
    'a manifest that is told to be skipped',
    (world: Rehearsed) => world.commit('a', configMap('skipped', SKIPPED)),
  ],
])('%s keeps no gate shut', async (_, prepare) => {
  const world = new Rehearsed({ spec: SPEC });
  prepare(world);
  const report = await world.deploy();
  expect(outcomes(report)).toEqual({ a: 'healthy' });
  expect(world.syncs).toEqual(['a']);
});

test('an extra that nobody told it to ignore does, and the words are a whole sentence', async () => {
  const world = new Rehearsed({ spec: SPEC });
  made('extra', EXTRA)(world);
  const report = await world.deploy();
  expect(causeOf(report, 'app:a')).toMatchObject({
    message: 'not Healthy within 2m (timeouts.health); it is no longer in Git and would be pruned',
    resource: 'ConfigMap platform/extra',
  });
});
