// The text is read by the program's own model, and planned.
import { expect, test } from 'vitest';
import { proposalOf, proposedEdge } from '../../../test/fakes/import.ts';
import { estimateOrder } from '../../import/estimate.ts';
import { layOutByWaves } from '../../import/layout/by-waves.ts';
import { layOut } from '../../import/layout/lay-out.ts';
import type { Proposal, ProposedStack } from '../../import/proposal.ts';
import { buildPlan } from '../../plan/build-plan.ts';
import { compile } from '../../plan/compile.ts';
import { renderPlatformFile } from './render-platform-file.ts';

const ORIGIN = { from: 'the Applications of a cluster', order: 'evidence' } as const;
const textOf = (proposal: Proposal) => renderPlatformFile(layOut(proposal), ORIGIN);
const compiled = (text: string) => compile({ file: 'platform.yaml', text });
const planned = (text: string) => buildPlan(compiled(text), { action: 'deploy' });

/** What each application waits for in the plan of the text, parents left out. */
function waits(text: string): Record<string, readonly string[]> {
  const nodes = planned(text).nodes.filter(({ kind }) => kind === 'application');
  return Object.fromEntries(
    nodes.map(({ id, dependsOn }) => [id, dependsOn.filter((one) => !one.startsWith('open:'))]),
  );
}

const app = (name: string, more = {}) => ({ name, fromHistory: false, ...more });
const suggested = { status: 'suggested', strength: 'soft', confidence: 'medium' } as const;

const SHOP = proposalOf(
  [
    proposedEdge('db', 'operator', {
      evidence: [
        {
          ...{ kind: 'named-resource', strength: 'soft', confidence: 'high' },
          ...{ text: 'Cluster db is reconciled by it', where: 'Cluster/db' },
        },
        {
          ...{ kind: 'crd', strength: 'hard', confidence: 'high' },
          ...{ text: 'Cluster needs kind postgresql.cnpg.io/Cluster', where: 'Cluster/db' },
        },
      ],
    }),
    proposedEdge('web', 'db', suggested),
    proposedEdge('web', 'operator'),
    proposedEdge('mail', 'web', suggested),
    proposedEdge('mail', 'operator', { status: 'reported', strength: 'eventual' }),
  ],
  {
    root: 'root',
    project: 'shop',
    stacks: [
      {
        name: 'base',
        application: 'base-apps',
        applications: [app('operator', { class: 'operator' })],
      },
      {
        name: 'inner',
        parent: 'base',
        application: 'inner-apps',
        project: 'other',
        applications: [
          app('db', { class: 'database', expectedDuration: 200.4, fromHistory: true }),
        ],
      },
      { name: 'edge', applications: [app('mail', { project: 'third' }), app('web')] },
    ],
  },
);

test('it passes plan, with what was proposed', () => {
  const text = textOf(SHOP);
  expect(waits(text)).toEqual({
    'app:operator': [],
    'app:db': ['app:operator'],
    'app:web': ['app:operator'],
    'app:mail': [],
  });
  const { platform } = compiled(text);
  expect(platform.address).toEqual({ name: 'root', namespace: 'argocd', project: 'shop' });
  expect(
    platform.stacks.map(({ name, parent, address }) => [
      name,
      parent,
      address?.name,
      address?.project,
    ]),
  ).toEqual([
    ['base', undefined, 'base-apps', 'shop'],
    ['inner', 'base', 'inner-apps', 'other'],
    ['edge', undefined, undefined, undefined],
  ]);
  const projects = platform.stacks.flatMap(({ applications }) =>
    applications.map(({ name, address, settings }) => [
      name,
      address.project,
      settings.expectedDuration,
    ]),
  );
  expect(projects).toEqual([
    ['operator', 'shop', 180],
    ['db', 'shop', 200],
    ['mail', 'third', 150],
    ['web', 'shop', 150],
  ]);
});

