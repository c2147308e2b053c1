// The options of a call, where every one of them is known: of a program that may also change something, an unknown one counts.
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export interface KnownOptions {
  /** Letters that stand alone, also several in one word. */
  readonly flags: string;
  /** Letters with a value, in the same word or in the next. */
  readonly valued: string;
  readonly long: ReadonlySet<string>;
  readonly longValued: ReadonlySet<string>;
}

export interface Call {
  readonly flags: ReadonlySet<string>;
  readonly values: readonly (readonly [name: string, value: string])[];
  readonly operands: readonly string[];
}

export const CURL: KnownOptions = {
  flags: 'sSfkLiIvN46#',
  valued: 'mHuAebEwXo',
  long: words(`
  --silent --show-error --fail --fail-with-body --insecure --location --head --include --verbose --ipv4 --ipv6
  --retry-connrefused --retry-all-errors --compressed --no-progress-meter --progress-bar --http1.1 --http2`),
  longValued: words(`
  --max-time --header --user --user-agent --cookie --cert --key --cacert --capath --write-out --connect-timeout
  --retry --retry-delay --retry-max-time --request --output --url --resolve --connect-to --noproxy --proxy`),
};

export const WGET: KnownOptions = {
  flags: 'qSvd46',
  valued: 'TtOUw',
  long: words(`
  --spider --quiet --no-verbose --server-response --no-check-certificate --retry-connrefused --no-proxy`),
  longValued: words(`
  --timeout --tries --wait --waitretry --connect-timeout --read-timeout --header --user --password --user-agent
  --output-document`),
};

export const NETCAT: KnownOptions = {
  flags: 'zvnu46',
  valued: 'wiG',
  long: words('--verbose --nodns --udp'),
  longValued: words('--wait --idle-timeout'),
};

/** Undefined: not all of them are known. */
export function callOf(given: readonly string[], known: KnownOptions): Call | undefined {
  const flags = new Set<string>();
  const values: [string, string][] = [];
  const operands: string[] = [];
  const rest = [...given];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (!/^-./.test(word)) operands.push(word);
    else if (word.startsWith('--')) {
      const [name = word, ...parts] = word.split('=');
      const joined = parts.length > 0 ? parts.join('=') : undefined;
      if (known.long.has(name) && joined === undefined) flags.add(name);
      else if (known.longValued.has(name)) values.push([name, joined ?? rest.shift() ?? '']);
      else return undefined;
    } else if (!readLetters(word.slice(1), known, { flags, values, rest })) return undefined;
  }
  return { flags, values, operands };
}

interface Reading {
  readonly flags: Set<string>;
  readonly values: [string, string][];
  /** The words that follow. */
  readonly rest: string[];
}

function readLetters(letters: string, known: KnownOptions, into: Reading): boolean {
  for (const [at, letter] of [...letters].entries()) {
    if (known.flags.includes(letter)) into.flags.add(`-${letter}`);
    else if (known.valued.includes(letter)) {
      const joined = letters.slice(at + 1);
      into.values.push([`-${letter}`, joined === '' ? (into.rest.shift() ?? '') : joined]);
      return true;
    } else return false;
  }
  return true;
}
