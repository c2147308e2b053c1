// The only way from text to output. Messages, names and annotations of a cluster are untrusted: they must not move the cursor,
// change colours, erase, or add a line that looks like ours.

const ESC = '\u001b';

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

/** What a piece of text means. Its words say so too: colour adds nothing that is not there without it. */
export type Tone = 'good' | 'busy' | 'bad' | 'faint' | 'strong';

interface Toned {
  readonly text: string;
  readonly tone: Tone;
}

export type Piece = string | Toned;
export type Text = Piece | readonly Piece[];

/** What the reader's stream can do. */
export interface Look {
  /** Of the terminal; undefined: lines are as long as they are. */
  readonly columns?: number | undefined;
  readonly isColoured?: boolean;
}

export const PLAIN: Look = {};

/** Green, yellow, red, dim and bold, in the colours of the reader's own terminal. */
const CODES: Readonly<Record<Tone, number>> = { good: 32, busy: 33, bad: 31, faint: 2, strong: 1 };

/** Without the end of the line. Codes are put around text that is already printable. */
export function renderText(text: Text, look: Look = PLAIN): string {
  return piecesOf(text)
    .map((piece) => {
      if (typeof piece === 'string') return printable(piece);
      const shown = printable(piece.text);
      return look.isColoured && shown !== ''
        ? `${ESC}[${CODES[piece.tone]}m${shown}${ESC}[0m`
        : shown;
    })
    .join('');
}

export const piecesOf = (text: Text): readonly Piece[] =>
  typeof text === 'string' || 'tone' in text ? [text] : text;

/** Each text becomes exactly one line. */
export function renderLines(texts: readonly Text[], look: Look = PLAIN): string {
  return texts.map((text) => `${renderText(text, look)}\n`).join('');
}

/** Takes the last lines off the terminal, from their first column: the `^C` of a key may stand before the cursor. */
export const eraseLines = (count: number): string => (count > 0 ? `${ESC}[${count}F${ESC}[0J` : '');

export const renderWarning = (text: string, look: Look = PLAIN): string =>
  renderLines([warning(text)], look);

export const warning = (text: string): Text => [{ text: 'warning:', tone: 'busy' }, ` ${text}`];

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
