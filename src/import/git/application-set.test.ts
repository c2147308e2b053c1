// What ApplicationSets generate, from the text of a folder.
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { expandApplicationSet } from './application-set.ts';

const PATHS = ['apps/one/a.yaml', 'apps/two/a.yaml', 'apps/two/deep/a.yaml', 'clusters/x/c.json'];
const FILES = {
  paths: PATHS,
  problems: [],
  read: (path: string) =>
    path.endsWith('.json') ? '{"cluster": {"name": "x"}, "tier": "gold"}' : 'a: 1',
};

function expand(generators: string, name: string, more = '') {
  const text = `metadata: {name: set}\nspec:\n  ${more}\n  generators: ${generators}\n  template: {metadata: {name: '${name}'}, spec: {source: {path: 'p/{{path}}'}}}\n`;
  const { applications, problems } = expandApplicationSet(load(text), FILES);
  const names = applications.map((one) => (one as { metadata: { name: string } }).metadata.name);
  return { names, problems: problems.map(({ message }) => message), applications };
}
const GO = 'goTemplate: true';

test.each([
  [
    'list',
    '[{list: {elements: [{n: a, path: x}, {n: b, path: y}]}}]',
    's-{{n}}',
    '',
    ['s-a', 's-b'],
  ],
  ['list, Go', '[{list: {elements: [{n: a, path: x}]}}]', '{{ .n }}-x', GO, ['a-x']],
  [
    'folders',
    '[{git: {directories: [{path: apps/*}, {path: apps/one, exclude: true}]}}]',
    '{{path.basename}}',
    '',
    ['two'],
  ],
  [
    'folders at any depth',
    '[{git: {directories: [{path: "apps/**"}]}}]',
    '{{path[1]}}-{{path.basename}}',
    '',
    ['one-one', 'two-two', 'two-deep'],
  ],
  [
    'folders, Go',
    '[{git: {directories: [{path: apps/*}]}}]',
    '{{.path.basename}}-{{index .path.segments 0}}',
    GO,
    ['one-apps', 'two-apps'],
  ],
  [
    'files',
    '[{git: {files: [{path: "clusters/**/c.json"}]}}]',
    '{{cluster.name}}-{{tier}}',
    '',
    ['x-gold'],
  ],
  [
    'clusters',
    '[{clusters: {values: {env: dev}}}]',
    '{{name}}-{{values.env}}',
    '',
    ['in-cluster-dev'],
  ],
  [
    'matrix',
    '[{matrix: {generators: [{git: {files: [{path: clusters/*/c.json}]}}, {list: {elements: [{n: a}, {n: b}]}}]}}]',
    '{{tier}}-{{n}}',
    '',
    ['gold-a', 'gold-b'],
  ],
  [
    'matrix whose second speaks of the first',
    '[{matrix: {generators: [{list: {elements: [{d: apps}]}}, {git: {directories: [{path: "{{d}}/*"}]}}]}}]',
    '{{d}}-{{path.basename}}',
    '',
    ['apps-one', 'apps-two'],
  ],
  [
    'merge',
    '[{merge: {mergeKeys: [n], generators: [{list: {elements: [{n: a, v: 1}, {n: b, v: 1}]}}, {list: {elements: [{n: b, v: 2}, {n: c, v: 3}]}}]}}]',
    '{{n}}{{v}}',
    '',
    ['a1', 'b2'],
  ],
  [
    'a selector',
    '[{list: {elements: [{n: a}, {n: b}]}, selector: {matchLabels: {n: b}}}]',
    '{{n}}',
    '',
    ['b'],
  ],
])('%s', (_, generators, name, more, expected) => {
  expect(expand(generators, name, more).names).toEqual(expected);
});

test('what is generated is owned by its set', () => {
  const { applications } = expand('[{list: {elements: [{n: a, path: x}]}}]', '{{n}}');
  expect(applications).toMatchObject([
    {
      ...{ kind: 'Application', spec: { source: { path: 'p/x' } } },
      metadata: { ownerReferences: [{ kind: 'ApplicationSet', name: 'set' }] },
    },
  ]);
});

test.each([
  ['[{selector: {}}]', '{{n}}', 'One of its generators is empty.'],
  [
    '[{clusters: {selector: {matchLabels: {env: prod}}}}]',
    '{{name}}',
    'The clusters that its generator "clusters" selects cannot be known from files.',
  ],
  ['[{plugin: {}}]', '{{n}}', 'Its generator "plugin" cannot be expanded from files.'],
  ['[{scmProvider: {}}]', '{{n}}', 'Its generator "scmProvider" cannot be expanded from files.'],
  [
    '[{git: {directories: [{path: none/*}]}}]',
    '{{n}}',
    'Its git generator finds nothing in this folder.',
  ],
  [
    '[{list: {elements: [{n: a}]}}]',
    '{{gone}}',
    'The name of what it generates depends on {{gone}}, {{path}}. It is left out.',
  ],
  ['[{list: {elements: [{n: a}]}}]', '{{n}}', 'a depends on {{path}}, which is not known.'],
  ['[{list: {elementsYaml: x}}]', '{{n}}', 'elementsYaml of a list generator is not supported.'],
  ['7', '{{n}}', 'It has no generators, or no template. It is not expanded.'],
])('%s is told: %s', (generators, name, problem) => {
  expect(expand(generators, name).problems).toEqual([problem]);
});

test('functions of Go templates are not guessed', () => {
  const { names, problems } = expand('[{list: {elements: [{n: A}]}}]', '{{ .n | lower }}', GO);
  expect([names, problems]).toEqual([[], [expect.stringContaining('{{ .n | lower }}')]]);
});

test('a matrix of matrices ends', () => {
  const elements = `{list: {elements: [${Array.from({ length: 100 }, (_, at) => `{n${at % 3}: a${at}}`).join(', ')}]}}`;
  const twice = (inner: string) => `{matrix: {generators: [${inner}, ${elements}]}}`;
  const { names, problems } = expand(`[${twice(twice(twice(elements)))}]`, 'x');
  expect(names).toHaveLength(10_000);
  expect(problems).toContainEqual(expect.stringContaining('more than 10000'));
});
