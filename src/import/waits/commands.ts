// What a command of a script does: it only reads, it waits, or it changes something. What is in no table is not known.
import { lookUp } from '../../model/lookup.ts';
import { curlEffect, type Effect, netcatEffect, queryEffect, wgetEffect } from './call-effects.ts';
import {
  ACTORS,
  ALIASES,
  READERS,
  SECOND_WORDS,
  VERBS,
  WAITERS,
  WITH_VALUE,
} from './command-table.ts';
import { readScript } from './shell.ts';

export interface JudgedCommand {
  readonly words: readonly string[];
  readonly effect: Effect;
  /** It stands in its own script that loops. */
  readonly inLoop?: true;
}

export function judgeCommand(all: readonly string[], depth = 0): JudgedCommand[] {
  const words = unwrapped(all);
  const name = (words[0] ?? '').split('/').at(-1) ?? '';
  const inner = innerScript(name, words);
  if (inner !== undefined) return judgeInner(inner, words, depth);
  const end = WAITERS.has(name) ? words.indexOf('--') : -1;
  // What it starts after its wait.
  const next = end < 0 || end === words.length - 1 ? [] : judgeCommand(words.slice(end + 1), depth);
  if (next.length > 0) return [...judgeCommand(words.slice(0, end), depth), ...next];
  return [{ words, effect: effectOf(lookUp(ALIASES, name) ?? name, words) }];
}

function judgeInner(text: string, words: readonly string[], depth: number): JudgedCommand[] {
  const script = readScript(text, depth + 1);
  if (script.unclear || script.writesFile) return [{ words, effect: 'unknown' }];
  const judged = script.commands.flatMap((command) => judgeCommand(command, depth + 1));
  return script.loops ? judged.map((command) => ({ ...command, inLoop: true })) : judged;
}

/** sh -c 'script', as an argument of another command too. */
function innerScript(name: string, words: readonly string[]): string | undefined {
  // What it is given runs at a signal, or at the end of the script.
  if (name === 'trap') return words[1]?.startsWith('-') ? undefined : words[1];
  if (!/^(?:ba|da|a|z|k)?sh$/.test(name)) return undefined;
  const at = words.findIndex((word) => /^-[a-z]*c$/.test(word));
  return at < 0 ? undefined : words[at + 1];
}

const WRAPPERS = new Set(['exec', 'command', 'sudo', 'nice', 'nohup', 'time', 'builtin']);

/** The command that a wrapper such as timeout starts. */
function unwrapped(words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words;
  if (WRAPPERS.has(first)) return unwrapped(rest);
  if (first === 'env') {
    const from = rest.findIndex((word) => word !== '-i' && !/^\w+=/.test(word));
    return from < 0 || rest[from]?.startsWith('-') ? words : unwrapped(rest.slice(from));
  }
  if (first !== 'timeout') return words;
  const at = rest.findIndex((word) => /^\d+(?:\.\d+)?[smhd]?$/.test(word) || word.startsWith('$'));
  return at < 0 ? words : unwrapped(rest.slice(at + 1));
}

function effectOf(name: string, words: readonly string[]): Effect {
  if (ACTORS.has(name)) return 'acts';
  if (OPEN_TO_OPTIONS.has(name) && words.some(mayBeOptions)) return 'unknown';
  if (WAITERS.has(name)) return 'waits';
  if (READERS.has(name)) return 'reads';
  // Without a command, it prints; an option may be a command.
  if (name === 'env') return words.length === 1 ? 'reads' : 'unknown';
  if (name === 'trap') return 'reads';
  if (name === 'awk') return words.some((word) => AWK_RUNS.test(word)) ? 'unknown' : 'reads';
  if (name === 'yq') return words.some((word) => /^-i|^--inplace/.test(word)) ? 'acts' : 'reads';
  if (name === 'sed')
    return words.some((word) => /^-[a-zA-Z]*i|^--in-place/.test(word)) ? 'acts' : 'reads';
  if (name === 'sort') return words.some((word) => SORT_WRITES.test(word)) ? 'acts' : 'reads';
  if (name === 'uniq') return operands(words.slice(1)).length > 1 ? 'acts' : 'reads';
  if (name === 'date') return words.some((word) => /^(?:-s|--set)/.test(word)) ? 'acts' : 'reads';
  if (name === 'hostname') return operands(words.slice(1)).length > 0 ? 'acts' : 'reads';
  if (name === 'curl') return curlEffect(words);
  if (name === 'wget') return wgetEffect(words);
  if (NETCATS.has(name)) return netcatEffect(words);
  if (name === 'dockerize') return words.includes('-wait') ? waitsOnly(words) : 'acts';
  if (name === 'psql' || name === 'mysql' || name === 'mongosh') return queryEffect(words);
  return verbEffect(name, words);
}

const NETCATS = new Set(['nc', 'ncat', 'netcat']);
const OPEN_TO_OPTIONS = new Set([
  ...WAITERS,
  ...NETCATS,
  'curl',
  'wget',
  'psql',
  'mysql',
  'mongosh',
]);
const SORT_WRITES = /^-[a-zA-Z]*o|^--output/;

/** A variable that nothing sets: its name says where it is an address, and not what to do there. */
const mayBeOptions = (word: string): boolean =>
  /^\$(?:[@*]|\{?[A-Za-z_]\w{0,100}\}?)$/.test(word) &&
  !/ur[il]|host|addr|endpoint|serv|target|domain|port/i.test(word);

/** It can start programs, write files, and take its own program from a file. */
const AWK_RUNS = /system|getline|[|>]|^-[fEi]/;

/** dockerize may also start a program after its wait. */
function waitsOnly(words: readonly string[]): Effect {
  const values = new Set(['-wait', '-timeout', '-wait-retry-interval', '-wait-http-header']);
  const extra = words
    .slice(1)
    .filter((word, at, rest) => !values.has(word) && !values.has(rest[at - 1] ?? ''));
  return extra.length === 0 ? 'waits' : 'unknown';
}

function verbEffect(name: string, words: readonly string[]): Effect {
  const verbs = lookUp(VERBS, name);
  if (!verbs) return 'unknown';
  const rest = operands(words.slice(1));
  if (name === 'kubectl' && rest[0] === 'rollout') return rest[1] === 'status' ? 'waits' : 'acts';
  if (verbs.waits.includes(rest[0] ?? '')) return 'waits';
  const second = lookUp(SECOND_WORDS, `${name} ${rest[0]}`);
  if (second && !second.includes(rest[1] ?? '')) return 'acts';
  return verbs.reads.includes(rest[0] ?? '') ? 'reads' : 'acts';
}

/** What is neither an option nor the value of one. */
export function operands(words: readonly string[]): string[] {
  return words.filter((word, at) => !word.startsWith('-') && !WITH_VALUE.has(words[at - 1] ?? ''));
}
