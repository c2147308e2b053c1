// Plain technical English in everything that people read: strings and comments of the program, documents, and what commands print.
// docs/style.md has the words to use instead.
import { parseAst, transformWithEsbuild } from 'vite';
import type { SourceFile } from './source-file.ts';

/** Each with what to write instead. */
export const BANNED: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bin work\b/i, 'in progress'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\b(?:is|are|was|were) not taken\b/i, 'not supported'],
  [/\bgo(?:es)? on\b/i, 'continue, resume'],
  [/\b(?:of (?:its|their|your|one's) own|by (?:itself|themselves))\b/i, 'own, automatically'],
  [/\b(?:is|are|was|were) to be\b/i, 'must be, will be'],
  [/\b(?:who|which|what|wher)ever\b/i, 'any, every'],
  [/\b(?:some|any|every)body\b/i, 'name the person or client'],
  [/\bnobody\b/i, 'no one is named: say what is missing'],
  [/\b(?:bring|brings|brought|bringing) (?:\w+ ){0,3}up\b/i, 'deploy'],
  [
    /\b(?:take|takes|taken|took|taking) (?:\w+ ){0,3}(?:down|away|along)\b/i,
    'tear down, delete, include',
  ],
  [/\ball that\b/i, 'everything, or name it'],
  [/\blet(?:s)? go\b/i, 'release'],
  [/\bwhat is left\b/i, 'what remains'],
  [/\b(?:inside|outside) of\b/i, 'inside, outside'],
  [/\bonce more\b/i, 'again'],
  [/\btime was up\b/i, 'timed out'],
  [/\bremembers?\b/i, 'records'],
  [/\bcome(?:s)? to pass\b/i, 'happen'],
  [/\bas it (?:stands|should be)\b/i, 'say what is compared'],
  [/\bleft to chance\b/i, 'random'],
  [/\brun again, it\b/i, 'rerun the command to resume'],
];

export interface Text {
  readonly where: string;
  readonly text: string;
}

/** What a program prints is in its string literals. */
export async function literalsOf({ path, text }: SourceFile): Promise<Text[]> {
  const { code } = await transformWithEsbuild(text, path, { sourcemap: false, target: 'esnext' });
  const found: string[] = [];
  collect(parseAst(code) as unknown, found);
  // A single word is an identifier, such as the name of a user in a rehearsal.
  const sentences = found.filter((literal) => /\s/.test(literal));
  return sentences.map((literal) => ({ where: path, text: literal }));
}

interface Syntax {
  readonly type?: string;
  readonly value?: unknown;
  readonly regex?: unknown;
}

function collect(value: unknown, found: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  const { type, value: literal, regex } = value as Syntax;
  if (/^(?:Import|ExportAll)/.test(type ?? '')) return;
  if (type === 'Literal' && typeof literal === 'string' && !regex) found.push(literal);
  if (type === 'TemplateElement') found.push((literal as { readonly raw: string }).raw);
  for (const child of Object.values(value)) collect(child, found);
}

/** Line by line: those of a comment alone, and what follows the code of others. */
export function commentsOf({ path, text }: SourceFile): Text[] {
  return text.split('\n').flatMap((line, at) => {
    const comment = /^\s*(?:\/\/|\/?\*)(.*)/.exec(line)?.[1] ?? /;\s+\/\/\s(.*)/.exec(line)?.[1];
    return comment === undefined ? [] : [{ where: `${path}:${at + 1}`, text: comment }];
  });
}

/** The lines of a YAML file that are no comments. */
export const messagesOf = (file: SourceFile): Text[] =>
  linesOf(file).filter(({ text }) => !/^\s*#/.test(text));

/** The title of a test is its own, and has to be as it is there. */
const TITLE = /`(?:src|test)\/[^`]*`: [^|]*/g;

/** Documents and goldens, line by line; code in documents counts, too: readers copy it. */
export const linesOf = ({ path, text }: SourceFile): Text[] =>
  text.split('\n').map((line, at) => ({
    where: `${path}:${at + 1}`,
    text: line.replace(TITLE, ''),
  }));

export function wordViolations(texts: readonly Text[]): string[] {
  return texts.flatMap(({ where, text }) =>
    BANNED.flatMap(([pattern, instead]) => {
      const word = pattern.exec(text)?.[0];
      return word === undefined ? [] : [`${where}: "${word}"; write: ${instead}`];
    }),
  );
}
