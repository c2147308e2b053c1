// A mutant that the compiler refuses is noticed without a test. All survivors are compiled in few rounds: one of each file at a time.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mutant } from './mutants.ts';

const INPUTS = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'src'];

/** The ids of those that do not compile. Only an error in the mutant's own file counts. */
export function refusedByCompiler(mutants: readonly Mutant[]): ReadonlySet<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tiphys-mutants-'));
  try {
    for (const input of INPUTS) cpSync(input, join(folder, input), { recursive: true });
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    if (filesWithErrors(folder).size > 0) throw new Error('The code does not compile.');
    const refused = new Set<string>();
    for (let waiting = mutants; waiting.length > 0; ) {
      const round = new Map(waiting.map((mutant) => [mutant.file, mutant]));
      for (const mutant of round.values())
        writeFileSync(join(folder, mutant.file), mutated(mutant));
      const errors = filesWithErrors(folder);
      for (const { id, file } of round.values()) if (errors.has(file)) refused.add(id);
      for (const file of round.keys()) cpSync(file, join(folder, file));
      waiting = waiting.filter(({ id, file }) => round.get(file)?.id !== id);
    }
    return refused;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function filesWithErrors(folder: string): ReadonlySet<string> {
  const { stdout } = spawnSync(
    'node_modules/.bin/tsc',
    ['--noEmit', '-p', 'tsconfig.build.json', '--pretty', 'false'],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  return new Set(
    [...stdout.matchAll(/^(src\/[^(\n]+)\(\d+,\d+\): error/gm)].map(([, file]) => file ?? ''),
  );
}

function mutated({ file, start, end, replacement }: Mutant): string {
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n');
  const offset = (line: number, column: number) =>
    lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + column;
  const from = offset(start.line, start.column);
  return text.slice(0, from) + replacement + text.slice(offset(end.line, end.column));
}
