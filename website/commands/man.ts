// A man page for each command, as roff.
import type { Reference } from './reference.ts';

/** `tiphys health test` is tiphys-health-test.1. */
export const manOf = (name: string) => `${name.replaceAll(' ', '-')}.1`;

export function renderMan(reference: Reference, version: string): string {
  const { name, usage, description, commands, examples, statuses } = reference;
  const title = name.replaceAll(' ', '-');
  const lines = [
    `.\\" Made by npm run docs:commands`,
    `.TH ${quoted(title.toUpperCase())} 1 "" ${quoted(`tiphys ${version}`)} "Tiphys"`,
    ...section('NAME', [`${roff(title)} \\- ${roff(firstSentence(description))}`]),
    ...section('SYNOPSIS', [bold(usage)]),
    ...section('DESCRIPTION', [text(description)]),
    ...terms(
      'COMMANDS',
      commands.map((one) => [`${one.name.replaceAll(' ', '-')}(1)`, one.description]),
    ),
    ...terms('ARGUMENTS', reference.arguments),
    ...terms('OPTIONS', reference.options),
    ...(examples.length > 0 ? section('EXAMPLES', exampleLines(examples)) : []),
    ...terms('EXIT STATUS', statuses),
    ...seeAlso(name),
  ];
  return `${lines.join('\n')}\n`;
}

function seeAlso(name: string): string[] {
  const words = name.split(' ').slice(0, -1);
  const parents = words.map((_, at) => `${words.slice(0, at + 1).join('-')}(1)`);
  return parents.length > 0 ? section('SEE ALSO', [text(parents.join(', '))]) : [];
}

const bold = (words: string) => `\\fB${roff(words)}\\fR`;

const exampleLines = (examples: Reference['examples']) =>
  examples.flatMap(([line, purpose]) => ['.TP', bold(line), text(purpose)]);

const section = (title: string, lines: readonly string[]) => [`.SH ${title}`, ...lines];

function terms(title: string, rows: Reference['options']): string[] {
  if (rows.length === 0) return [];
  const lines = rows.flatMap(([term, meaning]) => ['.TP', bold(term), text(meaning)]);
  return section(title, lines);
}

const firstSentence = (description: string) => (/^[^:.]*/.exec(description)?.[0] ?? '').trim();

const quoted = (words: string) => `"${roff(words).replaceAll('"', '\\(dq')}"`;

/** A line that begins with a dot or an apostrophe would be a request. */
const text = (line: string) => roff(line).replace(/^(?=[.'])/, '\\&');

const roff = (words: string) =>
  words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll("'", '\\(aq').replaceAll('`', '');
