// How the terms of a fault are written: `at 5m`, `after 2m`, `every 4m`, `for 30s`, `by -1h`, `x3`, `5%`.
import { DURATION, parseDuration, renderDuration } from '../model/duration.ts';
import type { Term } from './fault.ts';

interface Form {
  /** The word before the value, where there is one. */
  readonly keyword?: string;
  /** Without a keyword: what makes it this term. */
  readonly looks?: RegExp;
  readonly pattern: RegExp;
  readonly form: string;
  readonly what: string;
  readonly example: string;
  readonly parse: (text: string) => number;
  readonly render: (value: number) => string;
}

export const FORMS: Readonly<Record<Term, Form>> = {
  rate: {
    looks: /%$/,
    pattern: /^(?:100|\d{1,2}(?:\.\d{1,3})?)%$/,
    form: 'P%',
    what: 'the share in percent',
    example: '5%',
    parse: (text) => Number(text.slice(0, -1)) / 100,
    render: (value) => `${Number((value * 100).toFixed(3))}%`,
  },
  factor: {
    looks: /^x[\d.]/,
    pattern: /^x(?!0+(?:\.0+)?$)\d{1,4}(?:\.\d{1,3})?$/,
    form: 'xN',
    what: 'the factor or count',
    example: 'x3',
    parse: (text) => Number(text.slice(1)),
    render: (value) => `x${value}`,
  },
  at: time('at', 'the time since the start', 'at 5m'),
  after: time('after', 'the time since its first sync', 'after 2m'),
  by: {
    ...time('by', 'the delay', 'by -1h'),
    pattern: new RegExp(`^[+-]?${DURATION.source.slice(1)}`),
    form: 'by [-]TIME',
    parse: (text) => (text.startsWith('-') ? -1 : 1) * parseDuration(text.replace(/^[+-]/, '')),
    render: (value) => `by ${value < 0 ? '-' : ''}${renderDuration(Math.abs(value))}`,
  },
  every: time('every', 'the interval', 'every 4m'),
  for: time('for', 'the duration', 'for 30s'),
};

/** In the order in which a line is written. */
export const TERMS = Object.keys(FORMS) as readonly Term[];

function time(keyword: string, what: string, example: string): Form {
  return {
    keyword,
    pattern: DURATION,
    form: `${keyword} TIME`,
    what,
    example,
    parse: parseDuration,
    render: (value) => `${keyword} ${renderDuration(value)}`,
  };
}