test('suggestions become valid by removing "# "', () => {
  const text = textOf(SHOP);
  const taken = text.replace(/^( +)# ((?: {2})?- \w+|dependsOn:)$/gm, '$1$2');
  expect(waits(taken)).toMatchObject({
    'app:web': ['app:db', 'app:operator'],
    'app:mail': ['app:web'],
  });
});

test('as it reads', () => expect(textOf(SHOP)).toMatchSnapshot());

test('names that YAML takes for something else', () => {
  const names = ['true', 'no', '123', '1e3', '0x1f', 'null', '1.5', 'platform', '2024-01-01'];
  const edges = names.slice(1).map((name) => proposedEdge(name, 'true'));
  const text = textOf(
    proposalOf(
      [...edges, proposedEdge('true', 'platform'), proposedEdge('no', 'platform')].filter(
        (one) => one.dependent !== 'platform',
      ),
    ),
  );
  expect(Object.keys(waits(text)).sort()).toEqual(names.map((name) => `app:${name}`).sort());
  expect(waits(text)).toMatchObject({ 'app:true': ['app:platform'], 'app:123': ['app:true'] });
});

test('text from outside stays in its comment', () => {
  const evil = 'x\n    - evil\u001b[2J\u2028- evil2\r\u0085\u202e# y';
  const evidence = [
    {
      kind: evil,
      strength: 'hard',
      confidence: 'high',
      text: evil + 'z'.repeat(9_999),
      where: evil,
    },
  ] as const;
  const text = textOf(proposalOf([proposedEdge('a', 'b', { evidence })]));
  expect(waits(text)).toEqual({ 'app:a': ['app:b'], 'app:b': [] });
  expect(text).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u);
  expect(text).not.toMatch(/^ *- evil/m);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(500);
});

test('names that the model does not allow are told, not written', () => {
  const stacks: ProposedStack[] = [
    { name: 'My Stack', applications: [app('a'), app('B_c'), app('constructor')] },
    { name: 'my-stack', applications: [app('a'), app('d')] },
    { name: 'my-stack', parent: 'nowhere', applications: [] },
    { name: 'x', parent: 'y', applications: [] },
    { name: 'y', parent: 'x', applications: [] },
  ];
  const edges = [proposedEdge('a', 'B_c'), proposedEdge('d', 'a')];
  const proposal = proposalOf(edges, { stacks, platform: 'My Platform!', project: 'Bad Project' });
  expect(waits(textOf(proposal))).toEqual({ 'app:a': [], 'app:d': ['app:a'] });
  expect(compiled(textOf(proposal)).platform.name).toBe('my-platform');
  expect(layOut(proposal).problems.map(({ message }) => message)).toMatchSnapshot();
});

test('the same proposal gives the same bytes', () => {
  const turned = { ...SHOP, edges: SHOP.edges.toReversed() };
  expect(textOf(turned)).toBe(textOf(SHOP));
});

test('a platform of nothing', () => {
  expect(waits(textOf(proposalOf([], { stacks: [] })))).toEqual({});
});

test('the order of waves passes plan, and takes as long as its waves', () => {
  const waves = { operator: 1, db: 2, web: 2, mail: 7 };
  const flat = {
    ...proposalOf(SHOP.edges, { waves }),
    stacks: [{ name: 'all', applications: ['operator', 'db', 'web', 'mail'].map((n) => app(n)) }],
  };
  const text = renderPlatformFile(layOutByWaves(flat), { ...ORIGIN, order: 'waves' });
  expect(text).toContain('# The order is that of the sync waves');
  expect(estimateOrder(text)).toEqual({
    expectedDuration: 450,
    layers: 3,
    criticalPath: ['operator', 'db', 'mail'],
  });
  expect(estimateOrder(textOf(flat))).toEqual({
    expectedDuration: 300,
    layers: 2,
    criticalPath: ['operator', 'db'],
  });
});
