// What `tiphys rehearse serve` cannot do anything with is refused: these options and faults are for a deployment that it does not run.
import { usageError } from '../../errors.ts';
import type { Fault } from '../../rehearsal/fault.ts';
import { MODE } from '../options/run-options.ts';

const WITHOUT_EFFECT = {
  scope: '--scope',
  withDependencies: '--with-dependencies',
  withDependents: '--with-dependents',
  concurrency: '--concurrency',
  timeout: '--timeout',
  mode: '--mode',
  strict: '--strict',
} as const;

export type RunOnly = { readonly [Key in keyof typeof WITHOUT_EFFECT]?: unknown };

export function refuseRunOptions(options: RunOnly): void {
  const { mode, ...others } = options;
  const given: RunOnly = mode === MODE.defaultValue ? others : options;
  for (const [key, option] of Object.entries(WITHOUT_EFFECT)) {
    if (given[key as keyof RunOnly] === undefined) continue;
    throw usageError(
      `The option ${option} is not supported for serve.`,
      'Remove it, or pass it to the command that uses the simulated cluster.',
    );
  }
}

/** They happen to the process of a rehearsed deployment, or to who approves in it. */
const isOfRun = ({ subject, effect }: Fault): boolean =>
  subject === 'tiphys' || (subject === 'app' && (effect === 'denied' || effect === 'unanswered'));

export async function refuseRunFaults(faults: readonly Fault[]): Promise<void> {
  const refused = faults.find(isOfRun);
  if (!refused) return;
  const { renderFault } = await import('../../rehearsal/render-fault.ts');
  throw usageError(
    `The fault "${renderFault(refused)}" is not supported for serve: only \`tiphys rehearse deploy\` can make it happen.`,
    'Remove it, or use `tiphys rehearse deploy`.',
  );
}
