// A source file as the rules see it.

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Import {
  /** As it is written. */
  readonly specifier: string;
  /** The file it means, for a relative one. */
  readonly path: string | undefined;
}

/** The text without comments and without what is between single or double quotes. Templates stay: they hold code. */
export function codeOf(text: string): string {
  return withoutComments(text).replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''");
}

export const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1');

export function importsOf({ path, text }: SourceFile): Import[] {
  // A text that ends in one of these words has its own quote in front of ours, and no module has a line break in its name.
  const pattern = /(?:\bfrom|(?<!['"])\bimport|\bimport\()\s*['"]([^'"\n]+)['"]/g;
  return [...text.matchAll(pattern)].map(([, specifier = '']) => ({
    specifier,
    path: specifier.startsWith('.') ? resolve(path, specifier) : undefined,
  }));
}

function resolve(from: string, specifier: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}
