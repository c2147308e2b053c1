// Checks against their cases.
import { z } from 'zod';
import { API_VERSION } from '../model/api-version.ts';
import { parseDocument } from '../model/document.ts';
import type { Source } from '../model/source.ts';
import { parseFile } from '../model/validate.ts';
import type { Clock } from '../ports/clock.ts';
import { type Check, kindName } from './check.ts';
import { evaluate, type Health } from './evaluate.ts';

/** An object, and what the check must say of it. */
export interface Case {
  readonly input: string;
  readonly object: unknown;
  readonly expected: Health;
}

export interface CaseResult {
  readonly input: string;
  readonly passed: boolean;
  readonly expected: Health;
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

/** The file of cases as Argo CD has it. */
const casesFile = z.strictObject({
  tests: z.array(
    z.strictObject({
      inputPath: z.string(),
      healthStatus: z.strictObject({
        status: z.string().optional(),
        message: z.string().optional(),
      }),
    }),
  ),
});

/** `read` gives the text of a file that is named from the folder of the cases. */
export function parseCases(source: Source, read: (path: string) => Source): Case[] {
  return parseFile(source, casesFile).tests.map(({ inputPath, healthStatus }) => ({
    input: inputPath,
    object: parseDocument(read(inputPath)),
    expected: { status: healthStatus.status ?? '', message: healthStatus.message ?? '' },
  }));
}

export interface TestOptions {
  readonly clock: Clock;
  /** For all checks, whatever they ask for: so Argo CD runs the ones that it bundles. */
  readonly openLibs: boolean;
}

export function testChecks(
  checks: readonly { readonly check: Check; readonly cases: readonly Case[] }[],
  options: TestOptions,
): HealthTest {
  const results = checks.map(({ check, cases }) => ({
    check: kindName(check),
    file: check.file,
    cases: cases.map((one) => testCase(check, one, options)),
  }));
  const all = results.flatMap(({ cases }) => cases);
  const passed = all.filter((one) => one.passed).length;
  const failed = all.length - passed;
  return { apiVersion: API_VERSION, kind: 'HealthTest', passed, failed, checks: results };
}

function testCase(check: Check, one: Case, { clock, openLibs }: TestOptions): CaseResult {
  const { input, expected } = one;
  const libraries = openLibs || check.openLibs;
  const result = evaluate(check.script, one.object, { openLibs: libraries, clock });
  if ('error' in result) {
    return { input, passed: false, expected, actual: null, error: result.error };
  }
  const { health: actual } = result;
  const passed = actual.status === expected.status && actual.message === expected.message;
  return { input, passed, expected, actual, error: null };
}
