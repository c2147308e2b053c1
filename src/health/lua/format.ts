// string.format, which is Go's Sprintf in gopher-lua: %g gives all digits, a missing argument shows.
import { asText, isText, type Machine, numberFrom } from './machine.ts';
import { exponentText, floatText } from './number.ts';
import { textOf, type Value } from './value.ts';

const DIRECTIVE = /%([-+ #0]*)(\d*)(?:\.(\d*))?(.)/gs;
const WIDTH_MAX = 1000;

interface Directive {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly verb: string;
}

export function format(machine: Machine, template: string, args: readonly Value[]): string {
  let next = 0;
  return template.replace(DIRECTIVE, (_, flags, width, precision, verb) => {
    if (verb === '%') return '%';
    if (next >= args.length) return `%!${verb}(MISSING)`;
    const directive = {
      flags,
      width: Math.min(Number(width), WIDTH_MAX),
      precision: precision === undefined ? undefined : Math.min(Number(precision), 100),
      verb,
    };
    return padded(formatOne(machine, directive, args[next++]), directive);
  });
}

function formatOne(machine: Machine, directive: Directive, value: Value): string {
  const { verb } = directive;
  if (verb === 's' || verb === 'v') return cut(machine.toText(value), directive.precision);
  if (verb === 'q') return quoted(machine.toText(value));
  if (typeof value === 'string' && (verb === 'd' || verb === 'i')) {
    return numberFrom(value) === undefined ? '0' : value;
  }
  const number = typeof value === 'number' ? value : undefined;
  const text = number === undefined ? undefined : numeric(directive, number);
  if (text !== undefined) return text;
  const type = isText(value) ? asText(value) : machine.toText(value);
  return `%!${verb}(${type})`;
}

function numeric({ flags, verb, precision }: Directive, number: number): string | undefined {
  const whole = Number.isFinite(number) ? BigInt(Math.trunc(number)) : 0n;
  const sign = flags.includes('+') && number >= 0 ? '+' : '';
  switch (verb) {
    case 'd':
    case 'i':
      return sign + whole.toString();
    case 'x':
      return whole.toString(16);
    case 'X':
      return whole.toString(16).toUpperCase();
    case 'o':
      return whole.toString(8);
    case 'c':
      return encoded(Number(whole));
    case 'f':
    case 'F':
      return sign + (Number.isFinite(number) ? number.toFixed(precision ?? 6) : floatText(number));
    case 'e':
    case 'E':
      return sign + withExponent(number.toExponential(precision ?? 6), verb);
    case 'g':
    case 'G':
      return sign + general(number, precision, verb);
    default:
      return undefined;
  }
}

function general(number: number, precision: number | undefined, verb: string): string {
  if (precision === undefined || !Number.isFinite(number)) {
    const text = floatText(number);
    return verb === 'G' ? text.toUpperCase() : text;
  }
  const digits = Math.max(1, precision);
  const power = number === 0 ? 0 : Number(number.toExponential(digits - 1).split('e')[1]);
  if (power >= -4 && power < digits) return String(Number(number.toPrecision(digits)));
  const [mantissa = ''] = number.toExponential(digits - 1).split('e');
  const short = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
  return withExponent(`${short}e${power}`, verb === 'G' ? 'E' : 'e');
}

function withExponent(text: string, verb: string): string {
  const [mantissa = '', power] = text.split('e');
  if (power === undefined) return floatText(Number(text));
  const exponent = exponentText(Number(power));
  return mantissa + (verb === 'E' ? exponent.toUpperCase() : exponent);
}

function encoded(point: number): string {
  const bytes = new TextEncoder().encode(
    String.fromCodePoint(point >= 0 && point <= 0x10ffff ? point : 0xfffd),
  );
  return String.fromCharCode(...bytes);
}

function cut(text: string, precision: number | undefined): string {
  return precision === undefined ? text : text.slice(0, precision);
}

function quoted(bytes: string): string {
  const escaped = JSON.stringify(textOf(bytes)).replace(/\x7f/g, '\\x7f');
  return String.fromCharCode(...new TextEncoder().encode(escaped));
}

function padded(text: string, { flags, width, verb }: Directive): string {
  if (text.length >= width) return text;
  if (flags.includes('-')) return text.padEnd(width);
  if (!flags.includes('0') || verb === 's' || verb === 'q') return text.padStart(width);
  const [, sign = '', digits = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  return sign + digits.padStart(width - sign.length, '0');
}
