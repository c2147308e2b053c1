import { expect, test } from 'vitest';
import { proposalOf, proposedEdge } from '../../../test/fakes/import.ts';
import type { Proposal, ProposedStack } from '../proposal.ts';
import { layOutByWaves } from './by-waves.ts';
import { layOut } from './lay-out.ts';
import type { Layout } from './layout.ts';

const stack = (
  name: string,
  members: string,
  more: Partial<ProposedStack> = {},
): ProposedStack => ({
  name,
  applications: members
    .split(' ')
    .filter(Boolean)
    .map((one) => ({ name: one, fromHistory: false })),
  ...more,
});
const edges = (...pairs: string[]) =>
  pairs.map((pair) => proposedEdge(pair.split('>')[0] ?? '', pair.split('>')[1] ?? ''));

/** "owner: reference reference", comments in brackets. */
function dependencies({ stacks }: Layout): string[] {
  const entries = stacks.flatMap((one) => [
    { owner: `stack:${one.name}`, dependsOn: one.dependsOn },
    ...one.applications.map(({ name, dependsOn }) => ({ owner: name, dependsOn })),
  ]);
  return entries
    .filter(({ dependsOn }) => dependsOn.length > 0)
    .map(({ owner, dependsOn }) => {
      const texts = dependsOn.map((d) => (d.isWritten ? d.reference : `(${d.reference})`));
      return `${owner}: ${texts.join(' ')}`;
    });
}

test("a stack's own Application is waited for, and waits, as the stack", () => {
  const stacks = [
    stack('base', 'db', { application: 'base-apps' }),
    stack('top', 'web', { application: 'top-apps' }),
  ];
  const laid = layOut(proposalOf(edges('web>base-apps', 'top-apps>db'), { stacks }));
  expect(dependencies(laid)).toEqual(['stack:top: db', 'web: stack:base']);
  expect(laid.problems).toEqual([]);
});

test.each([
  ['its own parent', 'db>base-apps'],
  ['its own child', 'base-apps>db'],
  ['the parent of its parent', 'deep>base-apps'],
  ['the root', 'web>root'],
  ['something, as the root', 'root>web'],
  ['what is not there', 'web>nowhere'],
])('nothing waits for %s', (_, pair) => {
  const stacks = [
    stack('base', 'db', { application: 'base-apps' }),
    stack('inner', 'deep', { parent: 'base' }),
    stack('top', 'web'),
  ];
  const laid = layOut(proposalOf(edges(pair), { stacks, root: 'root' }));
  expect(dependencies(laid)).toEqual([]);
  expect(laid.problems).toHaveLength(1);
});

test('waiting for a stack that waits back is a comment, and the wait between applications stays', () => {
  const stacks = [stack('base', 'db cache', { application: 'base-apps' }), stack('top', 'web')];
  const laid = layOut(proposalOf(edges('web>base-apps', 'cache>web'), { stacks }));
  expect(dependencies(laid)).toEqual(['cache: web', 'web: (stack:base)']);
  expect(laid.problems.map(({ message }) => message)).toEqual([
    'cannot wait for "base-apps": it would close the cycle cache -> web -> stack:base -> cache',
  ]);
});

test('of a cycle of hard edges the least sure is a comment', () => {
  const cycle = edges('a>b', 'b>c', 'c>a').map((edge) =>
    edge.dependent === 'b' ? { ...edge, confidence: 'medium' as const } : edge,
  );
  expect(dependencies(layOut(proposalOf(cycle)))).toEqual(['a: b', 'b: (c)', 'c: a']);
});

test('a tangle of many cycles ends', () => {
  const names = Array.from({ length: 40 }, (_, at) => `n${at}`);
  const all = names.flatMap((a) => names.filter((b) => a !== b).map((b) => proposedEdge(a, b)));
  const laid = layOut(proposalOf(all));
  expect(laid.problems.length).toBeGreaterThan(50);
});

test('a template that nobody filled in is not the namespace of Argo CD', () => {
  const laid = layOut(proposalOf([], { argocdNamespace: '$(argocd)' }));
  expect(laid.argocdNamespace).toBe('argocd');
  expect(laid.problems.map(({ subject }) => subject)).toEqual(['$(argocd)']);
  const plain = layOut(proposalOf([], { argocdNamespace: 'delivery' }));
  expect([plain.argocdNamespace, plain.problems]).toEqual(['delivery', []]);
});

const WAVES: Proposal = proposalOf(edges('c>a'), {
  root: 'root',
  stacks: [
    stack('one', 'a b'),
    stack('two', 'c', {}),
    stack('nested', 'x y z', { application: 'nested-apps' }),
    stack('deep', 'd', { application: 'deep-apps', parent: 'nested' }),
  ],
  waves: { a: -5, c: 10, 'nested-apps': 10, x: 1, y: 1, z: 2, 'deep-apps': 2 },
});

test('waves are stacks that wait for each other, within what one Application creates', () => {
  const laid = layOutByWaves(WAVES);
  const shown = laid.stacks.map(({ name, parent, application, applications }) =>
    [name, parent ?? '-', application ?? '-', ...applications.map((one) => one.name)].join(' '),
  );
  expect(shown).toEqual([
    'wave-minus-5 - - a',
    'wave-0 - - b',
    'wave-10 - - c',
    'nested wave-10 nested-apps',
    'nested-wave-1 nested - x y',
    'nested-wave-2 nested - z',
    'deep nested-wave-2 deep-apps',
    'deep-wave-0 deep - d',
  ]);
  expect(dependencies(laid)).toEqual([
    'stack:wave-0: stack:wave-minus-5',
    'stack:wave-10: stack:wave-0',
    'stack:nested-wave-2: stack:nested-wave-1',
  ]);
  expect(laid.problems).toEqual([]);
});

test('a stack that is called like a wave keeps its name', () => {
  const stacks = [stack('wave-0', 'a', { application: 'parent' })];
  const laid = layOutByWaves(proposalOf([], { stacks }));
  expect(laid.stacks.map(({ name, parent }) => [name, parent])).toEqual([
    ['wave-0-again', undefined],
    ['wave-0', 'wave-0-again'],
    ['wave-0-wave-0', 'wave-0'],
  ]);
});
