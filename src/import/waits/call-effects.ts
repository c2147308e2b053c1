// What curl, wget, netcat and clients of databases do: they only read as long as nothing in their call says otherwise.
import { ASKING } from './command-table.ts';
import { type Call, CURL, callOf, NETCAT, WGET } from './program-options.ts';

export type Effect = 'reads' | 'waits' | 'acts' | 'unknown';

const NOWHERE = new Set(['/dev/null', '-']);

const valuesOf = ({ values }: Call, ...names: readonly string[]): string[] =>
  values.flatMap(([name, value]) => (names.includes(name) ? value : []));

const CURL_WRITES =
  /^(?:-d|--data.*|-F|--form.*|-T|--upload-file|--json|-o|--output|-O|--remote-name)/;

export function curlEffect(words: readonly string[]): Effect {
  const call = callOf(words.slice(1), CURL);
  if (!call) return words.some((word) => CURL_WRITES.test(word)) ? 'acts' : 'unknown';
  const methods = valuesOf(call, '-X', '--request').map((one) => one.replaceAll(/["']/g, ''));
  if (methods.some((method) => !['GET', 'HEAD'].includes(method))) return 'acts';
  if (valuesOf(call, '-o', '--output').some((path) => !NOWHERE.has(path))) return 'acts';
  return curlWaits(call) ? 'waits' : 'reads';
}

/** Until something answers: without these, it tries again only where something has. */
const curlWaits = (call: Call): boolean =>
  valuesOf(call, '--retry').length > 0 &&
  (call.flags.has('--retry-connrefused') || call.flags.has('--retry-all-errors'));

/** It writes a file, unless it is told not to. */
export function wgetEffect(words: readonly string[]): Effect {
  const call = callOf(
    words.slice(1).map((word) => (word === '-nv' ? '--no-verbose' : word)),
    WGET,
  );
  if (!call) return words.some((word) => /^--(?:post|method|body)/.test(word)) ? 'acts' : 'unknown';
  const outputs = valuesOf(call, '-O', '--output-document');
  const keepsNothing = call.flags.has('--spider') || outputs.length > 0;
  return keepsNothing && outputs.every((path) => NOWHERE.has(path)) ? 'reads' : 'acts';
}

/** Only with -z it sends nothing: else it may be given what it sends. */
export function netcatEffect(words: readonly string[]): Effect {
  return callOf(words.slice(1), NETCAT)?.flags.has('-z') ? 'reads' : 'unknown';
}

const QUERIES = new Set(['-c', '--command', '-e', '--execute', '--eval']);
const FILES = /^(?:-f|--file\b)|\.(?:sql|js)$/;

/** Queries that only ask; a file of statements, or none, may change anything. */
export function queryEffect(words: readonly string[]): Effect {
  const queries = words.filter((_, at) => QUERIES.has(words[at - 1] ?? ''));
  if (words.some((word) => FILES.test(word) && !queries.includes(word))) return 'acts';
  if (queries.length === 0)
    return words.includes('-l') || words.includes('--list') ? 'reads' : 'acts';
  const effects = queries.map(effectOfQuery);
  return effects.find((one) => one === 'acts') ?? effects.find((one) => one !== 'reads') ?? 'reads';
}

const QUESTION = /^[\s"']*(?:select|show|\\q|\\l|\\dt|db\.(?:run|admin)Command\(["'{\s]*ping)/i;
const CHANGES =
  /\b(?:into|update|delete|insert|create|drop|alter|truncate|grant|revoke|call|do|execute|copy|lock|vacuum|merge|load|import|rename)\b/i;

/** One statement, without a command of the client behind it. */
function effectOfQuery(query: string): Effect {
  if (query.length > 1_000 || !QUESTION.test(query) || CHANGES.test(query)) return 'acts';
  if (/;\s*\S/.test(query) || query.trimStart().lastIndexOf('\\') > 0) return 'acts';
  // At most 1,000 characters.
  const called = [...query.matchAll(/([\w.]{1,100})\s{0,3}\(/g)].map(([, name = '']) => name);
  return called.every((name) => ASKING.has(name.toLowerCase())) ? 'reads' : 'unknown';
}
