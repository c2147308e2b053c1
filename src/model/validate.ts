// Checks a parsed document against its schema, and describes the problems in plain words.
import { z } from 'zod';
import { TiphysError } from '../errors.ts';
import { check, type Issue, unwrap } from './check.ts';
import type { BrokenRule } from './destinations.ts';
import { parseDocument } from './document.ts';
import { DURATION } from './duration.ts';
import { DURATION_TEXT } from './fields.ts';
import { blankHint, emptyList, KEYS_HINT, keyHint, typeHint, withSpace } from './hints.ts';
import { DEPENDENCIES_MAX } from './limits.ts';
import {
  ACCOUNT_NAME,
  ADDRESS_WITHOUT_CREDENTIALS,
  APPLICATION_NAME,
  CRON_SCHEDULE,
  EVIDENCE_KIND,
  GIT_PATH,
  GIT_REVISION,
  HTTP_ADDRESS,
  IMAGE_REFERENCE,
  KIND_NAME,
  LABEL_KEY,
  LABEL_NAME,
  LABEL_VALUE,
  NAME_PATTERN,
  ONE_LINE,
  PROXY_ADDRESS,
  quote,
  REFERENCE,
  ROOT_PATH,
  TCP_ADDRESS,
  visible,
} from './names.ts';
import { suggestFrom } from './nearest.ts';
import { locate, type Path, type Problem } from './positions.ts';
import { reservedKeys } from './reserved-keys.ts';
import type { Source } from './source.ts';

export interface CheckedFile<T> {
  /** Undefined if the file does not fit the schema. */
  readonly data: T | undefined;
  /** The parsed document. */
  readonly value: unknown;
  readonly problems: readonly Problem[];
}

/** Returns the schema's output or every problem. Throws only if the text is not YAML. */
export function checkFile<S extends z.ZodType>(
  source: Source,
  schema: S,
): CheckedFile<z.output<S>> {
  const value = parseDocument(source);
  const reserved = reservedKeys(source.text, value);
  const { data, issues } = check(schema, value);
  const explained = issues.flatMap((issue) => explain(issue, value, schema));
  return { data, value, problems: [...reserved, ...explained] };
}

/** Returns the schema's output, or throws an error with every problem and its position. */
export function parseFile<S extends z.ZodType>(source: Source, schema: S): z.output<S> {
  const { data, problems } = checkFile(source, schema);
  if (problems.length > 0) throw new TiphysError(locate(source, problems));
  return data as z.output<S>;
}

function explain(issue: Issue, document: unknown, schema: z.ZodType): Problem[] {
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  const where = placeName(path);
  const value = valueAt(document, path);
  switch (issue.code) {
    case 'invalid_type':
      return [value === undefined ? missing(path) : wrongType(path, issue.expected, value, schema)];
    case 'unrecognized_keys':
      return issue.keys
        .filter((key) => key !== '__proto__')
        .map((key) => unknownKey([...path, key], keysOf(schemaAt(schema, path))));
    case 'invalid_value':
      if (value === undefined) return [missing(path)];
      return [wrongChoice(path, issue.values.map(String), value)];
    case 'invalid_format':
      return [wrongFormat(path, issue, value)];
    case 'invalid_key':
      return [{ ...wrongFormat(path, issue.issues[0] ?? issue, path.at(-1)), key: true }];
    case 'too_small':
      if (Array.isArray(value)) return [emptyList(path, where)];
      return [outOfRange(path, `${where} must be at least ${issue.minimum}`, value)];
    case 'too_big':
      return [tooBig(path, issue, value)];
    case 'custom':
      if (issue.params?.rule) return [{ ...(issue.params.rule as BrokenRule), path }];
      return [outOfRange(path, `${where} must be ${issue.params?.range}`, value)];
    case 'invalid_union':
      return chosen(issue, value).flatMap((inner) =>
        explain({ ...inner, path: [...path, ...inner.path] }, document, schema),
      );
    default:
      return [unexpected(path, `${where} is not valid`, value)];
  }
}

