// Parses error messages of gopher-lua into line and message. A script has no name there, only `<string>`.

interface ScriptError {
  readonly line: number | undefined;
  readonly message: string;
}

/** A script can raise an error of any length. */
const LONGEST = 8_192;

const RUNTIME = /^<string>:(?<line>\d+): (?<message>.*)$/s;
// The parser's own messages have no quotes: only what it stopped at may have some.
const SYNTAX =
  /^<string> line:(?<line>\d+)\(column:\d+\) near '(?<near>.*)': +(?<message>(?! )[^']*)\n$/s;
const UNFINISHED = /^<string> at EOF: +(?<message>(?! ).*)\n$/;
const COMPILE = /^compile error near line\((?<line>\d+)\) <string>: (?<message>.*)$/;

export function scriptError(said: string): ScriptError {
  const text = said.slice(0, LONGEST);
  for (const pattern of [RUNTIME, SYNTAX, UNFINISHED, COMPILE]) {
    const found = pattern.exec(text)?.groups;
    if (!found) continue;
    const { line, message = '', near } = found;
    const place = near === undefined ? '' : ` near '${near}'`;
    const end = pattern === UNFINISHED ? ' at the end of the script' : '';
    return {
      line: line === undefined ? undefined : Number(line),
      message: `${message}${place}${end}`,
    };
  }
  return { line: undefined, message: text };
}
