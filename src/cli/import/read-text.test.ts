// What the text of a repository tells where nothing is rendered: values of charts in Kustomize, and what plugins would render.
import { expect, test } from 'vitest';
import { folderWith } from '../../../test/fakes/folder.ts';
import { processIo } from '../../process.ts';
import { readFromFolder } from './read-from-folder.ts';

const { signal } = new AbortController();
const app = (path: string, source = '') => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${path}, namespace: argocd}
spec:
  destination: {server: "https://kubernetes.default.svc", namespace: shop}
  source: {repoURL: "https://git.example/platform.git", path: ${path}${source}}
`;
const map = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

/** `programs`: those that are started; none where nothing is to be rendered. */
async function readFiles(files: Record<string, string>, programs?: string[]) {
  const io: typeof processIo = {
    ...processIo,
    runProgram: async ({ program }) => {
      programs?.push(program);
      return { kind: 'missing' };
    },
  };
  return readFromFolder(io, folderWith(files), { render: programs !== undefined, signal });
}
const namesOf = ({ objects }: { objects: readonly { metadata?: { name?: unknown } }[] }) =>
  objects.map(({ metadata }) => metadata?.name);
const told = ({ problems }: { problems: readonly { subject: string; message: string }[] }) =>
  problems.map(({ subject, message }) => `${subject}: ${message}`);

test('charts in Kustomize have the values of their files, each under its own name', async () => {
  const material = await readFiles({
    'a.yaml': app('over'),
    'over/kustomization.yaml': `helmCharts:
- {name: redis, valuesFile: redis.yaml, additionalValuesFiles: [more/redis.yaml, gone.yaml], valuesInline: {size: 3}}
- {name: web, valuesFile: ../../outside.yaml}
`,
    'over/redis.yaml': 'metrics: {enabled: true}\nsize: 1\n',
    'over/more/redis.yaml': 'size: 2\n',
  });
  expect(material.applications[0]).toMatchObject({
    charts: [{ name: 'redis' }, { name: 'web' }],
    values: [
      { redis: { metrics: { enabled: true }, size: 1 } },
      { redis: { size: 2 } },
      { redis: { size: 3 } },
    ],
  });
  expect(told(material)).toEqual([
    'over: Its values file ../../outside.yaml is not in this folder.',
    'over: Its values file gone.yaml is not in this folder.',
    'over: over is rendered by Kustomize: patches are not applied without --render.',
  ]);
});

test('of what a plugin renders the text is read, and no program starts', async () => {
  const plugin = (path: string) => app(path, ', plugin: {name: p}');
  const programs: string[] = [];
  const material = await readFiles(
    {
      'apps.yaml': ['plain', 'over', 'chart'].map(plugin).join('---\n'),
      'plain/one.yaml': map('one'),
      'over/kustomization.yaml': 'resources: [two.yaml]\n',
      'over/two.yaml': map('two'),
      'chart/Chart.yaml': 'name: redis\n',
      'chart/templates/three.yaml': map('three'),
    },
    programs,
  );
  expect(programs).toEqual([]);
  const found = material.applications.map((one) => [one.name, one.content, namesOf(one)]);
  expect(found).toEqual([
    ['chart', 'unknown', ['three']],
    ['over', 'unknown', ['two']],
    ['plain', 'unknown', ['one']],
  ]);
  const message =
    'Its source is rendered by a plugin, which is not started: only its text is read.';
  expect(told(material)).toEqual(['chart', 'over', 'plain'].map((name) => `${name}: ${message}`));
});
