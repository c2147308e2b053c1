import { describe, expect, it } from 'vitest';
import { applicationMaterial, proposalOf, proposedEdge } from '../../test/fakes/import.ts';
import { breakCycles } from './cycles.ts';
import type { ProposedEdge } from './proposal.ts';
import { familyOf } from './tree.ts';

const dns = { kind: 'dns', strength: 'soft', confidence: 'high', text: 't', where: 'w' } as const;

function untangle(edges: readonly ProposedEdge[], parents: Readonly<Record<string, string>> = {}) {
  const names = [...new Set(edges.flatMap((edge) => [edge.dependent, edge.dependency]))];
  const all = [...new Set([...names, ...Object.keys(parents), ...Object.values(parents)])].sort();
  const applications = all.map((name) =>
    applicationMaterial(name, [], parents[name] === undefined ? {} : { parent: parents[name] }),
  );
  return breakCycles(edges, all, familyOf(applications));
}

const statuses = (edges: readonly ProposedEdge[]) =>
  Object.fromEntries(edges.map((edge) => [`${edge.dependent}>${edge.dependency}`, edge.status]));

describe('cycles', () => {
  it('are not seen where there are none', () => {
    const some = [proposedEdge('a', 'b'), proposedEdge('b', 'c'), proposedEdge('a', 'c')];
    const { edges } = proposalOf(some);
    expect(untangle(edges)).toEqual({ edges, cycles: [] });
  });

  it.each<[string, Partial<ProposedEdge>]>([
    ['is known by an address alone', { evidence: [dns] }],
    ['has less confidence', { confidence: 'medium' }],
    ['runs against the waves', { waves: 'against' }],
    ['is not hard', { strength: 'soft' }],
  ])('lose the edge that %s', (_, weak) => {
    const edges = [proposedEdge('a', 'b'), proposedEdge('b', 'c', weak), proposedEdge('c', 'a')];
    const soft = edges.map(
      (edge): ProposedEdge => ({ ...edge, strength: weak.strength ? edge.strength : 'soft' }),
    );
    const { edges: left, cycles } = untangle(soft);
    expect(statuses(left)).toEqual({ 'a>b': 'written', 'b>c': 'reported', 'c>a': 'written' });
    expect(cycles).toEqual([
      { cycle: ['a', 'b', 'c'], dropped: { dependent: 'b', dependency: 'c' } },
    ]);
  });

  it('of hard edges lose none of them for good: all become questions', () => {
    const { edges, cycles } = untangle([proposedEdge('a', 'b'), proposedEdge('b', 'a')]);
    expect(statuses(edges)).toEqual({ 'a>b': 'suggested', 'b>a': 'suggested' });
    expect(cycles).toEqual([{ cycle: ['a', 'b'] }]);
  });

  it('of hard edges are none where one of them is only suggested: that one goes', () => {
    const guess = { status: 'suggested', confidence: 'low' } as const;
    const { edges, cycles } = untangle([proposedEdge('a', 'b'), proposedEdge('b', 'a', guess)]);
    expect(statuses(edges)).toEqual({ 'a>b': 'written', 'b>a': 'reported' });
    expect(cycles[0]?.dropped).toEqual({ dependent: 'b', dependency: 'a' });
  });

  it('of many suggestions do not cost what is sure', () => {
    const names = Array.from({ length: 25 }, (_, number) => `n${number}`);
    const guess = { status: 'suggested', confidence: 'low' } as const;
    const edges = names.flatMap((a, at) =>
      names.flatMap((b, other) =>
        at === other ? [] : proposedEdge(a, b, other < at ? {} : guess),
      ),
    );
    const { edges: left } = untangle(edges);
    expect(left.filter(({ status }) => status === 'written')).toHaveLength((25 * 24) / 2);
  });

  it('through parents are seen: a parent ends after its children', () => {
    const edges = [
      proposedEdge('child', 'other', { strength: 'soft' }),
      proposedEdge('other', 'parent'),
    ];
    const { cycles, edges: left } = untangle(edges, { child: 'parent' });
    expect(statuses(left)).toEqual({ 'child>other': 'reported', 'other>parent': 'written' });
    expect(cycles).toEqual([
      { cycle: ['parent', 'child', 'other'], dropped: { dependent: 'child', dependency: 'other' } },
    ]);
  });

  it('are taken apart one after the other', () => {
    const soft = { strength: 'soft' } as const;
    const edges = [
      ...[proposedEdge('a', 'b'), proposedEdge('b', 'a', soft)],
      ...[proposedEdge('c', 'd'), proposedEdge('d', 'c', soft)],
    ];
    expect(untangle(edges).cycles.map(({ dropped }) => dropped?.dependent)).toEqual(['b', 'd']);
  });

  it('of a tangle of hard edges cost no more than they are worth', () => {
    const names = Array.from({ length: 25 }, (_, number) => `n${number}`);
    const edges = names.flatMap((a) => names.filter((b) => a !== b).map((b) => proposedEdge(a, b)));
    const { edges: left, cycles } = untangle(edges);
    expect(cycles.length).toBeLessThanOrEqual(201);
    expect(left.every(({ status }) => status === 'suggested')).toBe(true);
  });
});
