// Decisions -> the text of import.yaml. The same decisions give the same bytes.
import type { DecidedPair, Decisions } from '../../import/decisions.ts';
import { API_VERSION } from '../../model/api-version.ts';
import { compareText } from '../../model/names.ts';
import { renderLines } from '../lines.ts';

export function renderDecisions({ accepted, rejected }: Decisions): string {
  return renderLines([
    '# What was decided about dependencies that `tiphys import` proposed. The next import does not ask about them again.',
    '# Edit it, or use `tiphys import --accept` and `--reject`, which write it anew: comments are lost, `reason` is kept.',
    '# `evidence` is the kind of evidence that was decided on; "*" is all of them. New evidence is asked about.',
    `apiVersion: ${API_VERSION}`,
    'kind: ImportDecisions',
    ...list('accepted', accepted),
    ...list('rejected', rejected),
  ]);
}

function list(key: string, pairs: readonly DecidedPair[]): string[] {
  const entries = new Map(pairs.map((pair) => [sortKey(pair), entryText(pair)]));
  if (entries.size === 0) return [`${key}: []`];
  const sorted = [...entries].sort(([a], [b]) => compareText(a, b));
  return [`${key}:`, ...sorted.map(([, text]) => `  - {${text}}`)];
}

const sortKey = ({ dependent, dependency, evidence }: DecidedPair): string =>
  [dependent, dependency, evidence].join(' ');

function entryText({ dependent, dependency, evidence, reason }: DecidedPair): string {
  const fields = { dependent, dependency, evidence, ...(reason !== undefined && { reason }) };
  return Object.entries(fields)
    .map(
      ([key, value]) =>
        `${key}: ${/^[a-z][a-z-]*[a-z]$/.test(value) ? plain(value) : JSON.stringify(value)}`,
    )
    .join(', ');
}

/** Words that YAML takes for something else. */
const plain = (value: string): string =>
  /^(?:true|false|null|yes|no|on|off)$/.test(value) ? JSON.stringify(value) : value;
