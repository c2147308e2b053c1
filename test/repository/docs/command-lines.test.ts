// Every `tiphys ...` in a document is a command of the program, with options and values that it accepts.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FAULTS } from '../../../src/rehearsal/fault-table.ts';
import { exampleOf, formOf } from '../../../src/rehearsal/render-fault.ts';
import { commandLinesOf, problemOf, wordsOf } from './command-lines.ts';

const DOCUMENTS = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /^(?:[A-Z]+\.md|docs\/.*|examples\/.*)$/.test(path));

const LINES = DOCUMENTS.flatMap((path) => commandLinesOf(path, readFileSync(path, 'utf8')));

/** Faults of the process begin with its name, too. */
const FAULT_LINES = new Set(FAULTS.flatMap((kind) => [formOf(kind), exampleOf(kind)]));

test('there are documents with commands', () => {
  expect(DOCUMENTS.length).toBeGreaterThan(15);
  expect(LINES.length).toBeGreaterThan(200);
  expect(LINES.filter(({ isWhole }) => isWhole).length).toBeGreaterThan(100);
});

test('the program accepts every command that a document shows', () => {
  const problems = LINES.filter(({ text }) => !FAULT_LINES.has(text)).flatMap((line) => {
    const problem = problemOf(line);
    return problem === undefined ? [] : [`${line.where}: ${line.text}: ${problem}`];
  });
  expect(problems).toEqual([]);
});

describe('planted:', () => {
  const first = (text: string) => {
    const [line] = commandLinesOf('a.md', text);
    return line ? problemOf(line) : 'nothing was found';
  };

  test.each([
    ['an unknown command', '    tiphys depoly', 'no command "depoly"'],
    ['an unknown subcommand', 'See `tiphys health tests`.', 'no command "tests"'],
    ['an unknown option', '    tiphys deploy --forse', 'no option --forse'],
    ['an option of another command', '    tiphys plan --dry-run', 'no option --dry-run'],
    ['a wrong choice', '    tiphys deploy -o yaml', '-o: Allowed choices are text, json.'],
    ['one wrong choice of several', '`tiphys plan -o table|svg`', '-o: Allowed choices are'],
    ['a wrong value', '    tiphys rehearse --speed fast', '--speed: Use 1x, 60x or max.'],
    ['a wrong action', '    tiphys rehearse deploi', 'Allowed choices are deploy'],
    ['a missing value', '    tiphys deploy --scope', '--scope lacks its value'],
    ['a missing argument', '```sh\ntiphys explain\n```', 'the argument reference is missing'],
    ['an argument too many', '```console\n$ tiphys status all\n```', 'too many arguments: all'],
  ])('%s is found', (_, text, problem) => expect(first(text)).toContain(problem));

  test.each([
    ['a placeholder', '    tiphys deploy --engine ENGINE --timeout 1h'],
    ['a sentence that leaves an argument out', 'Run `tiphys explain` then.'],
    ['a sentence that leaves a value out', 'Written by `tiphys preflight --snapshot`.'],
    ['choices', '| `tiphys plan [deploy\\|teardown]` | `-o table` |'],
    ['a redirection, a pipe and a comment', '    tiphys lint --from . -o sarif > x | y   # all'],
  ])('%s is none', (_, text) => expect(first(text)).toBeUndefined());

  test('words are those of a shell', () => {
    expect(wordsOf(`tiphys rehearse --fault 'app:x degraded' "a b" # why`)).toEqual([
      ...['tiphys', 'rehearse', '--fault', 'app:x degraded', 'a b'],
    ]);
  });
});
