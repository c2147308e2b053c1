// Text of a cluster may hold commands to a terminal, line breaks and markup. So nothing but src/view/lines.ts ends a line or writes
// JSON: it makes every character visible first. And nothing but src/view/import/html.ts puts text between tags.
import type { SourceFile } from './source-file.ts';

const FOLDERS = /^src\/(?:view|cli|executor)\//;

/** Formats of their own: none of them holds text of a cluster, or they escape it as the format wants it. */
const EXEMPT =
  /^src\/(?:view\/(?:lines|plan-graph)|cli\/(?:.+\/)?(?:command|completion|example|templates)|executor\/metrics)\.ts$/;

const RULES: readonly (readonly [RegExp, string])[] = [
  [/\\n[`']/, 'ends a line'],
  [/`[^`]*\n[^`]*\$\{[^`]*`|`[^`]*\$\{[^`]*\n[^`]*`/, 'has a line break in a template'],
  [/std(?:out|err)\([^;]*JSON\.stringify/, 'writes JSON'],
];

/** Colours and cursor: only beside the function that keeps the text of others free of them. */
const COMMANDS = /\\u001b|\\u\{1b\}|\\x1b|\\033|\\e\[|\bstyleText\b/i;

/** A tag in a template with something put in, or joined with something; a constant of ours and what is escaped right there is none. */
const MARKUP =
  /`[^`]*<[a-zA-Z/!][^`]*\$\{(?!escapeHtml\(|[A-Z_]+\})|<\/?[a-z][^'`<]*['`]\s*\+|\+\s*['`]<\/?[a-z]/;
const MAKES_MARKUP = 'src/view/import/html.ts';

export function outputViolations(files: readonly SourceFile[]): string[] {
  return [...textViolations(files), ...commandViolations(files), ...markupViolations(files)];
}

function markupViolations(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => FOLDERS.test(path) && !path.endsWith('.test.ts') && !EXEMPT.test(path))
    .filter(({ path, text }) => path !== MAKES_MARKUP && MARKUP.test(withoutComments(text)))
    .map(({ path }) => `${path}: puts text between tags; src/view/import/html.ts does that`);
}

function commandViolations(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => /^src\/(?!.*\.test\.ts$|view\/lines\.ts$)/.test(path))
    .filter(({ text }) => COMMANDS.test(withoutComments(text)))
    .map(({ path }) => `${path}: has a command for terminals; src/view/lines.ts has them all`);
}

function textViolations(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => FOLDERS.test(path) && !path.endsWith('.test.ts') && !EXEMPT.test(path))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text);
      const found = RULES.filter(([pattern]) => pattern.test(code));
      return found.map(([, what]) => `${path}: ${what}; src/view/lines.ts does that`);
    });
}

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
