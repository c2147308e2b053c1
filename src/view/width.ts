// How many columns of a terminal a text takes. What is not known to be wide or to take none takes one.
import { type Piece, piecesOf, printable, type Text } from './lines.ts';

/** Scripts of East Asia, and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
/** Marks above and below other characters. */
const NONE = /\p{Mn}|\p{Me}/u;
const ASCII = /^[ -~]*$/;

export function widthOf(text: Text): number {
  return piecesOf(text).reduce((sum, piece) => sum + widthOfText(textOf(piece)), 0);
}

const textOf = (piece: Piece): string => printable(typeof piece === 'string' ? piece : piece.text);

function widthOfText(text: string): number {
  if (ASCII.test(text)) return text.length;
  return [...text].reduce((sum, character) => sum + widthOfCharacter(character), 0);
}

const widthOfCharacter = (character: string): number =>
  NONE.test(character) ? 0 : WIDE.test(character) ? 2 : 1;

/** At most so wide; a cut ends in `…`. Undefined: as wide as it is. */
export function shortened(text: Text, columns: number | undefined): Text {
  if (columns === undefined || widthOf(text) <= columns) return text;
  const kept: Piece[] = [];
  let left = Math.max(0, columns - 1);
  for (const piece of piecesOf(text)) {
    const whole = textOf(piece);
    const part = prefix(whole, left);
    left -= widthOfText(part);
    const isCut = part !== whole;
    const shown = isCut && columns > 0 ? `${part.trimEnd()}…` : part;
    kept.push(typeof piece === 'string' ? shown : { ...piece, text: shown });
    if (isCut) break;
  }
  return kept;
}

function prefix(text: string, columns: number): string {
  let width = 0;
  let kept = '';
  for (const character of text) {
    width += widthOfCharacter(character);
    if (width > columns) return kept;
    kept += character;
  }
  return kept;
}
