import { expect, test } from 'vitest';
import { documentsWithLines } from '../import/git/document-lines.ts';
import type { FolderFiles } from '../import/git/folder-files.ts';
import type { LintFinding } from './finding.ts';
import { withPlaces } from './places.ts';

const application = (name: string, wave: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: ${name}
  annotations:${wave}
`;
const WAVE = '\n    # why\n    argocd.argoproj.io/sync-wave: "3"';
const job = (name: string) => `apiVersion: batch/v1\nkind: Job\nmetadata: {name: ${name}}\n`;

const folder = (files: Readonly<Record<string, string>>): FolderFiles => ({
  paths: Object.keys(files).sort(),
  problems: [],
  read: (path) => files[path],
});

const finding = (rule: LintFinding['rule'], object: string | null): LintFinding => ({
  ...{ rule, level: 'note', application: 'api', object },
  ...{ message: 'm', fix: 'f', edge: null, patch: null },
});

const placeOf = (one: LintFinding, files: Readonly<Record<string, string>>) =>
  withPlaces([one], folder(files), () => ['manifests/api'])[0]?.place;

const OTHERS = {
  'apps/all.yaml': `# all\n---\n${application('web', WAVE)}---\n${application('api', WAVE)}`,
  'manifests/api/jobs.yaml': `${job('migrate')}---\n${job('wait')}`,
  'manifests/web/jobs.yaml': job('wait'),
  'manifests/api/templates/x.yaml': '{{ if .Values.x }}\nkind: Job',
};

test('a wave is where its annotation is', () => {
  expect(placeOf(finding('wave-needless', null), OTHERS)).toEqual({
    file: 'apps/all.yaml',
    line: 17,
  });
});

test('of an Application and its patch, the one that has the annotation', () => {
  const files = { ...OTHERS, 'env/patch.yaml': application('api', ' {}') };
  expect(placeOf(finding('wave-needed', null), files)?.file).toBe('apps/all.yaml');
});

test('a Job is in what its own Application deploys, and so is an init container', () => {
  const place = { file: 'manifests/api/jobs.yaml', line: 5 };
  expect(placeOf(finding('wait-for-application', 'Job/wait'), OTHERS)).toEqual(place);
  expect(placeOf(finding('wait-unclear', 'Job/wait/init'), OTHERS)).toEqual(place);
});

test('what no file has as it is, or several have, is in the folder', () => {
  const rendered = finding('wait-for-application', 'Job/rendered');
  expect(placeOf(rendered, OTHERS)).toEqual({ file: 'manifests/api' });
  const twice = { ...OTHERS, 'manifests/api/again.yaml': job('wait') };
  expect(placeOf(finding('wait-unclear', 'Job/wait'), twice)).toEqual({ file: 'manifests/api' });
  expect(placeOf(finding('wave-needless', null), {})).toBeNull();
  expect(placeOf(rendered, {})).toBeNull();
});

test('lines count through documents and Lists', () => {
  const text = `kind: List\nitems:\n  - kind: A\n    x: 1\n  - kind: B\n---\nkind: C\nx: 1\n`;
  const lines = documentsWithLines(text).map(({ document, lineOf }) => [document.kind, lineOf([])]);
  expect(lines).toEqual([
    ['A', { line: 3, isExact: true }],
    ['B', { line: 5, isExact: true }],
    ['C', { line: 7, isExact: true }],
  ]);
});
