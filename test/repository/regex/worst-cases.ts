// Texts that make a regular expression work hard: what its parts match, again and again, and then something else.

/** Something of every kind, so that each class of characters finds a few of its own. */
const POOL = [...Array(128).keys()]
  .map((code) => String.fromCharCode(code))
  .concat('\u009f', '\u2028', '\u200b', 'é', 'ſ', '→', '\u{1f600}');
const PREFERRED = [...'a0A -./:@\n\t"\'{'];

interface Atom {
  /** A few characters that it matches. */
  readonly characters: readonly string[];
  /** What leads to it. */
  readonly before: string;
  /** It, or something around it, can be repeated without end. */
  isEndless: boolean;
}

/** Makers of texts, by their length. */
export function worstCases({ source, flags }: RegExp): ((length: number) => string)[] {
  const { atoms, sample } = new Reader(source, flags.replace(/[gy]/g, '')).read();
  const endless = atoms.filter(({ isEndless }) => isEndless);
  // The ends of a pattern decide where a search begins and what a match fails on.
  const [first, last] = [atoms.slice(0, 2), atoms.slice(-2)];
  const characters = [
    ...new Set([...endless, ...first, ...last].flatMap((atom) => atom.characters)),
  ].slice(0, endless.length > 0 ? MOST_CHARACTERS : 2);
  const units = [
    ...characters,
    ...characters.flatMap((one) =>
      characters.filter((other) => other !== one).map((other) => one + other),
    ),
    ...[sample, sample.slice(0, -1), sample.slice(1)].filter((text) => text !== ''),
  ];
  const starts = new Map(
    endless.flatMap(({ before, characters: few }) =>
      few.map((unit) => [`${before}\n${unit}`, { before, unit }]),
    ),
  );
  return [
    ...[...new Set(units)].flatMap((unit) =>
      (endless.length > 0 ? ENDS : ['']).map(
        (end) => (length: number) => filled('', unit, length) + end,
      ),
    ),
    ...[...starts.values()].flatMap(({ before, unit }) =>
      ENDS.map((end) => (length: number) => filled(before, unit, length) + end),
    ),
  ];
}

const MOST_CHARACTERS = 5;
/** None, and one that hardly any pattern takes. */
const ENDS = ['', '\u0000'];

const filled = (before: string, unit: string, length: number): string =>
  (before + unit.repeat(Math.ceil(length / unit.length))).slice(0, length);

/** Goes through a pattern from left to right. Of alternatives, the first one leads on. */
class Reader {
  readonly #source: string;
  readonly #flags: string;
  readonly #atoms: Atom[] = [];
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
  }

  read(): { atoms: readonly Atom[]; sample: string } {
    const sample = this.#alternatives('');
    return { atoms: this.#atoms, sample };
  }

  #alternatives(before: string): string {
    const first = this.#sequence(before);
    while (this.#source[this.#at] === '|') {
      this.#at++;
      this.#sequence(before);
    }
    return first;
  }

  #sequence(before: string): string {
    let text = before;
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] ?? '')) {
      const known = this.#atoms.length;
      text = this.#term(text);
      const count = this.#take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
      if (!/^(?:[*+]|\{\d+,\})/.test(count)) continue;
      for (const atom of this.#atoms.slice(known)) atom.isEndless = true;
    }
    return text;
  }

  #term(before: string): string {
    if (this.#take(/\((?:\?(?:<?[=!]|:|<\w+>|[a-z-]+:))?/y)) {
      const text = this.#alternatives(before);
      this.#at++;
      return text;
    }
    if (this.#take(/[\^$]|\\[bB]|\\\d|\\k<\w+>/y)) return before;
    const atom = this.#take(
      /\[(?:[^\]\\]|\\.)*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\.|[\s\S]/iy,
    );
    const one = new RegExp(`^(?:${atom})$`, this.#flags);
    const characters = [...new Set([...PREFERRED, ...POOL])].filter((character) =>
      one.test(character),
    );
    this.#atoms.push({ characters: characters.slice(0, 2), before, isEndless: false });
    return before + (characters[0] ?? '');
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#source) ?? [];
    this.#at += found.length;
    return found;
  }
}
