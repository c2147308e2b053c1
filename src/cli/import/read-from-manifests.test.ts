// Rendered manifests, with and without the Applications.
import { expect, test } from 'vitest';
import { folderWith } from '../../../test/fakes/folder.ts';
import { processIo } from '../../process.ts';
import { readFromManifests } from './read-from-manifests.ts';

const map = (name: string, namespace = 'x') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}}\n`;
const app = (name: string) =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}, namespace: gitops}\nspec: {project: p, source: {repoURL: r, path: a}, destination: {name: edge, namespace: n}}\n`;
const read = (files: Record<string, string>) => readFromManifests(processIo, folderWith(files));

test('a file or a folder for each Application', async () => {
  const { applications, problems } = await read({
    'a.yaml': `${map('one')}---\n${map('two')}`,
    'b/x/three.yaml': map('three', 'y'),
    'b/four.yml': map('four', 'z'),
    'README.md': 'kind: Application',
  });
  expect(problems).toEqual([]);
  expect(
    applications.map((one) => [
      one.name,
      one.destination.namespace,
      one.objects.length,
      one.content,
    ]),
  ).toEqual([
    ['a', 'x', 2, 'manifests'],
    ['b', 'y', 2, 'manifests'],
  ]);
});

test('the namespace with most of its manifests is that of an Application', async () => {
  const roles = [map('a', 'kube-system'), map('b', 'kube-system'), map('c', 'issuing')];
  const [issuing] = (await read({ 'issuing.yaml': roles.join('---\n') })).applications;
  expect(issuing?.destination.namespace).toBe('issuing');
  const [system] = (await read({ 'dns.yaml': map('a', 'kube-system') })).applications;
  expect(system?.destination.namespace).toBe('kube-system');
  const two = [map('a', 'a'), map('b', 'b'), map('c', 'b')];
  const [most] = (await read({ 'most.yaml': two.join('---\n') })).applications;
  expect(most?.destination.namespace).toBe('b');
});

test('an Application is taken to create its namespace, unless a manifest of any shows it', async () => {
  const files = { 'a.yaml': map('one', 'a'), 'b.yaml': map('two', 'b') };
  const all = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n';
  const { applications } = await read({ ...files, 'all.yaml': all });
  const creates = applications.map(({ name, createsNamespace }) => [name, createsNamespace]);
  expect(creates).toEqual([
    ['a', false],
    ['all', false],
    ['b', true],
  ]);
});

test('Argo CD is where most Applications are', async () => {
  const other = app('team').replace('gitops', 'away');
  const { argocdNamespace } = await read({
    'applications.yaml': [app('a'), app('b'), other].join('---\n'),
  });
  expect(argocdNamespace).toBe('gitops');
});

test('Applications among the manifests tell parents, beside them they describe', async () => {
  const files = { 'a.yaml': map('one'), 'root.yaml': app('a') };
  expect(await read(files)).toMatchObject({
    argocdNamespace: 'gitops',
    applications: [
      { name: 'a', parent: 'root', project: 'p', isRemote: true, destination: { namespace: 'n' } },
      { name: 'root', content: 'manifests' },
    ],
  });
  const beside = await read({
    'a.yaml': map('one'),
    'applications.yaml': `${app('a')}---\n${app('gone')}`,
  });
  expect(beside.applications.map(({ name, content, parent }) => [name, content, parent])).toEqual([
    ['a', 'manifests', undefined],
    ['gone', 'unknown', undefined],
  ]);
});

test('what is no YAML is named with its Application', async () => {
  const { problems, applications } = await read({
    'a/x.yaml': '{{ if }}: [',
    'a/y.yaml': map('y'),
  });
  expect(problems).toEqual([
    { subject: 'a', message: 'a/x.yaml: It is a template, not YAML. It is left out.' },
  ]);
  expect(applications[0]?.objects).toHaveLength(1);
});
