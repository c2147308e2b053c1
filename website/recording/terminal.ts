// A terminal of a fixed size, for what the program writes to one: whole lines, colours, and the erasing of its last lines.

/** Text of one style: the codes of SGR that are on, such as `1` for bold. */
export interface Run {
  readonly text: string;
  readonly codes: readonly number[];
}

export type Row = readonly Run[];

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal obeys
const SEQUENCE = /\u001b\[([\d;]*)([A-Za-z])|\n|[^\u001b\n]+|\u001b/g;

export class Terminal {
  readonly #columns: number;
  #rows: Run[][] = [[]];
  #codes: readonly number[] = [];

  constructor(columns: number) {
    this.#columns = columns;
  }

  write(text: string): void {
    for (const [part, numbers, letter] of text.matchAll(SEQUENCE)) {
      if (part === '\n') this.#rows.push([]);
      else if (letter === 'm') this.#codes = stylesAfter(this.#codes, numbers ?? '');
      else if (letter === 'F') this.#rows = [...this.#rows.slice(0, -1 - Number(numbers || 1)), []];
      else if (part.startsWith('\u001b') && part !== '\u001b[0J') {
        throw new Error(`the recording does not know ${JSON.stringify(part)}`);
      } else if (!part.startsWith('\u001b')) this.#print(part);
    }
  }

  #print(text: string): void {
    for (let rest = text; rest !== ''; ) {
      const row = this.#rows.at(-1) ?? [];
      const room = this.#columns - row.reduce((sum, run) => sum + run.text.length, 0);
      if (room === 0) {
        this.#rows.push([]);
        continue;
      }
      row.push({ text: rest.slice(0, room), codes: this.#codes });
      rest = rest.slice(room);
    }
  }

  /** The last rows, as many as fit, with the one where the cursor is. */
  screen(rows: number): Row[] {
    return this.#rows.slice(-rows).map((row) => [...row]);
  }
}

/** `0` ends all styles, `22` bold and dim, `39` a colour. */
function stylesAfter(before: readonly number[], numbers: string): readonly number[] {
  let codes = before;
  for (const code of numbers.split(';').map(Number)) {
    if (code === 0) codes = [];
    else if (code === 22) codes = codes.filter((one) => one > 2);
    else if (code === 39) codes = codes.filter((one) => one < 30);
    else codes = [...codes.filter((one) => one < 30 || code < 30), code];
  }
  return codes;
}
