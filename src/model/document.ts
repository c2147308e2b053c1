// Parses YAML text, with limits on size, nesting and aliases.
import { load, YAMLException } from 'js-yaml';
import { type Diagnostic, type ErrorCode, TiphysError } from '../errors.ts';
import { MARKS_MAX, NESTING_MAX } from './limits.ts';
import { visible } from './names.ts';
import { duplicateKeys } from './positions.ts';
import type { Source } from './source.ts';

export function parseDocument(source: Source): unknown {
  refuseTooMany(source);
  try {
    // An alias bomb needs only a few aliases, so aliases are not allowed.
    return load(source.text, { maxDepth: NESTING_MAX, maxAliases: 0 });
  } catch (error) {
    if (error instanceof YAMLException) throw new TiphysError(syntaxDiagnostics(source, error));
    throw error;
  }
}

/** A few megabytes of very short values would keep the parser busy for minutes, so they are counted before it starts. */
function refuseTooMany({ file, text }: Source): void {
  if (text.length <= MARKS_MAX) return;
  let marks = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === COLON || code === LINE_END) marks++;
  }
  if (marks <= MARKS_MAX) return;
  const message = `The file has ${marks} commas, colons and line ends; the maximum is ${MARKS_MAX}.`;
  throw new TiphysError([{ code: 'file-too-large', message, hint: 'Split the platform.', file }]);
}

const [COMMA, COLON, LINE_END] = [0x2c, 0x3a, 0x0a];

/** The parser stops at the first line that cannot follow the mistake. */
const SYNTAX_HINT =
  'Fix it here or in the line before: often a { or [ is not closed, or the indentation differs.';

function syntaxDiagnostics(source: Source, error: YAMLException): Diagnostic[] {
  const { reason, mark } = error;
  const at = { line: (mark?.line ?? 0) + 1, column: (mark?.column ?? 0) + 1 };
  const one = (code: ErrorCode, message: string, hint: string): Diagnostic[] => [
    { code, message, hint, file: source.file, ...at },
  ];
  if (reason.startsWith('nesting exceeded')) {
    return one('yaml-too-deep', `The file nests deeper than ${NESTING_MAX} levels.`, 'Flatten it.');
  }
  if (reason.startsWith('aliases exceeded')) {
    const hint = 'Write the value out, or use a class for the applications.';
    return one('yaml-alias', 'YAML aliases are not supported.', hint);
  }
  if (reason.startsWith('duplicated mapping key')) return duplicateKeys(source);
  if (reason.startsWith('expected a single document')) return [secondDocument(source)];
  return one('yaml-syntax', `This is not valid YAML: ${visible(reason)}.`, SYNTAX_HINT);
}

/** The marker is at the start of a line; it cannot appear anywhere else in a document. */
const DOCUMENT_START = /^---(?=\s|$)/gm;

function secondDocument({ file, text }: Source): Diagnostic {
  const starts = [...text.matchAll(DOCUMENT_START)].map(({ index }) => index);
  const [first = 0, second = first] = starts;
  // A marker that follows only comments and directives starts the first document.
  const before = text.slice(0, first).split('\n');
  const isFirst = before.every((line) => ['', '#', '%'].includes(line.trim().charAt(0)));
  const line = text.slice(0, isFirst ? second : first).split('\n').length;
  const message = 'A second YAML document starts here; only one is supported.';
  const hint = 'Keep one document in the file: remove this line and everything after it.';
  return { code: 'yaml-syntax', message, hint, file, line, column: 1 };
}
