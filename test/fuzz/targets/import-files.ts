// Files of a repository that an import reads.
import fc from 'fast-check';
import { readFromFolder } from '../../../src/cli/import/read-from-folder.ts';
import { readFromManifests } from '../../../src/cli/import/read-from-manifests.ts';
import type { Io } from '../../../src/cli/io.ts';
import { type FuzzTarget, fuzzTarget } from '../fuzz.ts';
import { changedText } from '../hostile.ts';
import type { Told } from '../properties.ts';
import { toldOfImport } from './import-views.ts';

const APPLICATION = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: api, annotations: {argocd.argoproj.io/sync-wave: "1"}}
spec:
  project: p
  destination: {name: in-cluster, namespace: n}
  sources:
    - {repoURL: https://git/a, path: b, helm: {valueFiles: [$v/b/values.yaml], parameters: [{name: a.b, value: c}]}}
    - {repoURL: https://git/a, ref: v}
    - {repoURL: https://git/a, path: b, plugin: {name: p}}
    - {repoURL: oci://charts/c, targetRevision: 1.0.0}
`;
const SET = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: set}
spec:
  goTemplate: true
  generators:
    - matrix: {generators: [{list: {elements: [{a: b}]}}, {git: {directories: [{path: "*"}], files: [{path: "**/x.yaml"}]}}]}
    - merge: {mergeKeys: [a], generators: [{clusters: {values: {a: b}}}, {list: {elements: [{a: c}]}}]}
      selector: {matchExpressions: [{key: a, operator: In, values: [b]}]}
  template: {metadata: {name: "{{ .a }}-{{ index .path.segments 0 }}"}, spec: {source: {repoURL: https://git/a, path: "{{.path.path}}"}}}
`;
const CHART = 'name: c\ndependencies: [{name: d, repository: https://charts, version: 1}]\n';
const KUSTOMIZATION =
  'resources: [x.yaml, ../b, https://git/x]\nhelmCharts: [{name: a, valuesFile: x.yaml, additionalValuesFiles: [../x.yaml], valuesInline: {b: 1}}]\n';
const OBJECT =
  'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {a: b}\n---\nkind: List\nitems: []\n';

/** x.yaml, and the same text in a folder b, by the names that are looked at there. */
function folderOf(text: string, name: string): Io {
  const files = [name, 'x.yaml', 'a.yaml'].map((one) => ({ name: one, isFolder: false }));
  const top = [
    { name: 'a.yaml', isFolder: false },
    { name: 'x.yaml', isFolder: false },
  ];
  const io: Partial<Io> = {
    listFolder: (path) => (path.endsWith('b') ? files : [...top, { name: 'b', isFolder: true }]),
    realPath: (path) => path,
    readFile: (path) =>
      new TextEncoder().encode(path === '/r/a.yaml' ? `${APPLICATION}---\n${SET}` : text),
  };
  return io as Io;
}

async function readBoth(text: string, name: string): Promise<Told> {
  const io = folderOf(text, name);
  const { signal } = new AbortController();
  const reading = { render: false, signal };
  const [one, other] = [
    toldOfImport(await readFromFolder(io, '/r', reading)),
    toldOfImport(await readFromManifests(io, '/r')),
  ];
  const both = <K extends keyof Told>(key: K) => [...(one[key] ?? []), ...(other[key] ?? [])];
  return { text: both('text'), json: both('json'), html: both('html'), values: both('values') };
}

export const IMPORT_FILES: readonly FuzzTarget[] = [
  fuzzTarget(
    'files of an import',
    6,
    fc.tuple(
      changedText([APPLICATION, SET, CHART, KUSTOMIZATION, OBJECT]),
      fc.constantFrom('Chart.yaml', 'kustomization.yaml', 'values.yaml'),
    ),
    ([text, name]) => readBoth(text, name),
  ),
];
