// JSON that others wrote, with a bound on how deep it is: whoever walks through a value without one runs out of stack.

/** Objects of Kubernetes, their schemas included, stay far below. */
const DEPTH_MAX = 500;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Throws a SyntaxError where it is none, or too deep. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(`it is nested deeper than ${DEPTH_MAX} levels`);
  return JSON.parse(text);
}

/** Counted before it is parsed. Texts are jumped over: brackets in them are none. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    else if (OPENING.has(code) && ++depth > DEPTH_MAX) return true;
    else if (CLOSING.has(code)) depth--;
  }
  return false;
}

/** Where the quote is that ends the text which begins here. */
function endOfText(text: string, begin: number): number {
  let end = text.indexOf('"', begin + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}
