import { expect, test } from 'vitest';
import { applyDecisions, type Decisions, NO_DECISIONS, staleDecisions } from './decisions.ts';
import type { Evidence, ProposedEdge } from './proposal.ts';

const evidence = (kind: string, more: Partial<Evidence> = {}): Evidence => ({
  ...{ kind, strength: 'soft', confidence: 'medium', text: kind, where: 'Deployment/a' },
  ...more,
});
const edge = (more: Partial<ProposedEdge> = {}): ProposedEdge => ({
  ...{ dependent: 'a', dependency: 'b', strength: 'soft', confidence: 'medium' },
  ...{ status: 'suggested', evidence: [evidence('dns')] },
  ...more,
});
const pair = (kind: string) => ({ dependent: 'a', dependency: 'b', evidence: kind });
const accept = (kind: string): Decisions => ({ accepted: [pair(kind)], rejected: [] });
const reject = (...kinds: string[]): Decisions => ({ accepted: [], rejected: kinds.map(pair) });
const apply = (one: ProposedEdge, decisions: Decisions) => applyDecisions([one], decisions)[0];

test('without decisions nothing changes', () => {
  expect(applyDecisions([edge()], NO_DECISIONS)).toEqual([edge()]);
});

test('an accepted suggestion is written, by its evidence or by any', () => {
  for (const kind of ['dns', '*']) {
    expect(apply(edge(), accept(kind))).toMatchObject({ status: 'written', decision: 'accepted' });
  }
});

test('what was accepted for other evidence is still asked', () => {
  expect(apply(edge(), accept('secret'))).toEqual(edge());
});

test('the other direction is another pair', () => {
  const turned = edge({ dependent: 'b', dependency: 'a' });
  expect(apply(turned, accept('*'))).toEqual(turned);
});

test('a rejected edge is reported only, with its evidence', () => {
  const rejected = apply(edge(), reject('dns'));
  expect(rejected).toEqual({ ...edge(), status: 'reported', decision: 'rejected' });
});

test('new evidence of a rejected pair is judged on its own', () => {
  const hard = evidence('crd', { strength: 'hard', confidence: 'high' });
  const both = edge({
    status: 'written',
    strength: 'hard',
    confidence: 'high',
    evidence: [hard, evidence('dns')],
  });
  expect(apply(both, reject('dns'))).toMatchObject({ status: 'written', evidence: [hard] });
  expect(apply(both, reject('crd'))).toMatchObject({
    ...{ status: 'suggested', strength: 'soft', confidence: 'medium' },
    evidence: [evidence('dns')],
  });
  expect(apply(both, reject('crd', 'dns'))).toMatchObject({ decision: 'rejected' });
});

test('what heals by itself is not asked about', () => {
  const both = edge({ evidence: [evidence('dns', { strength: 'eventual' }), evidence('secret')] });
  expect(apply(both, reject('secret'))).toMatchObject({ status: 'reported', strength: 'eventual' });
});

test('decisions about pairs that are gone', () => {
  expect(staleDecisions([edge()], reject('dns'))).toEqual([]);
  expect(staleDecisions([], reject('dns'))).toEqual([pair('dns')]);
});
