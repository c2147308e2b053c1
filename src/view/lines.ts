// The only way from text to output. Messages, names and annotations of a cluster are untrusted: they must not move the cursor,
// change colours, erase, or add a line that looks like ours.

/** Control and format characters, halves of pairs, line and paragraph separators. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;
const LINE_BREAKS = /[\t\r\n\u2028\u2029]+/g;
/** JSON.stringify escapes the rest. */
const UNPRINTABLE_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** One line in which every character is visible. Idempotent. */
export function printable(text: string): string {
  return text
    .replace(LINE_BREAKS, ' ')
    .replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Each text becomes exactly one line. */
export function renderLines(texts: readonly string[]): string {
  return texts.map((text) => `${printable(text)}\n`).join('');
}

export const renderWarning = (text: string): string => renderLines([`warning: ${text}`]);

/** Rendered parts with a blank line between them; empty ones are left out. */
export function renderParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}

export function renderJsonLine(value: unknown): string {
  return `${escaped(JSON.stringify(value))}\n`;
}

export function renderJson(value: unknown): string {
  return `${escaped(JSON.stringify(value, undefined, 2))}\n`;
}

function escaped(json: string): string {
  return json.replace(UNPRINTABLE_IN_JSON, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
