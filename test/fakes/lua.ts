// Argo CD's Lua for the tests of checks.
import { type Evaluation, evaluate } from '../../src/health/evaluate.ts';
import { processIo } from '../../src/process.ts';

export const { lua } = processIo;

/** With an object that is no text yet. */
export function run(script: string, object: unknown, openLibs = false): Promise<Evaluation> {
  return evaluate(script, JSON.stringify(object), { lua, openLibs });
}
