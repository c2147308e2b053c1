// The reference platform by Workflows: 43 applications in 11 stacks from nothing, and back.
import { describe, expect } from 'vitest';
import { census } from '../kit/census.ts';
import { full } from '../kit/full.ts';
import { Reference } from '../kit/reference.ts';
import { expectDeployedInOrder } from '../kit/reference-order.ts';
import { expectTornDown } from '../kit/reference-removal.ts';
import { test } from '../kit/test.ts';
import { allowRuns, BY_WORKFLOW, loadExecutor } from '../kit/workflow-runs.ts';

describe.runIf(full)('the reference platform by Workflows', () => {
  test('comes up in the order of its dependencies, and goes in reverse', {
    timeout: 25 * 60_000,
  }, async ({ stack, scratch }) => {
    await loadExecutor(scratch);
    await allowRuns(scratch);
    const reference = await Reference.create(scratch);
    const environment = `workflowsNamespace: ${scratch.namespace}\n`;
    await reference.edit('environment.yaml', 'name: ', `${environment}name: `);
    const before = await census(stack);
    await reference.bootstrap();
    const begin = Date.now();
    const { report, status } = await reference.tiphys.deploy(...BY_WORKFLOW);
    console.log(`the reference platform is up after ${(Date.now() - begin) / 1000} s`);
    expect(report.nodes.filter(({ cause }) => cause)).toEqual([]);
    expect([status, report.counts.healthy, report.held]).toEqual([0, 43, []]);
    await expectDeployedInOrder(reference);
    await expectTornDown(stack, reference, before, ...BY_WORKFLOW);
  });
});
