// What must hold whatever comes in: an error of ours or none, in bounded time, harmless text, and no object changed for everybody.
import { type Diagnostic, TiphysError } from '../../src/errors.ts';
import { renderDiagnostics, renderDiagnosticsJson } from '../../src/view/diagnostics.ts';
import { FORGED, POLLUTED } from './hostile.ts';

/** Milliseconds for one input. */
const LIMIT_MS = 1_000;
/** For what waits: a machine can be busy with other things. */
const PATIENCE_MS = 10_000;

/** Texts as people and programs get them. */
export interface Told {
  readonly text?: readonly string[];
  /** Each a JSON document, or one on each line. */
  readonly json?: readonly string[];
  /** Each a page. */
  readonly html?: readonly string[];
  /** Decoded values. */
  readonly values?: readonly unknown[];
}

export type Feed<T> = (input: T) => Told | Promise<Told>;

class Violation extends Error {}
/** It takes too long. */
export class Hang extends Violation {}

/** Throws a Violation where one of them does not hold. */
export async function judgeInput<T>(feed: Feed<T>, input: T): Promise<void> {
  const started = performance.now();
  const told = await inTime(outcomeOf(feed, input));
  if (performance.now() - started > LIMIT_MS) await checkTime(feed, input);
  for (const text of told.text ?? []) checkText(text);
  for (const json of told.json ?? []) checkJson(json);
  for (const html of told.html ?? []) checkHtml(html);
  for (const value of told.values ?? []) checkValue(value, 0);
  checkPrototypes();
}

async function outcomeOf<T>(feed: Feed<T>, input: T): Promise<Told> {
  try {
    return await feed(input);
  } catch (error) {
    if (error instanceof TiphysError) return toldOf(error.diagnostics);
    throw new Violation(`crash: ${(error as Error)?.stack ?? error}`);
  }
}

export function toldOf(diagnostics: readonly Diagnostic[]): Told {
  return { text: [renderDiagnostics(diagnostics)], json: [renderDiagnosticsJson(diagnostics, 1)] };
}

/** What waits for something that never comes: nothing here takes time of its own. */
async function inTime(outcome: Promise<Told>): Promise<Told> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Hang('hang: it waits for ever')), PATIENCE_MS);
  });
  try {
    return await Promise.race([outcome, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Once more, by the time of the processor: a machine that is busy with something else is not the input's fault. */
async function checkTime<T>(feed: Feed<T>, input: T): Promise<void> {
  const before = process.cpuUsage();
  await outcomeOf(feed, input);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1000;
  if (ms > LIMIT_MS) throw new Hang(`hang: ${Math.round(ms)} ms of processor time`);
}

/** Control and format characters, halves of pairs, separators of lines. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

function checkText(text: string): void {
  if (text !== '' && !text.endsWith('\n')) throw new Violation(`unfinished line: ${shown(text)}`);
  const lines = text.split('\n');
  const bad = lines.find((line) => UNPRINTABLE.test(line));
  if (bad !== undefined) throw new Violation(`escape: ${shown(bad)}`);
  const forged = lines.find((line) => line.startsWith(FORGED));
  if (forged !== undefined) throw new Violation(`forged line: ${shown(forged)}`);
}

function checkJson(text: string): void {
  checkText(text);
  try {
    JSON.parse(text);
  } catch {
    throw new Violation(`no JSON: ${shown(text)}`);
  }
}

const ATTRIBUTES =
  'aria-label|charset|class|content|d|height|href|http-equiv|id|lang|name|role|rx|viewBox|width|x|y';
const TAGS =
  'a|body|code|details|div|h1|h2|h3|head|html|li|meta|ol|p|path|rect|span|summary|svg|table|td|text|th|title|tr|ul';
const MARKUP = new RegExp(
  `<!DOCTYPE html>|<style>[^<]*</style>|</?(?:${TAGS})(?: (?:${ATTRIBUTES})="[^"<>]*")*>`,
  'g',
);

/** Tags and attributes that the page has itself, in their one form; links stay on it. */
function checkHtml(html: string): void {
  checkText(html);
  const rest = html.replace(MARKUP, '').split(/(?=[<>])/);
  const foreign = rest.find((part) => /^[<>]/.test(part));
  if (foreign !== undefined) throw new Violation(`markup: ${shown(foreign)}`);
  const link = / href="(?!#)[^"]*"/.exec(html)?.[0];
  if (link !== undefined) throw new Violation(`markup: ${shown(link)}`);
}

const shown = (text: string): string => JSON.stringify(text.slice(0, 300));

const DEEPEST = 8;
const MOST = 50;

/** Nothing got a key from a prototype that came in. */
function checkValue(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
  if (POLLUTED in value && !Object.hasOwn(value, POLLUTED))
    throw new Violation('pollution: an object has a prototype that came in');
  const inner =
    value instanceof Map || value instanceof Set ? [...value.values()] : Object.values(value);
  for (const one of inner.slice(0, MOST)) checkValue(one, depth + 1);
}

const PROTOTYPES = [Object, Array, String, Number, Function, Map, Set, Promise, RegExp, Date].map(
  ({ prototype }) => ({ prototype, keys: Reflect.ownKeys(prototype).length }),
);

function checkPrototypes(): void {
  const changed = PROTOTYPES.find(
    ({ prototype, keys }) => Reflect.ownKeys(prototype).length !== keys,
  );
  if (!changed) return;
  delete (Object.prototype as Record<string, unknown>)[POLLUTED];
  throw new Violation('pollution: a prototype of the language was changed');
}
