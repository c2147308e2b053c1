// Values that nobody means well with, and small changes to good ones. What goes in is JSON or text: everything arrives as such.
import fc from 'fast-check';

/** A line that begins with it was forged: no text of `TEXTS` does. */
export const FORGED = 'FORGED';
/** A key that no object may get from its prototype. */
export const POLLUTED = 'polluted';

const DEPTH = 20_000;
const LONG = 100_000;

/** Too deep for JSON.stringify, but not for a server: each word stands for the JSON behind it. */
const DEEP: readonly (readonly [word: string, json: string])[] = [
  ['@deep-list@', `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`],
  ['@deep-object@', `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`],
];

const TEXTS: readonly string[] = [
  ...['\n', '\r\n', '\r', '\u2028', '\u2029', '\u0085', '\v', '\f'].map(
    (end) => `a${end}${FORGED}`,
  ),
  'a\u001b[1A\u001b[2K\u001b[32mHealthy',
  'a\u001b]52;c;aGk=\u0007\u009b2K\u009d0;title\u009c',
  'a\u202eb\u2066c\u200bd\ufeffe\u00adf\u{e0001}',
  'a\ud800b\udfffc\u0000d\u0008\u007f',
  ...[
    '',
    ' ',
    '-',
    '--',
    '*',
    '.',
    '..',
    '../../etc/passwd',
    ':',
    '://',
    'a:b@c',
    '%',
    '%E0%A4%A',
    '{{x}}',
    '{{=1}}',
  ],
  ...['"', '\\', '`', "'", '$(id)', '<b>', '"]\n', 'a"; b="'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', POLLUTED],
  ...['NaN', 'Infinity', '-0', '1e999', '99999999999999999999', '0x10', 'true', 'null', '~'],
  ...['0000-00-00T00:00:00Z', '9999-12-31T23:59:59Z', '+275760-09-13T00:00:00.001Z', '2026-13-99'],
  ...[
    '2026-11-18T08:00:00Z',
    'sha256:',
    `sha256:${'0'.repeat(64)}`,
    'platform',
    'stack:',
    'app:',
    'app:api',
  ],
  'é'.repeat(300),
];

/** They cost time where a pattern or a loop is worse than it looks. */
const LONG_TEXTS: readonly string[] = [
  'a'.repeat(LONG),
  `${'://a'.repeat(LONG / 4)}@`,
  ' '.repeat(LONG),
  '\n'.repeat(LONG / 10),
];

const parse = (text: string): unknown => JSON.parse(text);

/** Each is made anew: some are large, and changed afterwards. */
const VALUES: readonly (() => unknown)[] = [
  ...[null, true, false, 0, -1, 1.5, 2 ** 53, -(2 ** 63), 1e21, 1e308].map((value) => () => value),
  () => [],
  () => ({}),
  () => [[]],
  () => [null],
  () => parse(`{"__proto__": {"${POLLUTED}": true, "status": "Healthy"}}`),
  () => parse(`{"constructor": {"prototype": {"${POLLUTED}": true}}}`),
  () => parse(`[{"__proto__": {"${POLLUTED}": true}}]`),
  ...DEEP.map(
    ([word]) =>
      () =>
        word,
  ),
];

/** Short ones of any characters, and those that are known to have done harm. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...LONG_TEXTS) },
  { weight: 30, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 15, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom(...TEXTS), fc.constantFrom(...TEXTS))
      .map((two) => two.join('')),
  },
);

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 4, arbitrary: fc.constantFrom(...VALUES).map((make) => make()) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);

interface Change {
  readonly path: readonly number[];
  readonly deed: 'replace' | 'remove' | 'add' | 'double' | 'prefix';
  readonly key: string;
  readonly value: unknown;
}

const change: fc.Arbitrary<Change> = fc.record({
  path: fc.array(fc.nat(40), { minLength: 1, maxLength: 9 }),
  deed: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'double', 'prefix'),
  key: hostileText,
  value: hostileValue,
});

/** JSON text of one of these, with some changes; sometimes of none of them. */
export function changedJson(bases: readonly unknown[]): fc.Arbitrary<string> {
  const changed = fc
    .tuple(fc.constantFrom(...bases), fc.array(change, { maxLength: 4 }))
    .map(([base, changes]) => jsonOf(changes.reduce(applied, structuredClone(base))));
  return fc.oneof(
    { weight: 30, arbitrary: changed },
    { weight: 1, arbitrary: hostileValue.map(jsonOf) },
    { weight: 1, arbitrary: hostileText },
  );
}

/** The same as a value. */
export function changedValue(bases: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.constantFrom(...bases), fc.array(change, { minLength: 1, maxLength: 4 }))
    .map(([base, changes]) => changes.reduce(applied, structuredClone(base)));
}

export function jsonOf(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return DEEP.reduce((json, [word, deep]) => json.replaceAll(`"${word}"`, deep), text);
}

function applied(root: unknown, { path, deed, key, value }: Change): unknown {
  const whole = { root };
  let holder: Container = whole;
  let place: string | number = 'root';
  for (const step of path) {
    const at: unknown = holder[place];
    if (typeof at !== 'object' || at === null) break;
    const keys = Object.keys(at);
    const found = keys[step % Math.max(1, keys.length)];
    if (found === undefined) break;
    holder = at as Container;
    place = found;
  }
  DEEDS[deed](holder, place, key, value);
  return whole.root;
}

type Container = Record<string | number, unknown>;

const DEEDS: Readonly<
  Record<
    Change['deed'],
    (holder: Container, place: string | number, key: string, value: unknown) => void
  >
> = {
  replace: (holder, place, _, value) => set(holder, place, value),
  remove: (holder, place) => {
    if (Array.isArray(holder)) holder.splice(Number(place), 1);
    else delete holder[place];
  },
  add: (holder, _, key, value) => {
    if (Array.isArray(holder)) holder.push(value);
    else set(holder, key, value);
  },
  double: (holder, place) => {
    if (Array.isArray(holder)) holder.push(holder[Number(place)]);
    else set(holder, `${place}2`, holder[place]);
  },
  prefix: (holder, place, key) => {
    const before = holder[place];
    set(holder, place, typeof before === 'string' ? before + key : key);
  },
};

/** As JSON.parse does it: `__proto__` is a key like any other. */
function set(holder: Container, key: string | number, value: unknown): void {
  Object.defineProperty(holder, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

interface Cut {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

const MARKS = [
  '\n',
  '  ',
  '- ',
  ': ',
  '{',
  '}',
  '[',
  ']',
  ',',
  '#',
  '&a ',
  '*a',
  '!!binary ',
  '<<: ',
  '|\n',
  '>\n',
  '? ',
  '"',
  "'",
  '---\n',
  '\t',
  '%',
];

const cut: fc.Arbitrary<Cut> = fc.record({
  at: fc.nat(),
  remove: fc.oneof(fc.constant(0), fc.nat(30)),
  insert: fc.oneof(fc.constantFrom(...MARKS), fc.constantFrom(...MARKS), hostileText),
});

/** One of these texts, with some places changed; sometimes none of them. */
export function changedText(bases: readonly string[]): fc.Arbitrary<string> {
  const changed = fc
    .tuple(fc.constantFrom(...bases), fc.array(cut, { maxLength: 4 }))
    .map(([base, cuts]) =>
      cuts.reduce((text, { at, remove, insert }) => {
        const from = at % (text.length + 1);
        return text.slice(0, from) + insert + text.slice(from + remove);
      }, base),
    );
  return fc.oneof({ weight: 15, arbitrary: changed }, { weight: 1, arbitrary: hostileText });
}
