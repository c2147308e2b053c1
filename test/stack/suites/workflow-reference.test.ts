// The reference platform by Workflows: 43 applications in 11 stacks from nothing, and back, with the reports of the
// embedded engine.
import { describe, expect } from 'vitest';
import type { Report } from '../../../src/report/run-report.ts';
import { census } from '../kit/census.ts';
import { full } from '../kit/full.ts';
import { lasting } from '../kit/lasting.ts';
import { Reference } from '../kit/reference.ts';
import { expectDeployedInOrder } from '../kit/reference-order.ts';
import { expectTornDown } from '../kit/reference-removal.ts';
import type { Stack } from '../kit/stack.ts';
import { test } from '../kit/test.ts';
import { allowRuns, BY_WORKFLOW, loadExecutor } from '../kit/workflow-runs.ts';

/** Up from nothing, and down again: both reports. */
async function thereAndBack(stack: Stack, reference: Reference, by: string[]): Promise<Report[]> {
  const before = await census(stack);
  await reference.bootstrap();
  const begin = Date.now();
  const { report, status } = await reference.tiphys.deploy(...by);
  console.log(`the reference platform is up after ${(Date.now() - begin) / 1000} s`);
  expect(report.nodes.filter(({ cause }) => cause)).toEqual([]);
  expect([status, report.counts.healthy, report.held]).toEqual([0, 43, []]);
  await expectDeployedInOrder(reference);
  return [report, await expectTornDown(stack, reference, before, ...by)];
}

describe.runIf(full)('the reference platform by Workflows', () => {
  test('comes up in the order of its dependencies, and goes in reverse, as by the embedded engine', {
    timeout: 40 * 60_000,
  }, async ({ stack, scratch }) => {
    await loadExecutor(scratch);
    await allowRuns(scratch);
    const reference = await Reference.create(scratch);
    const environment = `workflowsNamespace: ${scratch.namespace}\n`;
    await reference.edit('environment.yaml', 'name: ', `${environment}name: `);
    const [up, down] = await thereAndBack(stack, reference, BY_WORKFLOW);
    const [upAlone, downAlone] = await thereAndBack(stack, reference, []);
    expect(up && lasting(up)).toEqual(upAlone && lasting(upAlone));
    expect(down && lasting(down)).toEqual(downAlone && lasting(downAlone));
    expect(down?.leftovers).toEqual(downAlone?.leftovers);
  });
});
