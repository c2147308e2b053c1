// Everything that is wrong with variables, mounts and files, at once.
import { planFor } from '../cli/input/planning.ts';
import { readSource } from '../cli/input/read-source.ts';
import type { Io } from '../cli/io.ts';
import { type Diagnostic, TiphysError } from '../errors.ts';
import { environmentFile } from '../model/environment-file.ts';
import { quote } from '../model/names.ts';
import { suggestFrom } from '../model/nearest.ts';
import { parseFile } from '../model/validate.ts';
import {
  ACTIONS,
  checkEnvironmentName,
  type ExecutorAction,
  type ExecutorSettings,
  executorSettings,
  MOUNTS,
  platformFileOf,
  scopeOf,
} from './executor-settings.ts';

/** Throws with everything that is wrong. */
export async function settingsOf(action: string, io: Io): Promise<ExecutorSettings> {
  const problems: Diagnostic[] = [];
  const collect = async <T>(step: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof TiphysError)) throw error;
      problems.push(...error.diagnostics);
      return undefined;
    }
  };
  await collect(() => checkAction(action));
  const settings = await collect(() => executorSettings(io, action));
  await collect(() => checkFiles(io, action, settings));
  if (settings && problems.length === 0) return settings;
  throw new TiphysError(problems);
}

function checkAction(action: string): asserts action is ExecutorAction {
  if (ACTIONS.some((one) => one === action)) return;
  const near = suggestFrom([...ACTIONS])(action);
  const message = action ? `Unknown action ${quote(action)}.` : 'The action is missing.';
  const hint = near ? `Did you mean "${near}"?` : `executor ${ACTIONS.join(' | ')}; see --help.`;
  throw new TiphysError([{ code: 'usage-invalid', message, hint }]);
}

/** Also where variables are wrong: the files are where they are. */
async function checkFiles(
  io: Io,
  action: string,
  settings: ExecutorSettings | undefined,
): Promise<void> {
  const environment = MOUNTS.environment;
  const source = readSource(io, environment, `Mount it as ${environment}.`);
  const file = platformFileOf(io);
  const way = action === 'teardown' ? 'teardown' : 'deploy';
  await planFor(io, way, { file, environment, ...scopeOf(settings?.scope) });
  if (settings) checkEnvironmentName(settings, parseFile(source, environmentFile).name);
}
