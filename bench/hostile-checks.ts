// Hostile health checks: what each costs those who test it, and whether the error says why it was stopped.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { costOfAny, MAIN, median } from './processes.ts';
import type { Budget } from './report.ts';

/** Which of its bounds stops a check depends on the speed of the machine. */
const STOPPED = /^It (?:ran longer than 1\.2 s|needs more than 128 MB|nests too deeply)/;

/** Those that are no error in themselves go on until they are stopped. */
const SCRIPTS: Readonly<Record<string, string>> = {
  'an endless loop': 'while true do end',
  'numbers of 64 KB of blanks': 's = (" "):rep(65536) while true do tonumber(s) end',
  '500 comparisons of 7 MB': 's = ("x"):rep(7e6) for i = 1, 500 do c = s .. "a" < s .. "b" end',
  'comparisons of 7 MB': 's = ("x"):rep(7e6) a, b = s .. "a", s .. "b" while true do c = a < b end',
  'a pattern of 6 MB': 'while true do s = ("a"):rep(30):find(("a?"):rep(3e6)) end',
  'a deep result': 't = {} r = t for i = 1, 1e5 do t.a = {} t = t.a end return r',
  'a text that doubles': 's = "x" while true do s = s .. s end',
};
const HARMLESS = 'return { status = "Healthy", message = "" }';

const RUNS = 3;
const SECONDS_MAX = 2;
const MEMORY_MAX = 128;

/** Time and memory of the command, beyond what it takes for a harmless check; in turns, on a machine that may be busy. */
export function hostileBudgets(folder: string): Budget[] {
  return Object.entries(SCRIPTS).flatMap(([name, script], at): Budget[] => {
    const runs = Array.from({ length: RUNS }, () => {
      const harmless = measure(join(folder, 'harmless'), HARMLESS);
      const hostile = measure(join(folder, `hostile-${at}`), script);
      if (harmless.error !== null) throw new Error(`a harmless check: ${harmless.error}`);
      if (!STOPPED.test(hostile.error ?? ''))
        throw new Error(`${name}: ${hostile.error ?? 'it passed'}`);
      return {
        seconds: hostile.seconds - harmless.seconds,
        memory: hostile.memory - harmless.memory,
      };
    });
    const seconds = median(runs.map((run) => run.seconds));
    const memory = Math.max(...runs.map((run) => run.memory));
    return [
      { what: `${name}: time`, value: seconds, limit: SECONDS_MAX, unit: ' s' },
      { what: `${name}: memory`, value: memory, limit: MEMORY_MAX, unit: ' MB' },
    ];
  });
}

/** What the others are compared with: almost all of it is the start of the command and of the interpreter. */
export function renderHarmless(folder: string): string {
  const { seconds, memory } = measure(join(folder, 'harmless'), HARMLESS);
  return `a harmless check: ${seconds.toFixed(2)} s, ${memory.toFixed(0)} MB\n`;
}

interface Measured {
  readonly seconds: number;
  /** The peak of the process, in megabytes. */
  readonly memory: number;
  /** Null: the check said what it must say. */
  readonly error: string | null;
}

function measure(folder: string, script: string): Measured {
  const check = join(folder, 'example.org', 'Any');
  mkdirSync(check, { recursive: true });
  writeFileSync(join(check, 'health.lua'), script);
  writeFileSync(join(check, 'any.yaml'), 'kind: Any\n');
  const one = '- {inputPath: any.yaml, healthStatus: {status: Healthy}}';
  writeFileSync(join(check, 'health_test.yaml'), `tests:\n${one}\n`);
  const args = [MAIN, 'health', 'test', folder, '--open-libs', '-o', 'json'];
  const { seconds, memory, stdout } = costOfAny(args);
  const [checked] = JSON.parse(stdout).checks;
  return { seconds, memory, error: checked.cases[0].error };
}
