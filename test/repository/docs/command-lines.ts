// Command lines that documents show, checked by the parser of the program itself: commands, options, choices, arguments.
import type { Argument, Command, Option } from 'commander';
import { createProgram } from '../../../src/cli/program.ts';
import { processIo } from '../../../src/process.ts';

export interface CommandLine {
  readonly where: string;
  readonly text: string;
  /** Lines to copy have every argument; a name within a sentence may leave some out. */
  readonly isWhole: boolean;
}

/** Blocks are indented or between fences; a prompt before the command is left out. */
export function commandLinesOf(path: string, text: string): CommandLine[] {
  let fence = false;
  return text.split('\n').flatMap((line, at): CommandLine[] => {
    const where = `${path}:${at + 1}`;
    if (/^\s*```/.test(line)) {
      fence = !fence;
      return [];
    }
    const [, block] = /^\s*(?:\$ )?(tiphys(?: .*)?)$/.exec(line) ?? [];
    if (block && (fence || line.startsWith('    '))) return [{ where, text: block, isWhole: true }];
    if (fence) return [];
    const named = [...line.matchAll(/`(tiphys [^`]+)`/g)].map(([, found = '']) => found);
    return named.map((found) => ({ where, text: found.replaceAll('\\|', '|'), isWhole: false }));
  });
}

/** What a shell would pass on, up to a comment, a pipe, a redirection or the next command. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [, double, single, bare] of text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)) {
    if (bare && /^(?:#.*|[|>].*|&&|;)$/.test(bare)) break;
    words.push(double ?? single ?? bare ?? '');
  }
  return words;
}

const PLACEHOLDER = /^\.\.\.$|(?:^|[:/@])[A-Z][A-Z-]*$/;

/** Undefined: the program would accept it. */
export function problemOf({ text, isWhole }: CommandLine): string | undefined {
  let command: Command = quiet();
  const words = wordsOf(text).slice(1);
  for (let inside = find(command, words[0]); inside; inside = find(command, words[0])) {
    command = inside;
    words.shift();
  }
  const [first] = words;
  if (command.commands.length > 0 && first !== undefined && !first.startsWith('-')) {
    return first
      .split('|')
      .map((name) => (find(command, name) ? undefined : `no command "${name}"`))
      .find((problem) => problem !== undefined);
  }
  return problemOfWords(command, words, isWhole);
}

function problemOfWords(command: Command, words: readonly string[], isWhole: boolean) {
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = (words[at] ?? '').replace(/^\[|\]$/g, '');
    if (!/^--?[a-z]/.test(word)) {
      if (word !== '...') operands.push(word);
      continue;
    }
    const [flag = '', given] = word.split('=');
    if (flag === '--help') continue;
    const option = command.options.find((one) => one.short === flag || one.long === flag);
    if (!option) return `no option ${flag}`;
    if (!option.required && !option.optional) continue;
    const value = given ?? words[++at];
    if (value === undefined) return isWhole ? `${flag} lacks its value` : undefined;
    const problem = problemOfValue(option, value);
    if (problem) return `${flag}: ${problem}`;
  }
  return problemOfOperands(command.registeredArguments, operands, isWhole);
}

function problemOfOperands(all: readonly Argument[], given: readonly string[], isWhole: boolean) {
  if (given.length > all.length && !all.at(-1)?.variadic) return `too many arguments: ${given}`;
  const missing = all.find((argument, at) => argument.required && given[at] === undefined);
  if (isWhole && missing) return `the argument ${missing.name()} is missing`;
  return all
    .map((argument, at) => {
      const word = given[at];
      return word === undefined ? undefined : problemOfValue(argument, word);
    })
    .find((problem) => problem !== undefined);
}

/** `text|json` shows choices: each must be one. */
function problemOfValue(owner: Option | Argument, value: string): string | undefined {
  if (PLACEHOLDER.test(value)) return undefined;
  for (const one of owner.argChoices ? value.split('|') : [value]) {
    try {
      owner.parseArg?.(one, undefined as never);
    } catch (error) {
      return (error as Error).message;
    }
  }
  return undefined;
}

const find = (command: Command, name = '') =>
  command.commands.find((one) => one.name() === name || one.aliases().includes(name));

const quiet = () =>
  createProgram({
    io: processIo,
    finish: () => {},
    output: () => Promise.reject(new Error('nothing runs here')),
  });
