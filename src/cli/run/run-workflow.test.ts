import { expect, test } from 'vitest';
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

const by = (engine: 'auto' | 'embedded' | 'argo-workflows', approved: object) =>
  isByWorkflow({ engine }, { compiled }, target, approved);

test('a teardown that cleans up other clusters is not for a Workflow', async () => {
  expect([await by('auto', {}), await by('argo-workflows', {})]).toEqual([true, true]);
  expect([await by('auto', { clusters }), await by('embedded', { clusters })]).toEqual([
    ...[false, false],
  ]);
  await expect(by('argo-workflows', { clusters })).rejects.toThrow(
    'A Workflow cannot clean up other clusters',
  );
});