/** For a value that can be a string or a mapping: the problems of the form that the file uses. */
function chosen({ errors }: Issue & { code: 'invalid_union' }, value: unknown): readonly Issue[] {
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  return errors[isMapping ? 1 : 0] ?? [];
}

function missing(path: Path): Problem {
  const [key, owner] = [path.at(-1), path.slice(0, -1)];
  const message =
    path.length === 0 ? 'The file is empty.' : `${placeName(owner)} needs the key "${key}".`;
  return { code: 'key-missing', message, hint: `Add "${key ?? 'apiVersion'}".`, path: owner };
}

function unknownKey(path: Path, { known, suggest }: Keys): Problem {
  const key = String(path.at(-1));
  const near = withSpace(key, known) ?? suggest(key);
  return {
    code: 'key-unknown',
    message: `${placeName(path.slice(0, -1))} has no key ${quote(key)}.`,
    hint: keyHint(path) ?? (near ? `Did you mean "${near}"?` : `Known keys: ${known.join(', ')}.`),
    path,
    key: true,
  };
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
};

function wrongType(path: Path, expected: string, value: unknown, schema: z.ZodType): Problem {
  if (typeof value === 'number' && isDuration(schemaAt(schema, path))) {
    const message = `${placeName(path)} is ${value}, which is not a valid duration.`;
    const hint =
      Number.isSafeInteger(value) && value > 0 ? `Did you mean ${value}s?` : DURATION_HINT;
    return { code: 'duration-invalid', message, hint, path };
  }
  const message = `${placeName(path)} must be ${TYPE_NAMES[expected] ?? expected}, not ${show(value)}.`;
  return { code: 'value-type', message, hint: typeHint(path, expected, value), path };
}

const DURATION_HINT = 'Write whole hours, minutes and seconds: 90s, 5m, 1h30m.';

/** The expected form of a text with its own pattern. */
const FORMS: ReadonlyMap<string, string> = new Map([
  [String(KIND_NAME), 'GROUP/KIND'],
  [String(LABEL_KEY), 'the key of a label, for example app.kubernetes.io/part-of'],
  [String(LABEL_VALUE), 'the value of a label, for example shop'],
  [String(NAME_PATTERN), 'a name with one "*" in it, for example shop-*'],
  [String(ONE_LINE), 'one line of text, for example Unseal Vault'],
  [
    String(HTTP_ADDRESS),
    'http://HOST:PORT/PATH, for example http://vault.vault.svc:8200/v1/sys/health',
  ],
  [String(TCP_ADDRESS), 'HOST:PORT, for example db.data.svc:5432'],
  [String(EVIDENCE_KIND), 'a kind of evidence, for example dns, or "*" for all'],
  [String(CRON_SCHEDULE), 'a cron schedule of five fields, for example 0 3 * * *'],
  [String(GIT_PATH), 'a folder in the repository, for example apps/root'],
  [String(GIT_REVISION), 'a branch, tag, commit or version range'],
  [String(PROXY_ADDRESS), 'http://HOST:PORT, without a password'],
  [String(ROOT_PATH), 'a path from the root, for example /argocd'],
  [String(ACCOUNT_NAME), 'an Argo CD account, for example jane@example.com'],
  [String(IMAGE_REFERENCE), 'an image reference, for example registry.example.com/executor:1.0'],
]);

