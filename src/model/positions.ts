// Positions in a file. A second parse with the same parser finds them, and only when there is something to report: a valid
// file pays nothing for positions.
import { EVENT_ID, type Event, getScalarValue, parseEvents } from 'js-yaml';
import type { Diagnostic, ErrorCode } from '../errors.ts';
import { NESTING_MAX } from './limits.ts';
import { quote } from './names.ts';
import type { Source } from './source.ts';

export type Path = readonly (string | number)[];

/** A problem at a path of a document; `key` if the key is wrong, not its value. */
export interface Problem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly path: Path;
  readonly key?: boolean;
  /** The offset into the value, if the file has the value on one line as it is. */
  readonly offset?: number;
  /** Of a duplicate: where the first one is. Its line is added to the message. */
  readonly first?: Path;
}

/** Gives each problem its file, line and column: those of its path, or of the nearest part of the path that exists. */
export function locate(source: Source, problems: readonly Problem[]): Diagnostic[] {
  const offsets = offsetsOf(source.text);
  const position = positionIn(source.text);
  const located = problems.map(({ path, key, offset = 0, first, ...problem }) => {
    const at = position(nearestOffset(offsets, path, key ?? false) + offset);
    const line = first && position(nearestOffset(offsets, first, false)).line;
    const message = line
      ? problem.message.replace(/\.$/, `; the first is in line ${line}.`)
      : problem.message;
    return { ...problem, message, file: source.file, ...at };
  });
  return located.sort((a, b) => a.line - b.line || a.column - b.column);
}

/** Line and column of a path, or of the nearest part of it that exists. */
export function placesIn({ text }: Source): (path: Path) => { line: number; column: number } {
  const offsets = offsetsOf(text);
  const position = positionIn(text);
  return (path) => position(nearestOffset(offsets, path, false));
}

/** The parser stops at the first duplicate key; its events show all of them. */
export function duplicateKeys(source: Source): Diagnostic[] {
  const found: Diagnostic[] = [];
  const seen = new Set<string>();
  const position = positionIn(source.text);
  walk(source.text, (path, offset, role) => {
    if (role !== 'key') return;
    const place = pathText(path);
    if (seen.has(place)) {
      found.push({
        code: 'yaml-duplicate-key',
        message: `The key ${quote(String(path.at(-1)))} appears twice in one mapping.`,
        hint: 'Keep one of the two.',
        file: source.file,
        ...position(offset),
      });
    }
    seen.add(place);
  });
  return found;
}

function offsetsOf(text: string): Map<string, number> {
  const offsets = new Map<string, number>();
  walk(text, (path, offset, role) => {
    const place = pathText(path);
    offsets.set(role === 'key' ? keyOf(place) : place, offset);
  });
  return offsets;
}

function nearestOffset(offsets: ReadonlyMap<string, number>, path: Path, key: boolean): number {
  const whole = pathText(path);
  const exact = key ? offsets.get(keyOf(whole)) : undefined;
  if (exact !== undefined) return exact;
  for (let length = path.length; length >= 0; length--) {
    const offset = offsets.get(pathText(path.slice(0, length)));
    if (offset !== undefined) return offset;
  }
  return 0;
}

const pathText = (path: Path): string => path.join('\u0000');
const keyOf = (place: string): string => `${place}\u0000#key`;

type Visit = (path: Path, offset: number, role: 'key' | 'value') => void;

interface Level {
  readonly mapping: boolean;
  key: string | undefined;
  index: number;
}

/** What the parser returns as the start of a scalar without text. */
const LEFT_OUT = -1;

/** Visits every key and value of the document with its path and offset. */
function walk(text: string, visit: Visit): void {
  const levels: Level[] = [];
  const path: (string | number)[] = [];
  let last = 0;
  const enter = (offset: number) => {
    const level = levels.at(-1);
    if (level?.mapping === false) path[levels.length - 1] = level.index;
    path.length = levels.length;
    visit(path, offset, 'value');
  };
  const leave = () => {
    const level = levels.at(-1);
    if (level) {
      level.key = undefined;
      level.index++;
    }
  };
  for (const event of parseEvents(text, { maxDepth: NESTING_MAX })) {
    const level = levels.at(-1);
    if (event.type === EVENT_ID.SCALAR && level?.mapping && level.key === undefined) {
      level.key = getScalarValue(text, event);
      path[levels.length - 1] = level.key;
      path.length = levels.length;
      last = event.valueStart === LEFT_OUT ? last : event.valueStart;
      visit(path, last, 'key');
    } else if (event.type === EVENT_ID.SCALAR) {
      // An omitted value has the position of its key.
      last = event.valueStart === LEFT_OUT ? last : event.valueStart;
      enter(last);
      leave();
    } else if (isCollection(event)) {
      last = event.start;
      enter(last);
      levels.push({ mapping: event.type === EVENT_ID.MAPPING, key: undefined, index: 0 });
    } else if (event.type === EVENT_ID.POP) {
      levels.pop();
      leave();
    }
  }
}

function isCollection(event: Event): event is Extract<Event, { start: number }> {
  return event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE;
}

/** Offset -> line and column, both from 1. */
function positionIn(text: string): (offset: number) => { line: number; column: number } {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
