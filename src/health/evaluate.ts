// Object -> health, by a check, as Argo CD takes what a check returns.
import { ScriptError } from './lua/lexer.ts';
import { LimitError } from './lua/meter.ts';
import { runScript, type ScriptOptions } from './lua/run-script.ts';
import { LuaError, LuaTable, textOf, typeName, type Value } from './lua/value.ts';

export interface Health {
  /** Empty where the check returned nothing: Argo CD then counts the resource for nothing. */
  readonly status: string;
  readonly message: string;
}

/** `error`: Argo CD would make the whole Application Unknown. */
export type Evaluation = { readonly health: Health } | { readonly error: string };

const STATUSES: ReadonlySet<string> = new Set([
  'Healthy',
  'Suspended',
  'Progressing',
  'Missing',
  'Degraded',
  'Unknown',
]);

const NOTHING: Health = { status: '', message: '' };

export function evaluate(script: string, object: unknown, options: ScriptOptions): Evaluation {
  try {
    return healthFrom(runScript(script, object, options));
  } catch (error) {
    if (error instanceof ScriptError) {
      return { error: `line ${error.line}: ${textOf(error.message)}` };
    }
    if (error instanceof LimitError) return { error: error.message };
    if (!(error instanceof LuaError)) throw error;
    return { error: error.message.replace(/^<string>:(\d+): /, 'line $1: ') };
  }
}

function healthFrom(value: Value): Evaluation {
  if (value === undefined) return { health: NOTHING };
  if (!(value instanceof LuaTable)) {
    return { error: `it returns a ${typeName(value)} where a table is expected` };
  }
  const first = value.next(undefined);
  if (!first || typeof first[0] === 'number') return { health: NOTHING };
  const problem = unwritable(value, new Set());
  if (problem) return { error: `it returns a table ${problem}` };
  const fields = new Map<string, Value>();
  for (let pair = value.next(undefined); pair; pair = value.next(pair[0])) {
    fields.set(String(pair[0]).toLowerCase(), pair[1]);
  }
  const [status = '', message = ''] = [fields.get('status'), fields.get('message')];
  if (typeof status !== 'string' || typeof message !== 'string') return { health: NOTHING };
  if (STATUSES.has(status)) return { health: { status, message: textOf(message) } };
  return { health: { status: 'Unknown', message: 'Lua returned an invalid health status' } };
}

/** Argo CD takes the table as JSON: why it could not be written as such. */
function unwritable(table: LuaTable, seen: Set<LuaTable>): string | undefined {
  if (seen.has(table)) return 'that holds another one twice';
  seen.add(table);
  const [first] = table.next(undefined) ?? [];
  let expected = 1;
  for (let pair = table.next(undefined); pair; pair = table.next(pair[0])) {
    const [key, value] = pair;
    if (typeof key !== typeof first || (typeof key !== 'string' && typeof key !== 'number')) {
      return 'with keys of several types';
    }
    if (typeof key === 'number' && key !== expected++) return 'with holes';
    if (typeof value === 'object' && !(value instanceof LuaTable)) return 'with a function';
    const problem = value instanceof LuaTable ? unwritable(value, seen) : undefined;
    if (problem) return problem;
  }
  return undefined;
}
