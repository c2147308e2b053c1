// Files and scope -> plan, for every command that needs one.
import { type TiphysError, usageError } from '../../errors.ts';
import type { Source } from '../../model/source.ts';
import type { Action, Plan } from '../../plan/plan.ts';
import type { PlatformGraph } from '../../plan/platform-graph.ts';
import type { Io } from '../io.ts';
import { type FileOptions, readSources } from './read-source.ts';

export interface PlanningOptions extends FileOptions {
  readonly scope?: readonly string[];
  readonly withDependencies?: boolean | undefined;
}

export interface Planned {
  readonly compiled: PlatformGraph;
  readonly plan: Plan;
  /** The plan of the whole platform, for any scope. */
  readonly whole: Plan;
  /** What it was made of. */
  readonly sources: readonly [platform: Source, environment: Source | undefined];
}

export async function planFor(io: Io, action: Action, options: PlanningOptions): Promise<Planned> {
  const sources = readSources(io, options);
  const [{ compile }, { buildPlan }] = await Promise.all([
    import('../../plan/compile.ts'),
    import('../../plan/build-plan.ts'),
  ]);
  const compiled = compile(...sources);
  const scope = options.scope ?? [];
  const withDependencies = options.withDependencies ?? false;
  const plan = buildPlan(compiled, { action, scope, withDependencies });
  const whole = scope.length === 0 ? plan : buildPlan(compiled, { action });
  return { compiled, plan, whole, sources };
}

export function scopeless(action: Action): TiphysError {
  const option = action === 'deploy' ? '--with-dependencies' : '--with-dependents';
  const hint = 'Add --scope, or remove the option: without a scope the whole platform is planned.';
  return usageError(`The option ${option} requires --scope.`, hint);
}
