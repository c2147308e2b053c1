// Applications of Applications, three levels deep, deployed and torn down by a Workflow as by the embedded engine.
import { full } from '../kit/full.ts';
import { nestedHealth } from '../kit/nested-health.ts';
import { test } from '../kit/test.ts';
import { expectInOrder, expectInReverse, expectUnchanged, threeDeep } from '../kit/three-deep.ts';
import { allowRuns, BY_WORKFLOW, environmentFor, loadExecutor } from '../kit/workflow-runs.ts';

// By the embedded engine: in deploy-parents.test.ts. By this one without the check and waves: in whole-platform.test.ts, too.
for (const [title, checked] of [
  ['with the check for nested Applications and waves', true],
  ['without them', false],
] as const) {
  test.runIf(full)(`three deep by a Workflow, ${title}`, async ({ scratch }) => {
    await loadExecutor(scratch);
    await allowRuns(scratch);
    if (checked) await nestedHealth(scratch);
    const tiphys = await threeDeep(scratch, checked);
    await environmentFor(scratch);
    const by = [...BY_WORKFLOW, '--nodes', 'agent'];
    await expectInOrder(scratch, tiphys, by);
    // What one engine has deployed, the other finds deployed.
    await expectUnchanged(scratch, tiphys);
    await expectUnchanged(scratch, tiphys, by);
    await expectInReverse(scratch, tiphys, by);
  });
}
