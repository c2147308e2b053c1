// The documents of a file with the lines of what is in them. Only for what is reported: it costs a second parse.
import { type Path, placesIn } from '../../model/positions.ts';
import { documentsWithPaths, isFields } from './documents.ts';

interface LinedDocument {
  readonly document: Readonly<Record<string, unknown>>;
  /** Of a path, or of the nearest part of it that is there. */
  readonly lineOf: (path: Path) => { readonly line: number; readonly isExact: boolean };
}

/** The marker is at the start of a line; it cannot appear anywhere else. */
const DOCUMENT_START = /^---(?=\s|$)/gm;

/** Items of a List are documents. What is no YAML has none. */
export function documentsWithLines(text: string): readonly LinedDocument[] {
  const starts = [0, ...[...text.matchAll(DOCUMENT_START)].map(({ index }) => index)];
  let before = 0;
  return starts.flatMap((start, at) => {
    const part = text.slice(start, starts[at + 1]);
    const first = before;
    before += part.split('\n').length - 1;
    let places: ReturnType<typeof placesIn> | undefined;
    const place = (path: Path) => {
      places ??= placesIn({ file: '', text: part });
      return places(path);
    };
    return (documentsWithPaths(part) ?? []).flatMap(({ document, path: inside }) => {
      if (!isFields(document)) return [];
      const lineOf = (path: Path) => ({
        line: first + place([...inside, ...path]).line,
        isExact: has(document, path),
      });
      return [{ document, lineOf }];
    });
  });
}

function has(value: unknown, [key, ...rest]: Path): boolean {
  if (key === undefined) return true;
  return isFields(value) && Object.hasOwn(value, key) && has(value[key], rest);
}
