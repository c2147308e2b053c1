// Programs that are wrong in each way that is looked for: what finds nothing in them proves nothing.
import fc from 'fast-check';
import { TiphysError } from '../../src/errors.ts';
import { escapeHtml } from '../../src/view/import/html.ts';
import { printable } from '../../src/view/lines.ts';
import { type FuzzTarget, fuzzTarget } from './fuzz.ts';
import { changedJson, hostileText, POLLUTED } from './hostile.ts';
import type { Feed } from './properties.ts';

const SAMPLE = { metadata: { name: 'a' }, status: { message: 'm', labels: { a: 'b' } } };

const onText = (name: string, feed: Feed<string>): FuzzTarget =>
  fuzzTarget(name, 1, hostileText, feed);
const onJson = (name: string, feed: Feed<string>): FuzzTarget =>
  fuzzTarget(name, 1, changedJson([SAMPLE]), feed);

function parsed(text: string): Record<string, never> {
  try {
    return Object(JSON.parse(text));
  } catch {
    throw new TiphysError([{ code: 'cluster-answer-invalid', message: 'no JSON' }]);
  }
}

/** As a helper that joins settings does it who has not heard of `__proto__`. */
function merged(into: Record<string, unknown>, from: Record<string, unknown>, left = 20): unknown {
  for (const key of left > 0 ? Object.keys(from) : []) {
    const value = from[key];
    if (typeof value === 'object' && value !== null) {
      into[key] ??= {};
      merged(into[key] as Record<string, unknown>, value as Record<string, unknown>, left - 1);
    } else into[key] = value;
  }
  return into;
}

export const PLANTED: readonly FuzzTarget[] = [
  onJson('crash', (text) => ({
    values: [(parsed(text).metadata as unknown as { name: string }).name.length],
  })),
  onJson('deep', (text) => ({ values: [JSON.stringify(parsed(text))] })),
  onText('hang', (text) => {
    while (text.includes('\u001b'));
    return {};
  }),
  onText('slow', (text) => {
    const begin = process.cpuUsage();
    while (text.includes('\u001b') && process.cpuUsage(begin).user < 1_200_000);
    return {};
  }),
  onText('waits', (text) => (text.includes('\u001b') ? new Promise(() => {}) : {})),
  onText('escape', (text) => ({ text: [`a ${text.replace(/[\n\r\u2028\u2029]/g, ' ')}\n`] })),
  onText('forged line', (text) => ({ text: [`a ${text.replace(/[^\n -~]/g, ' ')}\n`] })),
  onText('json', (text) => ({ json: [`{"a": "${text.replace(/[^ -~]/g, ' ')}"}\n`] })),
  onText('markup', (text) => ({ html: [`<p>${printable(text)}</p>\n`] })),
  onText('link', (text) => ({ html: [`<a href="${escapeHtml(text)}">x</a>\n`] })),
  onJson('pollution', (text) => ({ values: [merged({}, parsed(text))] })),
  onJson('inherited', (text) => ({ values: [Object.assign({}, parsed(text))] })),
  fuzzTarget('pollution by path', 1, fc.constant(POLLUTED), (key) => {
    (Object.prototype as Record<string, unknown>)[key] = true;
    return {};
  }),
];
