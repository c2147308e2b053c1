// The shape of import.yaml: what people decided about edges that `tiphys import` proposed.
import { z } from 'zod';
import { TiphysError } from '../errors.ts';
import { API_VERSION } from './api-version.ts';
import { applicationName } from './fields.ts';
import { EVIDENCE_KIND, LONGEST_QUESTION, ONE_LINE, quote } from './names.ts';
import { locate, type Problem } from './positions.ts';
import type { Source } from './source.ts';
import { parseFile } from './validate.ts';

const decided = z.strictObject({
  dependent: applicationName,
  dependency: applicationName,
  evidence: z
    .string()
    .max(LONGEST_QUESTION)
    .regex(EVIDENCE_KIND)
    .optional()
    .describe('The kind of evidence that is decided on; all kinds, unless it is said.'),
  reason: z.string().max(LONGEST_QUESTION).regex(ONE_LINE).optional(),
});

const importFile = z.strictObject({
  apiVersion: z.literal(API_VERSION),
  kind: z.literal('ImportDecisions'),
  accepted: z.array(decided).optional(),
  rejected: z.array(decided).optional(),
});

type Decided = z.output<typeof decided>;

/** Both lists, with "*" for all kinds of evidence. */
export interface ImportFile {
  readonly accepted: readonly (Decided & { readonly evidence: string })[];
  readonly rejected: readonly (Decided & { readonly evidence: string })[];
}

export function parseImportFile(source: Source): ImportFile {
  const { accepted = [], rejected = [] } = parseFile(source, importFile);
  const problems = [
    ...ofThemselves('accepted', accepted),
    ...ofThemselves('rejected', rejected),
    ...decidedTwice(accepted, rejected),
  ];
  if (problems.length > 0) throw new TiphysError(locate(source, problems));
  const complete = (pairs: readonly Decided[]) =>
    pairs.map((pair) => ({ ...pair, evidence: pair.evidence ?? '*' }));
  return { accepted: complete(accepted), rejected: complete(rejected) };
}

function ofThemselves(list: string, pairs: readonly Decided[]): Problem[] {
  return pairs.flatMap(({ dependent, dependency }, at): Problem[] => {
    if (dependent !== dependency) return [];
    const message = `${quote(dependent)} cannot depend on itself.`;
    const path = [list, at, 'dependency'];
    return [{ code: 'reference-self', message, hint: 'Remove this entry.', path }];
  });
}

/** "*" meets every kind of evidence. */
function decidedTwice(accepted: readonly Decided[], rejected: readonly Decided[]): Problem[] {
  const pairOf = ({ dependent, dependency }: Decided) => `${dependent} ${dependency}`;
  const kindsOf = new Map<string, Set<string>>();
  for (const one of accepted) {
    const kinds = kindsOf.get(pairOf(one)) ?? new Set();
    kindsOf.set(pairOf(one), kinds.add(one.evidence ?? '*'));
  }
  return rejected.flatMap((one, at): Problem[] => {
    const kinds = kindsOf.get(pairOf(one));
    const kind = one.evidence ?? '*';
    if (!kinds || (kind !== '*' && !kinds.has('*') && !kinds.has(kind))) return [];
    const message = `${quote(one.dependent)} -> ${quote(one.dependency)} is both accepted and rejected.`;
    const hint = 'Keep one of the two entries, or name different kinds of evidence.';
    return [{ code: 'decision-conflict', message, hint, path: ['rejected', at] }];
  });
}
