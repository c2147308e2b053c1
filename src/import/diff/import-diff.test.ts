import { expect, test } from 'vitest';
import { applicationMaterial, proposalOf, proposedEdge } from '../../../test/fakes/import.ts';
import { compile } from '../../plan/compile.ts';
import { renderImportDiff } from '../../view/import/import-diff-text.ts';
import type { ApplicationMaterial } from '../material.ts';
import type { Proposal } from '../proposal.ts';
import { diffPlatform } from './import-diff.ts';
import { locateFindings } from './places.ts';

const FILE = `apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec:
  root: root
  stacks:
    - name: base
      application: base-apps
      applications:
        - {name: operator}
        - {name: db, dependsOn: [operator]}
    - name: edge
      dependsOn: [stack:base]
      applications:
        - {name: web}
        - {name: mail, dependsOn: [web]}
    - name: tenants
      applications:
        - {name: tenants, applicationSet: tenants, names: tenant-*, argocd: {project: tenants}}
`;
const source = { file: 'platform.yaml', text: FILE };
const tenant = (name: string) =>
  applicationMaterial(name, [], { applicationSet: 'tenants', project: 'tenants' });
const THERE = [
  ...['root', 'base-apps', 'operator', 'db', 'web', 'mail'].map((name) =>
    applicationMaterial(name),
  ),
  tenant('tenant-a'),
  tenant('tenant-b'),
];

function diff(proposal: Proposal, applications: readonly ApplicationMaterial[] = THERE) {
  const from = 'a cluster';
  const compiled = compile(source);
  const found = diffPlatform({ compiled, proposal, applications, from, file: 'platform.yaml' });
  return { ...found, findings: locateFindings(source, found.findings) };
}

const PROVED = [
  proposedEdge('db', 'operator'),
  proposedEdge('mail', 'web', { status: 'reported', strength: 'eventual' }),
  proposedEdge('web', 'db'),
];
const shown = (proposal: Proposal, applications = THERE) =>
  diff(proposal, applications).findings.map(
    ({ level, kind, application, dependency = '-', line, column }) =>
      `${level} ${kind} ${application} ${dependency} ${line}:${column}`,
  );
const withEdges = (...edges: Proposal['edges']) => proposalOf([...PROVED, ...edges]);
const suggested = { status: 'suggested', confidence: 'medium' } as const;

test('a file that says what the evidence says', () => {
  expect(diff(withEdges())).toMatchObject({ exitStatus: 0, findings: [], kind: 'ImportDiff' });
});

test.each([
  ['a hard edge', proposedEdge('operator', 'tenant-a'), ['error missing operator tenant-a 10:18']],
  [
    'a soft edge',
    proposedEdge('tenant-b', 'mail', { strength: 'soft' }),
    ['warning missing tenant-b mail 19:18'],
  ],
  [
    'of a parent',
    proposedEdge('tenant-b', 'base-apps'),
    ['error missing tenant-b base-apps 19:18'],
  ],
  ['as a parent', proposedEdge('base-apps', 'tenant-a'), ['error missing base-apps tenant-a 7:13']],
  [
    'only suggested',
    proposedEdge('operator', 'tenant-a', suggested),
    ['information suggested operator tenant-a 10:18'],
  ],
  [
    'the other way round',
    proposedEdge('operator', 'mail'),
    ['error contradicted operator mail 10:18'],
  ],
  ['by way of others', proposedEdge('mail', 'operator'), []],
  ['through the stack', proposedEdge('mail', 'base-apps'), []],
  ['of its own parent', proposedEdge('db', 'base-apps'), []],
  ['between what one member stands for', proposedEdge('tenant-a', 'tenant-b'), []],
  [
    'rejected',
    proposedEdge('operator', 'tenant-a', { status: 'reported', decision: 'rejected' }),
    [],
  ],
  [
    'eventual',
    proposedEdge('operator', 'tenant-a', { status: 'reported', strength: 'eventual' }),
    [],
  ],
])('an edge that is not in the file: %s', (_, edge, expected) => {
  expect(shown(withEdges(edge))).toEqual(expected);
});

test('what no evidence shows is information', () => {
  const found = diff(proposalOf([proposedEdge('web', 'db')]));
  expect(found.exitStatus).toBe(0);
  expect(shown(proposalOf([proposedEdge('web', 'db')]))).toEqual([
    'information unproved db operator 11:34',
    'information unproved mail web 16:36',
  ]);
  expect(
    shown(proposalOf([PROVED[0] ?? proposedEdge('', ''), proposedEdge('mail', 'web')])),
  ).toEqual(['information unproved stack:edge stack:base 13:19']);
});

test('a rejected edge proves nothing', () => {
  const rejected = proposedEdge('db', 'operator', { status: 'reported', decision: 'rejected' });
  expect(shown(proposalOf([rejected, ...PROVED.slice(1)]))).toEqual([
    'information unproved db operator 11:34',
  ]);
});

test('what is gone, and what is new', () => {
  const there = THERE.filter(({ name }) => name !== 'mail' && !name.startsWith('tenant'));
  const more = proposalOf([
    ...PROVED.filter((e) => e.dependent !== 'mail'),
    proposedEdge('shop', 'db'),
  ]);
  expect(shown(more, [...there, applicationMaterial('shop')])).toEqual([
    'warning gone mail - 16:18',
    'warning gone tenants - 19:18',
    'warning new shop - undefined:undefined',
  ]);
  expect(diff(more, there).exitStatus).toBe(2);
});

test('as text', () => {
  const found = diff(
    withEdges(proposedEdge('operator', 'tenant-a'), proposedEdge('operator', 'mail', suggested)),
  );
  expect(renderImportDiff(found, undefined)).toMatchInlineSnapshot(`
    "platform.yaml:10:18: error[missing]: operator needs tenant-a, and nothing in the file makes it wait
        hard: needs crd (Deployment/it)
    platform.yaml:10:18: information[suggested]: operator needs mail, and the file has it the other way round
        hard: needs crd (Deployment/it)

    shop does not agree with a cluster: 1 error, 1 for information
    "
  `);
  expect(renderImportDiff(diff(withEdges()), undefined)).toBe('shop agrees with a cluster\n');
});
