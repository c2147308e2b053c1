// npm run bench:stack: what a deployment costs on a real Argo CD, seen from outside, against its budgets.
import type { Stack } from '../test/stack/kit/stack.ts';
import { inScratch, onStack } from './on-stack.ts';
import { isOver, load, renderBudgets } from './report.ts';
import { budgetsOf, renderMeasured } from './stack-report.ts';
import { measureQuiet, measureRun } from './stack-runs.ts';

await onStack(bench);

async function bench(stack: Stack): Promise<number> {
  process.stderr.write('deploying a platform\n');
  const run = await inScratch(stack, measureRun);
  process.stderr.write('waiting for one slow application\n');
  const quiet = await inScratch(stack, measureQuiet);
  const budgets = budgetsOf(run, quiet);
  process.stdout.write(`${renderMeasured(run, quiet)}\n${renderBudgets(budgets)}${load()}`);
  return budgets.some(isOver) ? 1 : 0;
}
