// A repository as text: what is found in it, what is not, and what it can do to a reader.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith } from '../../../test/fakes/folder.ts';
import type { ProgramEnd } from '../../preflight/preflight-context.ts';
import { processIo } from '../../process.ts';
import type { Io } from '../io.ts';
import { readFromFolder } from './read-from-folder.ts';

const { signal } = new AbortController();
const REPO = 'https://git.example/platform.git';
const DEST = '{server: "https://kubernetes.default.svc", namespace: shop}';
const app = (name: string, source: string, more = '') => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd${more}}
spec: {project: platform, destination: ${DEST}, source: ${source}}
`;
const at = (path: string) => `{repoURL: ${REPO}, path: ${path}}`;
const map = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

type Program = (program: string, args: readonly string[]) => ProgramEnd;
const read = (folder: string, run?: Program) => {
  const runProgram: Io['runProgram'] = async ({ program, args }) =>
    run?.(program, args) ?? { kind: 'missing' };
  return readFromFolder({ ...processIo, runProgram }, folder, {
    render: run !== undefined,
    signal,
  });
};
const readFiles = (files: Record<string, string>, run?: Program) => read(folderWith(files), run);
const namesOf = ({ objects }: { objects: readonly { metadata?: { name?: unknown } }[] }) =>
  objects.map(({ metadata }) => metadata?.name);
const told = ({ problems }: { problems: readonly { subject: string; message: string }[] }) =>
  problems.map(({ subject, message }) => `${subject}: ${message}`);

const PLATFORM = {
  'root.yaml': app('root', at('apps')),
  'apps/a.yaml': `${app('a', at('a'), ', annotations: {argocd.argoproj.io/sync-wave: "3"}')}---\n${app('b', at('b'))}`,
  'a/one.yaml': `${map('one')}---\n${map('two')}`,
  'a/deep/three.yaml': map('three'),
  'b/secret.yaml':
    'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {p: hunter}\ndata: {p: aHVudGVy}\n',
};

test('Applications, their parents and the plain YAML of their paths', async () => {
  const material = await readFiles(PLATFORM);
  expect(material).toMatchObject({ argocdNamespace: 'argocd', problems: [] });
  const found = material.applications.map((one) => [
    one.name,
    one.parent,
    one.content,
    namesOf(one),
  ]);
  expect(found).toEqual([
    ['a', 'root', 'manifests', ['one', 'two']],
    ['b', 'root', 'manifests', ['s']],
    ['root', undefined, 'manifests', ['a', 'b']],
  ]);
  expect(material.applications[0]).toMatchObject({ wave: 3, project: 'platform' });
  expect(JSON.stringify(material)).not.toMatch(/hunter|aHVudGVy/);
});

test('the order of files does not matter', async () => {
  const other = Object.fromEntries(Object.entries(PLATFORM).toReversed());
  const [one, two] = [await readFiles(PLATFORM), await readFiles(other)];
  expect(JSON.stringify(one)).toBe(JSON.stringify(two));
});

test('a directory source can recurse, include and exclude', async () => {
  const source = `{repoURL: ${REPO}, path: a, directory: {recurse: true, exclude: "deep/*"}}`;
  const files = { ...PLATFORM, 'apps/a.yaml': app('a', source), 'a/x/y/four.yml': map('four') };
  const { applications } = await readFiles(files);
  expect(applications[0] && namesOf(applications[0])).toEqual(['four', 'one', 'two']);
});

test('what lies elsewhere is named', async () => {
  const files = {
    ...PLATFORM,
    'apps/c.yaml': app('c', '{repoURL: https://git.example/other, path: a}'),
    'apps/d.yaml': app('d', at('nowhere')),
    'apps/e.yaml': app('e', '{repoURL: git@git.example:platform, path: a}'),
  };
  const material = await readFiles(files);
  expect(told(material)).toEqual([
    'c: Its source a is not in this folder.',
    'd: Its source nowhere is not in this folder.',
  ]);
  const contents = material.applications.map(({ name, content }) => `${name} ${content}`);
  expect(contents).toEqual([
    'a manifests',
    'b manifests',
    'c unknown',
    'd unknown',
    'e manifests',
    'root manifests',
  ]);
});

const CHART = {
  'a.yaml': app(
    'a',
    `{repoURL: ${REPO}, path: chart, helm: {valueFiles: [prod.yaml, gone.yaml], values: "x: 1", parameters: [{name: y.z, value: "2"}]}}`,
  ),
  'chart/Chart.yaml':
    'name: chart\ndependencies: [{name: redis, repository: "https://charts.example", version: 1.2.3}]\n',
  'chart/values.yaml': 'redis: {enabled: true}\n',
  'chart/prod.yaml': 'redis: {replicas: 3}\n',
  'chart/crds/thing.yaml': map('plain'),
  'chart/templates/t.yaml': 'kind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\n',
};

test('a chart that is not rendered is known by its dependencies and values', async () => {
  const material = await readFiles(CHART);
  expect(material.applications[0]).toMatchObject({
    charts: [{ name: 'redis', repository: 'https://charts.example', version: '1.2.3' }],
    values: [{ redis: { enabled: true } }, { redis: { replicas: 3 } }, { x: 1, y: { z: '2' } }],
    content: 'unknown',
  });
  expect(material.applications[0] && namesOf(material.applications[0])).toEqual(['plain']);
  expect(told(material)).toEqual([
    'a: Its values file gone.yaml is not in this folder.',
    'a: chart is a Helm chart: its templates are not known without --render.',
  ]);
});

test('helm renders a chart, and what it renders can be Applications', async () => {
  const calls: string[][] = [];
  const material = await readFiles({ ...CHART, 'b/one.yaml': map('one') }, (program, args) => {
    calls.push([program, ...args]);
    return {
      kind: 'ended',
      status: 0,
      stdout: `${map('made')}---\n${app('b', at('b'))}`,
      stderr: '',
    };
  });
  expect(
    material.applications.map((one) => [one.name, one.parent, one.content, namesOf(one)]),
  ).toEqual([
    ['a', undefined, 'manifests', ['made', 'b']],
    ['b', 'a', 'manifests', ['one']],
  ]);
  const [[program, ...args] = []] = calls;
  expect([program, args.slice(0, 3), args.slice(-3, -1)]).toEqual([
    'helm',
    ['template', '--include-crds', '--namespace=shop'],
    ['--', 'a'],
  ]);
  // Values are not among the arguments.
  expect(args.join(' ')).not.toContain('y.z');
});

test.each<[string, ProgramEnd, string]>([
  [
    'fails',
    { kind: 'ended', status: 1, stdout: '', stderr: 'no such chart, token: hunter2' },
    'helm failed: no such chart, token: ***',
  ],
  ['takes too long', { kind: 'late' }, 'helm took longer than 60 s.'],
  ['is missing', { kind: 'missing' }, 'there is no helm on this machine'],
  ['prints no YAML', { kind: 'ended', status: 0, stdout: '{{', stderr: '' }, 'is not YAML'],
])('where helm %s, the text is read all the same', async (_, end, message) => {
  const material = await readFiles(CHART, () => end);
  expect(told(material)).toContainEqual(expect.stringContaining(message));
  expect(material.applications[0]).toMatchObject({
    charts: [{ name: 'redis' }],
    content: 'unknown',
  });
});

test('a chart of a repository is asked for without the password of its address', async () => {
  const source =
    '{repoURL: "https://me:hunter@charts.example", chart: redis, targetRevision: 1.2.3}';
  const asked: string[] = [];
  const run: Program = (_, args) => {
    asked.push(args.join(' '));
    return { kind: 'ended', status: 0, stdout: map('x'), stderr: '' };
  };
  const material = await readFiles({ 'a.yaml': app('a', source) }, run);
  expect([asked, JSON.stringify(material).includes('hunter')]).toEqual([[], false]);
  await readFiles({ 'a.yaml': app('a', source.replace('me:hunter@', '')) }, run);
  expect(asked[0]).toMatch(/--repo=https:\/\/charts\.example --version=1\.2\.3 .* -- a redis$/);
});

test('Kustomize: by the program, else the files that are listed', async () => {
  const files = {
    'a.yaml': app('a', at('over')),
    'over/kustomization.yaml': 'resources: [../base, https://git.example/x, gone.yaml]\n',
    'base/kustomization.yaml': 'resources: [one.yaml]\n',
    'base/one.yaml': map('one'),
  };
  const text = await readFiles(files);
  expect(text.applications[0]).toMatchObject({
    content: 'unknown',
    objects: [{ kind: 'ConfigMap' }],
  });
  expect(told(text)).toEqual([
    'a: over is rendered by Kustomize: patches are not applied without --render.',
    'a: over/kustomization.yaml lists gone.yaml, which is not in this folder.',
    'a: over/kustomization.yaml lists https://git.example/x, which is not in this folder.',
  ]);
  const rendered = await readFiles(files, (program) =>
    program === 'kubectl'
      ? { kind: 'ended', status: 0, stdout: map('patched'), stderr: '' }
      : { kind: 'missing' },
  );
  expect(rendered.problems).toEqual([]);
  expect(rendered.applications[0] && namesOf(rendered.applications[0])).toEqual(['patched']);
});

test('templates are named, whether they are YAML by chance or not', async () => {
  const material = await readFiles({
    'a.yaml': 'kind: Application\n{{ if .Values.x }}\n{{ end }}: [',
    'b.yaml': app('"{{ .Values.name }}"', at('a')),
    'c.yaml': 'kind: Something\n{{ nothing to do with Argo CD',
    'd.yaml': `kind: Application\napiVersion: argoproj.io/v1alpha1\nmetadata: {name: patch}\nspec: {project: x}\n`,
  });
  expect(material.applications).toEqual([]);
  expect(told(material)).toEqual([
    'a.yaml: It is a template, not YAML. Its Applications are not known.',
    '{{ .Values.name }}: Its name is a template. It is known only where its parent is rendered.',
  ]);
});

test('argocd-cm in the folder tells whether waves wait', async () => {
  const cm =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cm}\ndata: {resource.customizations.health.argoproj.io_Application: "x"}\n';
  expect(await readFiles({ 'cm.yaml': cm })).toMatchObject({ wavesWaitForHealth: true });
  expect('wavesWaitForHealth' in (await readFiles({}))).toBe(false);
});

test('links, huge files, pipes and names that command a terminal do no harm', async () => {
  const root = folderWith({ 'a.yaml': app('a', at('a')), 'a/one.yaml': map('one') });
  symlinkSync(root, join(root, 'a/loop'));
  symlinkSync('/etc/passwd', join(root, 'a/outside.yaml'));
  symlinkSync('gone', join(root, 'a/gone.yaml'));
  writeFileSync(join(root, 'a/huge.yaml'), '');
  truncateSync(join(root, 'a/huge.yaml'), 100_000_000);
  writeFileSync(join(root, 'a/latin.yaml'), Buffer.from([0x61, 0xff]));
  execFileSync('mkfifo', [join(root, 'a/pipe.yaml')]);
  writeFileSync(join(root, 'a/\u001b[31m.yaml'), 'a: [');
  writeFileSync(join(root, 'a/bomb.yaml'), bomb());
  const material = await read(root);
  expect(material.applications[0] && namesOf(material.applications[0])).toEqual(['one']);
  const subjects = material.problems.map(
    ({ subject, message }) => `${subject}: ${message.slice(0, 40)}`,
  );
  expect(subjects).toEqual([
    'a: a/\u001b[31m.yaml: It is not YAML, or nests t',
    'a: a/bomb.yaml: It has too many values. It ',
    'a/gone.yaml: It cannot be read: ENOENT.',
    'a/huge.yaml: It is larger than 6000000 bytes. It is l',
    'a/latin.yaml: It is not UTF-8 text.',
    'a/outside.yaml: It is a link that leads out of the folde',
  ]);
});

/** A few aliases that stand for billions of values. */
function bomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let at = 1; at < 12; at++) {
    lines.push(
      `a${at}: &a${at} [${Array(10)
        .fill(`*a${at - 1}`)
        .join(', ')}]`,
    );
  }
  return lines.join('\n');
}

test('a folder that is too deep ends, and one that is not there is an error', async () => {
  const root = folderWith({});
  mkdirSync(join(root, ...Array(60).fill('d')), { recursive: true });
  expect(told(await read(root))).toEqual([
    expect.stringContaining('It is deeper than 32 folders. It is left out.'),
  ]);
  await expect(read(join(root, 'gone'))).rejects.toThrow('The folder cannot be read');
});
