// Parses foreign JSON with a limit on its depth: code that walks a value without a limit can overflow the stack.

/** Kubernetes objects and their schemas stay far below this. */
const DEPTH_MAX = 500;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Throws a SyntaxError if the text is not JSON, or is nested too deeply. */
export function parseJson(text: string): unknown {
  if (hasManyBrackets(text) && isTooDeep(text))
    throw new SyntaxError(`it is nested deeper than ${DEPTH_MAX} levels`);
  return JSON.parse(text);
}

/** Without them nothing is too deep. They are found much faster than their depth, and most texts have few. */
function hasManyBrackets(text: string): boolean {
  let count = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1))
      if (++count > DEPTH_MAX) return true;
  }
  return false;
}

/** Counted before parsing. Brackets inside strings do not count. */
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

/** The position of the quote that ends the string starting here. */
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