function wrongFormat(path: Path, issue: Issue, value: unknown): Problem {
  const pattern = 'pattern' in issue ? issue.pattern : undefined;
  const found = `${placeName(path)} is ${show(value)}`;
  if (pattern === String(DURATION)) {
    const hint = DURATION_HINT;
    const message = `${found}, which is not a valid duration.`;
    return { code: 'duration-invalid', message, hint, path };
  }
  if (pattern === String(REFERENCE)) {
    const hint = 'Write NAME or app:NAME for an application, stack:NAME for a stack.';
    const message = `${found}, which is not a valid reference.`;
    return { code: 'reference-invalid', message, hint, path };
  }
  if (pattern === String(LABEL_NAME) || pattern === String(APPLICATION_NAME)) {
    const hint = 'Use lower-case letters, digits and "-", with a letter or digit at both ends.';
    return { code: 'name-invalid', message: `${found}, which is not a valid name.`, hint, path };
  }
  if (pattern === String(ADDRESS_WITHOUT_CREDENTIALS)) {
    const hint = 'Remove it, and add it to Argo CD as a repository credential.';
    const message = `${placeName(path)} contains a password or token.`;
    return { code: 'credential-in-file', message, hint, path };
  }
  const form = FORMS.get(pattern ?? '') ?? 'KIND/NAME';
  const hint = blankHint(value) ?? KEYS_HINT;
  return { ...unexpected(path, `${placeName(path)} must look like ${form}`, value), hint };
}

function tooBig(path: Path, issue: Issue & { code: 'too_big' }, value: unknown): Problem {
  if (path.at(-1) === 'dependsOn') {
    return {
      code: 'dependencies-too-many',
      message: `${placeName(path)} has ${show(value)}; the maximum is ${DEPENDENCIES_MAX}.`,
      hint: 'Group the applications into a stack and depend on stack:NAME.',
      path,
    };
  }
  const unit = issue.origin === 'string' ? ' characters' : '';
  return outOfRange(path, `${placeName(path)} must be at most ${issue.maximum}${unit}`, value);
}

function outOfRange(path: Path, sentence: string, value: unknown): Problem {
  const hint = 'Choose a value in that range.';
  return { code: 'value-range', message: `${sentence}, not ${show(value)}.`, hint, path };
}

/** Where only one value is right, it is what to write. */
function wrongChoice(path: Path, choices: readonly string[], value: unknown): Problem {
  const problem = unexpected(path, `${placeName(path)} must be ${choices.join(' or ')}`, value);
  return choices.length === 1 ? { ...problem, hint: `Write ${choices[0]}.` } : problem;
}

function unexpected(path: Path, sentence: string, value: unknown): Problem {
  const hint = KEYS_HINT;
  return { code: 'value-unexpected', message: `${sentence}, not ${show(value)}.`, hint, path };
}

function show(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return value === null ? 'nothing' : 'a mapping';
  return typeof value === 'string' ? quote(value) : String(value);
}

/** spec.stacks[0].name */
function placeName(path: Path): string {
  if (path.length === 0) return 'The file';
  const parts = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`));
  return visible(parts.join('').replace(/^\./, ''));
}

function valueAt(document: unknown, path: Path): unknown {
  let value = document;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part))
      return undefined;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value;
}

/** The keys that the schema allows at a path. */
interface Keys {
  readonly known: readonly string[];
  readonly suggest: (wrong: string) => string | undefined;
}

/** A file can have the same typo ten thousand times: each kind of mapping is examined once. */
const keysBySchema = new Map<unknown, Keys>();

function keysOf(schema: unknown): Keys {
  const found = keysBySchema.get(schema);
  if (found) return found;
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const keys = { known, suggest: suggestFrom(known) };
  keysBySchema.set(schema, keys);
  return keys;
}

function isDuration(schema: unknown): boolean {
  return schema instanceof z.ZodPipe && schema.description === DURATION_TEXT;
}

function schemaAt(schema: z.ZodType, path: Path): unknown {
  let at: unknown = schema;
  for (const part of path) {
    at = mappingOf(at);
    if (at instanceof z.ZodArray) at = at.element;
    else if (at instanceof z.ZodRecord) at = at.valueType;
    else if (at instanceof z.ZodObject) at = at.shape[part];
  }
  return mappingOf(at);
}

/** A value that can also be a mapping is treated as one. */
function mappingOf(schema: unknown): unknown {
  const bare = unwrap(schema);
  if (!(bare instanceof z.ZodUnion)) return bare;
  return bare.options.find((option) => option instanceof z.ZodObject) ?? bare;
}
