// The warning that a deployment is expected to exceed its time limit, for each engine.
import type { Plan } from '../../plan/plan.ts';

interface Run {
  readonly concurrency: number;
  readonly byWorkflow: boolean;
  /** Whether --timeout overrides the file. */
  readonly byOption?: boolean;
}

export async function runTimeNotice(plan: Plan, run: Run): Promise<string | undefined> {
  const { expectedRunTime, runTimeWarning } = await import('../../report/run-time.ts');
  const expected = run.byWorkflow
    ? (await import('../../engines/argo-workflows/layers.ts')).workflowDuration
    : expectedRunTime;
  const setting = run.byOption ? '--timeout' : 'timeouts.run';
  return runTimeWarning(plan, expected(plan, run.concurrency), setting);
}
