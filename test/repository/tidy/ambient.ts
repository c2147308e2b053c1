// Nothing implicit: clock, randomness, network, files and the process come in as arguments.
import { codeOf, type SourceFile } from './source-file.ts';

const AMBIENT: readonly (readonly [RegExp, string])[] = [
  [/\bprocess\b/, 'process'],
  [/\bconsole\b/, 'console'],
  // With a time that it is given, Date only converts.
  [/\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\s*\)/, 'the clock'],
  [/\bperformance\b/, 'performance'],
  [/\bset(?:Timeout|Interval|Immediate)\b/, 'a timer'],
  [/\bMath\.random\b|\brandomUUID\b|\brandomBytes\b/, 'randomness'],
  [/\bfetch\(/, 'fetch'],
  [/\blocaleCompare\b|\btoLocale\w*\b|\bIntl\b/, 'the locale'],
  [/\beval\(|\bnew Function\b/, 'eval'],
];

/** The process itself is the one place; and what the thread of scripts has instead of a system. */
const ALLOWED = new Set(['src/main.ts', 'src/process.ts', 'src/lua/system.ts']);

export function ambientViolations(files: readonly SourceFile[]): string[] {
  return files
    .filter(
      ({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts') && !ALLOWED.has(path),
    )
    .flatMap(({ path, text }) => {
      const code = codeOf(text);
      const used = AMBIENT.filter(([pattern]) => pattern.test(code));
      return used.map(([, name]) => `${path}: uses ${name}; take it as an argument`);
    });
}
