import { expect, test } from 'vitest';
import { foundApplication, inventoryOf } from '../../../test/fakes/inventory.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import { compile } from '../../plan/compile.ts';
import type { Cluster } from '../../ports/target.ts';
import { isByWorkflow } from './run-workflow.ts';

const file = {
  ...{ apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform', metadata: { name: 'shop' } },
  spec: { stacks: [{ name: 'all', applications: [{ name: 'db' }] }] },
};
const compiled = compile({ file: 'platform.yaml', text: JSON.stringify(file) });
/** Argo Workflows is there. */
const target = { workflows: { list: async () => [] } } as unknown as Cluster;
const clusters = [{ cluster: 'spoke', context: 'spoke', uid: 'u' }];

const by = (engine: 'auto' | 'embedded' | 'argo-workflows', part: Partial<Inventory>) =>
  isByWorkflow({ engine }, { compiled }, target, inventoryOf(part));

test('a teardown of what Argo CD manages alone is for a Workflow', async () => {
  const applications = [foundApplication('a'), foundApplication('b', { destination: 'spoke' })];
  expect([await by('auto', { applications }), await by('argo-workflows', {})]).toEqual([
    ...[true, true],
  ]);
});

test.each<[string, Partial<Inventory>]>([
  ['cleans up other clusters', { clusters }],
  [
    'cleans up Argo CD’s own cluster by another name',
    { applications: [foundApplication('a', { destination: 'spoke', cluster: '' })] },
  ],
])('a teardown that %s is not for a Workflow', async (_, approved) => {
  expect([await by('auto', approved), await by('embedded', approved)]).toEqual([false, false]);
  await expect(by('argo-workflows', approved)).rejects.toThrow(
    'A Workflow cannot clean up other clusters',
  );
});
