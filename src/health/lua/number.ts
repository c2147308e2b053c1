// Numbers and their text as gopher-lua has them: all are floats, whole ones are printed without a point, and texts are
// read by the rules of Go.

const WHOLE_MAX = 2 ** 63;

export function isWhole(number: number): boolean {
  return Number.isInteger(number) && number >= -WHOLE_MAX && number < WHOLE_MAX;
}

export function numberText(number: number): string {
  return isWhole(number) ? BigInt(number).toString() : floatText(number);
}

/** The fewest digits that tell it from all others; with an exponent from a million on, and below 1/10000. */
export function floatText(number: number): string {
  if (Number.isNaN(number)) return 'NaN';
  if (!Number.isFinite(number)) return number > 0 ? '+Inf' : '-Inf';
  const [digits = '', exponent = ''] = number.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(number);
  return `${digits}${exponentText(power)}`;
}

/** At least two digits. */
export function exponentText(power: number): string {
  return `e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

const RADIX: Readonly<Record<string, number>> = { '0x': 16, '0b': 2, '0o': 8 };
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';

/** In arithmetic: "0x10", "010" is eight, "1e3", "inf". */
export function coerced(text: string): number | undefined {
  const trimmed = text.replace(/^[ \t\n]+|[ \t\n]+$/g, '');
  const [, sign = '', prefix = '', rest = ''] =
    /^([+-]?)(0[xbo]|0(?=\d))?(.*)$/is.exec(trimmed) ?? [];
  const radix = prefix === '' ? 10 : (RADIX[prefix.toLowerCase()] ?? 8);
  return wholeFrom(sign + rest, radix) ?? floatFrom(trimmed);
}

/** The function `tonumber`: an exponent needs a point before it. */
export function converted(text: string, base: number | undefined): number | undefined {
  const trimmed = text.replace(/^[ \t\n]+|[ \t\n]+$/g, '');
  if (trimmed.includes('.')) return floatFrom(trimmed);
  const hexadecimal = base === undefined && /^0x/i.test(trimmed);
  if (hexadecimal) return wholeFrom(trimmed.slice(2), 16);
  return wholeFrom(trimmed, base ?? 10);
}

function wholeFrom(text: string, base: number): number | undefined {
  const [, sign, digits = ''] = /^([+-]?)([0-9a-z]+)$/i.exec(text) ?? [];
  if (digits === '') return undefined;
  let sum = 0;
  for (const digit of digits.toLowerCase()) {
    const value = DIGITS.indexOf(digit);
    if (value >= base) return undefined;
    sum = sum * base + value;
  }
  if (sum >= WHOLE_MAX) return undefined;
  return sign === '-' ? -sum : sum;
}

function floatFrom(text: string): number | undefined {
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special) return named(special[1] ?? '', special[2] ?? '');
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

function named(sign: string, name: string): number {
  if (name.toLowerCase() === 'nan') return Number.NaN;
  return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}
