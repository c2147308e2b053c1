// Errors as text and as JSON.
import type { Diagnostic, ExitStatus } from '../errors.ts';
import { API_VERSION } from '../model/api-version.ts';
import { type Look, PLAIN, renderJson, renderLines, type Text } from './lines.ts';
import { plural } from './table.ts';
import { bad, hint as hintLine } from './tone.ts';

/** A longer list is not readable. */
const SHOWN_MAX = 100;

export function renderDiagnostics(diagnostics: readonly Diagnostic[], look: Look = PLAIN): string {
  const shown = diagnostics.slice(0, SHOWN_MAX).flatMap((diagnostic, at) => {
    const isRepeated = diagnostic.hint === diagnostics[at + 1]?.hint && at + 1 < SHOWN_MAX;
    return renderDiagnostic(isRepeated ? { ...diagnostic, hint: '' } : diagnostic);
  });
  const left = diagnostics.length - SHOWN_MAX;
  if (left > 0) shown.push(`... and ${plural(left, 'more error')}; -o json prints all of them`);
  const inFiles = diagnostics.filter((diagnostic) => diagnostic.file !== undefined);
  if (inFiles.length > 1) shown.push(plural(diagnostics.length, 'error'));
  return renderLines(shown, look);
}

function renderDiagnostic(diagnostic: Diagnostic): Text[] {
  const { code, message, details = [], hint, file, line, column } = diagnostic;
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const head = [place ? `${place}: ` : '', bad(`error[${code}]:`), ` ${message}`];
  const below = details.map((detail) => `    ${detail}`);
  return [head, ...below, ...(hint ? [hintLine(hint)] : [])];
}

export function renderDiagnosticsJson(
  diagnostics: readonly Diagnostic[],
  exitStatus: ExitStatus,
): string {
  return renderJson({ apiVersion: API_VERSION, kind: 'Errors', exitStatus, errors: diagnostics });
}
