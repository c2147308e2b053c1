// What a pod of a Workflow is called with.
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { SCOPE } from '../cli/command.ts';
import type { PlanningOptions } from '../cli/input/planning.ts';
import { type PolicyOptions, policyOptions } from '../cli/options/policy-options.ts';
import { TiphysError } from '../errors.ts';
import type { PodAction } from './executor-settings.ts';

export interface PodOptions extends Omit<PlanningOptions, 'file' | 'environment'>, PolicyOptions {
  readonly plan: string;
  readonly run?: string;
  readonly layered?: boolean;
  readonly runTimeout?: number;
  readonly keepHold?: boolean;
  readonly strict?: boolean;
  /** Who submitted the Workflow, as it says. */
  readonly submittedBy?: string;
  readonly concurrency?: number;
  /** The hash of what was approved: it is a teardown. */
  readonly inventory?: string;
  readonly stuckAfter?: number;
  readonly unsafeRemoveFinalizers?: readonly string[];
}

export function parsePod(action: PodAction, args: readonly string[]) {
  const command = new Command(action)
    .exitOverride()
    .helpOption(false)
    .configureOutput({ writeErr: () => {} })
    .argument('[node]')
    .requiredOption('--plan <hash>')
    .option('--run <id>')
    .option('--layered')
    .option('--run-timeout <seconds>', '', positive)
    .option('--keep-hold')
    .option('--strict')
    .option('--submitted-by <name>')
    .option('--concurrency <n>', '', positive)
    .option('--with-dependencies')
    .option('--inventory <hash>')
    .option('--stuck-after <seconds>', '', positive)
    .option('--unsafe-remove-finalizers <names...>')
    .addOption(SCOPE);
  for (const option of policyOptions()) command.addOption(option);
  try {
    command.parse(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw invalid(
      `The arguments of the pod are not valid: ${error.message.replace(/^error: |\.$/g, '')}.`,
    );
  }
  return { options: command.opts<PodOptions>(), node: command.args[0] ?? '' };
}

/** What no number is would be a time that never ends, or has ended already. */
function positive(text: string): number {
  const value = Number(text);
  if (!(Number.isSafeInteger(value) && value > 0))
    throw new InvalidArgumentError('It is not a whole number above 0.');
  return value;
}

export function invalid(message: string): TiphysError {
  const hint = 'Submit the plan again with `tiphys plan -o workflow`.';
  return new TiphysError([{ code: 'variable-invalid', message, hint }]);
}
