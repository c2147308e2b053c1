import { expect, test } from 'vitest';
import { proposedEdge } from '../../test/fakes/import.ts';
import { parseImportFile } from '../model/import-file.ts';
import { renderDecisions } from '../view/import/decisions-file.ts';
import { decide, parsePair } from './decide.ts';
import { applyDecisions, NO_DECISIONS } from './decisions.ts';
import type { Evidence } from './proposal.ts';

const evidence = (kind: string): Evidence => ({
  ...{ kind, strength: 'soft', confidence: 'medium', text: kind, where: 'Deployment/a' },
});
const suggested = (dependent: string, dependency: string, ...kinds: string[]) =>
  proposedEdge(dependent, dependency, {
    ...{ status: 'suggested', strength: 'soft', confidence: 'medium' },
    evidence: kinds.map(evidence),
  });
const WEB_DB = { dependent: 'web', dependency: 'db' };
const WEB_MAIL = { dependent: 'web', dependency: 'mail' };

test.each([
  ['web->db', WEB_DB],
  [' web -> db ', WEB_DB],
  ['web-1->db', { dependent: 'web-1', dependency: 'db' }],
  ['web-', undefined],
  ['web->', undefined],
  ['a->b->c', undefined],
])('%s', (text, pair) => expect(parsePair(text)).toEqual(pair));

test('what was decided is asked again only when there is new evidence', () => {
  const first = [suggested('web', 'db', 'dns', 'secret'), suggested('web', 'mail', 'dns')];
  const decided = decide(NO_DECISIONS, { accept: [WEB_MAIL], reject: [WEB_DB] }, first);
  const kept = parseImportFile({ file: 'import.yaml', text: renderDecisions(decided) });
  expect(kept).toEqual(decided);
  const shown = (edges: typeof first) =>
    applyDecisions(edges, kept).map(({ status, decision }) => `${status} ${decision}`);
  expect(shown(first)).toEqual(['reported rejected', 'written accepted']);
  const more = [suggested('web', 'db', 'dns', 'secret', 'webhook')];
  expect(shown(more)).toEqual(['suggested undefined']);
});

test('the last word about a pair counts, for all evidence', () => {
  const edges = [suggested('web', 'db', 'dns', 'secret')];
  const rejected = decide(NO_DECISIONS, { accept: [], reject: [WEB_DB] }, edges);
  const accepted = decide(rejected, { accept: [WEB_DB], reject: [] }, edges);
  expect(accepted.rejected).toEqual([]);
  expect(accepted.accepted.map((one) => one.evidence)).toEqual(['dns', 'secret']);
});

test('a pair that nothing speaks for', () => {
  const edges = [suggested('web', 'mail', 'dns')];
  const wrong = { dependent: 'web', dependency: 'mial' };
  expect(() => decide(NO_DECISIONS, { accept: [wrong], reject: [] }, edges)).toThrow(
    'No evidence says that "web" depends on "mial".',
  );
});

test('the file has the same bytes whatever the order, and keeps reasons and odd names', () => {
  const pairs = [
    { dependent: 'no', dependency: '123', evidence: '*' },
    { dependent: 'b', dependency: 'a', evidence: 'dns', reason: 'heals: "by itself" # always' },
  ];
  const text = renderDecisions({ accepted: [], rejected: pairs });
  expect(renderDecisions({ accepted: [], rejected: pairs.toReversed() })).toBe(text);
  expect(parseImportFile({ file: 'import.yaml', text }).rejected).toEqual(pairs.toReversed());
});
