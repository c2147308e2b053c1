// Evaluates a check for an object, interpreting the result like Argo CD.
import type { Health, Lua } from './lua.ts';
import { scriptError } from './script-error.ts';

/** `error`: Argo CD would make the whole Application Unknown. */
export type Evaluation = { readonly health: Health } | { readonly error: string };

export interface ScriptOptions {
  /** Argo CD's useOpenLibs: all libraries, not only the language and its tables. */
  readonly openLibs: boolean;
  readonly lua: Lua;
}

/** `object` is YAML, so it may also be JSON. */
export async function evaluate(
  script: string,
  object: string,
  { openLibs, lua }: ScriptOptions,
): Promise<Evaluation> {
  const { health, error } = await lua({ script, object, openLibs });
  if (health) return { health };
  const { line, message } = scriptError(error ?? 'no health');
  return { error: line === undefined ? message : `line ${line}: ${message}` };
}
