// Runs checks against their cases.
import { TiphysError } from '../errors.ts';
import { API_VERSION } from '../model/api-version.ts';
import { evaluate, type ScriptOptions } from './evaluate.ts';
import { type Check, kindName } from './health-check.ts';
import type { Health, Lua } from './lua.ts';

/** An object, and the expected result. */
export interface Case {
  readonly input: string;
  /** Null if the file with the cases cannot be read. */
  readonly expected: Health | null;
  /** YAML; or why it cannot be read. */
  readonly object: { readonly text: string } | { readonly problem: string };
}

export interface Test {
  readonly check: Check;
  readonly cases: readonly Case[];
}

export interface CaseResult {
  readonly input: string;
  readonly passed: boolean;
  readonly expected: Health | null;
  readonly actual: Health | null;
  /** Why there is no health at all. */
  readonly error: string | null;
}

interface CheckResult {
  readonly check: string;
  readonly file: string;
  readonly cases: readonly CaseResult[];
}

export interface HealthTest {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'HealthTest';
  readonly passed: number;
  readonly failed: number;
  readonly checks: readonly CheckResult[];
}

/** The name of the file with the cases of a check. */
export const CASES = 'health_test.yaml';

/** `read` returns the text of a file relative to the folder of the check, or throws a TiphysError. */
export async function readCases(read: (path: string) => string, lua: Lua): Promise<Case[]> {
  const file = attempt(() => read(CASES));
  if ('problem' in file) return [unreadable(file.problem)];
  const { cases, error } = await lua({ cases: file.text });
  if (error !== undefined) return [unreadable(error)];
  if (!cases?.length)
    return [unreadable('It has no cases. List inputPath and healthStatus under tests.')];
  return cases.map(({ inputPath, healthStatus }) => ({
    input: inputPath,
    expected: healthStatus,
    object: attempt(() => read(inputPath)),
  }));
}

/** A check without readable cases has one failing case. */
function unreadable(problem: string): Case {
  return { input: CASES, expected: null, object: { problem } };
}

function attempt(read: () => string): Case['object'] {
  try {
    return { text: read() };
  } catch (error) {
    if (!(error instanceof TiphysError)) throw error;
    const problems = error.diagnostics.map(({ message, hint }) => `${message} ${hint ?? ''}`);
    return { problem: problems.join(' ').trim() };
  }
}

/** `openLibs`: for all checks, even without a request. Argo CD runs its bundled checks that way. */
export async function testChecks(
  tests: readonly Test[],
  options: ScriptOptions,
): Promise<HealthTest> {
  const checks: CheckResult[] = [];
  for (const { check, cases } of tests) {
    const results = await Promise.all(cases.map((one) => testCase(check, one, options)));
    checks.push({ check: kindName(check), file: check.file, cases: results });
  }
  const all = checks.flatMap(({ cases }) => cases);
  const passed = all.filter((one) => one.passed).length;
  const failed = all.length - passed;
  return { apiVersion: API_VERSION, kind: 'HealthTest', passed, failed, checks };
}

async function testCase(check: Check, one: Case, options: ScriptOptions): Promise<CaseResult> {
  const { input, expected, object } = one;
  const failed = (error: string) => ({ input, passed: false, expected, actual: null, error });
  if ('problem' in object) return failed(object.problem);
  const openLibs = options.openLibs || check.openLibs;
  const result = await evaluate(check.script, object.text, { ...options, openLibs });
  if ('error' in result) return failed(result.error);
  const { health: actual } = result;
  const passed = actual.status === expected?.status && actual.message === expected.message;
  return { input, passed, expected, actual, error: null };
}
