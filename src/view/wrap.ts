// Long lines on a terminal: cut between words. What stands in backticks stays on one line, so that commands can be copied.
import { type Look, type Piece, piecesOf, renderLines, type Text } from './lines.ts';
import { widthOf } from './width.ts';

/** What is in backticks, a word, or the spaces between two. */
const TOKENS = /`[^`]*`|[^\s`]+|`|\s+/g;
const SPACES = /^\s+$/;
const INDENT = '  ';

export const renderWrapped = (texts: readonly Text[], look: Look): string =>
  renderLines(
    texts.flatMap((text) => wrapped(text, look.columns)),
    look,
  );

/** A continued line is indented, so that none begins where a line of ours does. Undefined: as wide as it is. */
export function wrapped(text: Text, columns: number | undefined): Text[] {
  if (columns === undefined || widthOf(text) <= columns) return [text];
  const lines: Piece[][] = [[]];
  let width = 0;
  let gap: Piece[] = [];
  for (const word of wordsOf(text)) {
    if (isGap(word)) {
      gap = word;
      continue;
    }
    const needed = widthOf(gap) + widthOf(word);
    const isFirst = lines.length === 1 && width === 0;
    if (isFirst || width + needed <= columns) {
      lines.at(-1)?.push(...gap, ...word);
      width += needed;
    } else {
      lines.push([indentOf(text) + INDENT, ...word]);
      width = widthOf(lines.at(-1) ?? []);
    }
    gap = [];
  }
  return lines;
}

const textOf = (piece: Piece): string => (typeof piece === 'string' ? piece : piece.text);

const isGap = (word: readonly Piece[]): boolean =>
  word.every((piece) => SPACES.test(textOf(piece)));

function indentOf(text: Text): string {
  const [first = ''] = piecesOf(text);
  return /^ {0,8}/.exec(textOf(first))?.[0] ?? '';
}

/** Spaces, and what stands between them, which may be of several pieces. */
function wordsOf(text: Text): Piece[][] {
  const words: Piece[][] = [];
  for (const piece of piecesOf(text)) {
    for (const token of textOf(piece).match(TOKENS) ?? []) {
      const part = typeof piece === 'string' ? token : { ...piece, text: token };
      const last = words.at(-1);
      if (last && isGap(last) === SPACES.test(token)) last.push(part);
      else words.push([part]);
    }
  }
  return words;
}
