// A line of text -> a fault, and back. Every mistake is reported with its place in the line and the nearest right word.
import { type Diagnostic, TiphysError } from '../errors.ts';
import { quote } from '../model/names.ts';
import { suggestFrom } from '../model/nearest.ts';
import type { Fault, Subject, Term } from './fault.ts';
import { FAULTS, type FaultKind, SUBJECTS } from './fault-table.ts';
import { FORMS, TERMS } from './fault-terms.ts';
import { formOf } from './render-fault.ts';

/** What is wrong in a line, and how many characters into it. */
export interface FaultProblem {
  readonly code: 'fault-invalid' | 'reference-unknown';
  readonly message: string;
  readonly hint: string;
  readonly offset: number;
}

interface Word {
  readonly text: string;
  readonly offset: number;
}

class Wrong extends Error {
  readonly problem: FaultProblem;

  constructor(problem: FaultProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** `names`: the Applications that a fault may happen to. */
export function parseFault(line: string, names: readonly string[]): Fault | FaultProblem {
  try {
    return read(line, names);
  } catch (error) {
    if (error instanceof Wrong) return error.problem;
    throw error;
  }
}

/** Those of an option, each a line. Throws with everything that is wrong. */
export function parseFaults(lines: readonly string[], names: readonly string[]): Fault[] {
  const results = lines.map((line) => ({ line, result: parseFault(line, names) }));
  const wrong = results.flatMap(({ line, result }): Diagnostic[] => {
    if (!('offset' in result)) return [];
    const { offset, message, ...rest } = result;
    return [{ ...rest, message: `${message} (${quote(line)}, character ${offset + 1})` }];
  });
  if (wrong.length > 0) throw new TiphysError(wrong);
  return results.flatMap(({ result }) => ('offset' in result ? [] : [result]));
}

function read(line: string, names: readonly string[]): Fault {
  const words = [...line.matchAll(/\S+/g)].map(({ 0: text, index: offset }) => ({ text, offset }));
  const end = { text: '', offset: line.trimEnd().length };
  const [first = end, second = end, ...rest] = words;
  const { subject, name } = readSubject(first, names);
  const kind = readEffect(subject, second);
  const given = readTerms(kind, rest, end);
  const terms: Partial<Record<Term, number>> = {};
  for (const term of TERMS) {
    const rule = kind.terms[term];
    if (given.has(term)) terms[term] = given.get(term) as number;
    else if (rule === 'needed')
      throw wrong(end, `The fault lacks ${FORMS[term].what}.`, usage(kind));
    else if (typeof rule === 'number') terms[term] = rule;
  }
  return { subject, ...(name === undefined ? {} : { name }), effect: kind.effect, ...terms };
}

function readSubject(word: Word, names: readonly string[]): { subject: Subject; name?: string } {
  const [head = '', ...tail] = word.text.split(':');
  const name = tail.length > 0 ? tail.join(':') : undefined;
  const subjects = [...SUBJECTS].map((one) => (one === 'app' ? 'app:NAME' : one));
  const allowed = `A fault starts with ${subjects.join(', ')}.`;
  if (head === 'app') {
    if (!name) throw wrong(word, 'The fault names no application.', 'Use app:NAME.');
    return { subject: 'app', name: readName({ text: name, offset: word.offset + 4 }, names) };
  }
  if (name !== undefined || !SUBJECTS.has(head)) {
    const near = names.includes(word.text)
      ? `app:${word.text}`
      : suggestFrom([...SUBJECTS].filter((one) => one !== 'app'))(word.text);
    throw wrong(word, `Unknown subject ${quote(word.text)}.`, near, allowed);
  }
  return { subject: head as Subject };
}

function readName(word: Word, names: readonly string[]): string {
  if (names.includes(word.text)) return word.text;
  const near = suggestFrom(names)(word.text);
  throw new Wrong({
    code: 'reference-unknown',
    message: `The platform has no application ${quote(word.text)}.`,
    hint: near ? `Did you mean "${near}"?` : 'List the applications with `tiphys plan`.',
    offset: word.offset,
  });
}

function readEffect(subject: Subject, word: Word): FaultKind {
  const kinds = FAULTS.filter((one) => one.subject === subject);
  const found = kinds.find(({ effect }) => effect === word.text);
  if (found) return found;
  const effects = kinds.map(({ effect }) => effect);
  const allowed = `Faults for ${subject}: ${effects.join(', ')}.`;
  if (word.text === '') throw wrong(word, 'The fault is missing.', allowed);
  const message = `Unknown fault ${quote(word.text)} for ${subject}.`;
  throw wrong(word, message, suggestFrom(effects)(word.text), allowed);
}

function readTerms(kind: FaultKind, words: readonly Word[], end: Word): Map<Term, number> {
  const given = new Map<Term, number>();
  const queue = [...words];
  for (let word = queue.shift(); word; word = queue.shift()) {
    const term = termOf(word, kind);
    if (kind.terms[term] === undefined) {
      throw wrong(word, `"${kind.effect}" does not support ${quote(word.text)}.`, usage(kind));
    }
    if (given.has(term))
      throw wrong(word, `The fault sets ${FORMS[term].what} twice.`, usage(kind));
    const { keyword, pattern, parse, example } = FORMS[term];
    const value = keyword === undefined ? word : (queue.shift() ?? end);
    if (!pattern.test(value.text)) {
      const found = value.text === '' ? 'A value is missing' : `${quote(value.text)} is not valid`;
      throw wrong(value, `${found} for ${FORMS[term].what}.`, `Use a value such as ${example}.`);
    }
    given.set(term, parse(value.text));
  }
  return given;
}

function termOf(word: Word, kind: FaultKind): Term {
  const { text } = word;
  const found = TERMS.find((term) => {
    const { keyword, looks } = FORMS[term];
    return keyword === text || looks?.test(text);
  });
  if (found) return found;
  const keywords = TERMS.flatMap((term) => FORMS[term].keyword ?? []);
  throw wrong(word, `Unexpected ${quote(text)}.`, suggestFrom(keywords)(text), usage(kind));
}

/** `near`: the suggested word; else the allowed words. */
function wrong(word: Word, message: string, near: string | undefined, allowed?: string): Wrong {
  const hint = allowed === undefined ? near : near && `Did you mean "${near}"?`;
  const { offset } = word;
  return new Wrong({ code: 'fault-invalid', message, hint: hint ?? allowed ?? '', offset });
}

function usage(kind: FaultKind): string {
  return `Use the form ${formOf(kind)}.`;
}
