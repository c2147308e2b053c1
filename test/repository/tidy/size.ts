// Small files, and nothing left lying about.
import type { SourceFile } from './source-file.ts';

const LINES_MAX = 300;
const LEFTOVERS = ['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'];

export function sizeViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.split('\n').length - 1;
    return lines > LINES_MAX ? [`${path}: ${lines} lines; at most ${LINES_MAX}`] : [];
  });
}

export function leftovers(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    LEFTOVERS.filter((mark) => new RegExp(`\\b${mark}\\b`).test(text)).map(
      (mark) => `${path}: a ${mark} was left behind`,
    ),
  );
}
