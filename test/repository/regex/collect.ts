// Every regular expression of a source file, and how much text it is ever given.
import { parseAst, transformWithEsbuild } from 'vite';

interface FoundPattern {
  readonly pattern: RegExp;
  readonly source: string;
  /** Characters, where a comment beside it says so: `at most 4,096 characters`. */
  readonly longest: number | undefined;
}

export interface Found {
  readonly literals: readonly FoundPattern[];
  /** How many are put together while the program runs. */
  readonly built: number;
}

/** What the parser gives, as far as it is looked at. */
interface Syntax {
  readonly type: string;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: { readonly name?: string };
}

export async function patternsOf(path: string, text: string): Promise<Found> {
  const { code } = await transformWithEsbuild(text, path, { sourcemap: false, target: 'esnext' });
  const literals: FoundPattern[] = [];
  let built = 0;
  walk(parseAst(code) as unknown, ({ type, regex, callee }) => {
    if (regex) {
      const source = `/${regex.pattern}/${regex.flags}`;
      const pattern = new RegExp(regex.pattern, regex.flags);
      literals.push({ pattern, source, longest: longestBeside(text, source) });
    }
    if (/^(?:New|Call)Expression$/.test(type) && callee?.name === 'RegExp') built++;
  });
  return { literals, built };
}

function walk(value: unknown, visit: (syntax: Syntax) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value) visit(value as Syntax);
  for (const child of Object.values(value)) walk(child, visit);
}

/** On its line, or in the comment right above. */
function longestBeside(text: string, source: string): number | undefined {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.includes(source));
  const near = lines.slice(Math.max(0, at - 2), at + 1).join('\n');
  const said = /at most ([\d,]+) characters/i.exec(near)?.[1];
  return said === undefined ? undefined : Number(said.replaceAll(',', ''));
}
