// What a pod of a Workflow is called with.
import { Command } from 'commander';
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
  readonly concurrency?: number;
  /** The hash of what was approved: it is a teardown. */
  readonly inventory?: string;
  readonly stuckAfter?: number;
  readonly unsafeRemoveFinalizers?: readonly string[];
}

export function parsePod(action: PodAction, args: readonly string[]) {
  const command = new Command(action)
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .argument('[node]')
    .requiredOption('--plan <hash>')
    .option('--run <id>')
    .option('--layered')
    .option('--run-timeout <seconds>', '', Number)
    .option('--keep-hold')
    .option('--concurrency <n>', '', Number)
    .option('--with-dependencies')
    .option('--inventory <hash>')
    .option('--stuck-after <seconds>', '', Number)
    .option('--unsafe-remove-finalizers <names...>')
    .addOption(SCOPE);
  for (const option of policyOptions()) command.addOption(option);
  command.parse(args, { from: 'user' });
  return { options: command.opts<PodOptions>(), node: command.args[0] ?? '' };
}

export function invalid(message: string): TiphysError {
  const hint = 'Submit the plan anew: `tiphys plan -o workflow`.';
  return new TiphysError([{ code: 'variable-invalid', message, hint }]);
}
