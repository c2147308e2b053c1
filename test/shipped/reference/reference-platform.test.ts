// The reference platform: its tree holds together, its two forms differ in what they deploy and in nothing else, and its
// README tells the truth.
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { type ExampleFile, exampleFiles, fromExample } from '../../../src/cli/init/example.ts';
import { buildPlan } from '../../../src/plan/build-plan.ts';
import { compile } from '../../../src/plan/compile.ts';
import { processIo } from '../../../src/process.ts';
import {
  type Manifest,
  parsed,
  platformOf,
  sourcesOf,
  treeViolations,
  wantedApplications,
} from './tree.ts';

const FILES = exampleFiles(processIo, 'reference');
const real = fromExample(FILES, { standIns: false });
const standIns = fromExample(FILES, { standIns: true });
const paths = (files: readonly ExampleFile[]) => files.map(({ path }) => path);
const members = [...wantedApplications(FILES)].filter(([path]) => path.startsWith('stacks/'));

/** The files with one of them changed; null takes it out. */
function planted(path: string, from: string, to: string | null): ExampleFile[] {
  const file = FILES.find((one) => one.path === path);
  if (!file?.text.includes(from)) throw new Error(`${path} has no '${from}'`);
  const others = FILES.filter((one) => one !== file);
  return to === null ? others : [...others, { path, text: file.text.replace(from, to) }];
}

describe('the tree', () => {
  test('has 11 stacks and 43 applications', () => {
    expect(platformOf(FILES).spec.stacks).toHaveLength(11);
    expect(members).toHaveLength(43);
  });

  test.each([
    ['in the package', FILES],
    ['real', real],
    ['with stand-ins', standIns],
  ])('keeps every rule, %s', (_, files) => {
    expect(treeViolations(files)).toEqual([]);
  });

  const KEDA = 'stacks/autoscaling/keda.yaml';
  const PROJECT = 'bootstrap/project.yaml';
  test.each([
    ['stacks/monitoring/tempo.yaml', 'kind', null, 'tempo has no stacks/monitoring/tempo.yaml'],
    [KEDA, 'name: keda', 'name: kedo', `${KEDA}: it is not keda of argocd`],
    [KEDA, 'project: platform', 'project: default', `${KEDA}: it is of another project`],
    [
      KEDA,
      'finalizers: [resources',
      'labels: [resources',
      `${KEDA}: its resources would stay when it goes`,
    ],
    [KEDA, 'selfHeal: true', 'selfHeal: false', `${KEDA}: it does not heal itself`],
    [KEDA, 'prune: true, ', '', `${KEDA}: only members prune`],
    [KEDA, 'CreateNamespace=true, ', '', `${KEDA}: it does not make its namespace`],
    [
      KEDA,
      '  name:',
      '  annotations: {argocd.argoproj.io/sync-wave: "1"}\n  name:',
      `${KEDA}: waves and hooks order what is inside, nothing else`,
    ],
    [KEDA, '  source:', '  other:', `${KEDA}: it deploys nothing`],
    [KEDA, 'targetRevision: 2.20.2', 'targetRevision: 2.20.*', `${KEDA}: a version is not pinned`],
    [
      'stacks/storage/ceph-cluster.yaml',
      'manifests/ceph-cluster',
      'manifests/cef',
      'stacks/storage/ceph-cluster.yaml: its folder is not in the tree',
    ],
    [
      'root/storage.yaml',
      'path: stacks/storage',
      'path: stacks/security',
      'root/storage.yaml: it makes something else',
    ],
    [
      'root/storage.yaml',
      'selfHeal: true',
      'prune: true, selfHeal: true',
      'root/storage.yaml: only members prune',
    ],
    [PROJECT, '        - keda\n', '', `${PROJECT}: no such hold`],
    [PROJECT, 'manualSync: true', 'manualSync: false', `${PROJECT}: no such hold`],
    [
      PROJECT,
      'reference/bootstrap',
      'other/bootstrap',
      `${PROJECT}: the hold is of another platform`,
    ],
    [PROJECT, 'name: platform', 'name: default', `${PROJECT}: it has another name`],
  ])('%s with %j: %j is noticed', (path, from, to, rule) => {
    expect(treeViolations(planted(path, from, to))).toEqual([rule]);
  });

  test('a file of no application is noticed', () => {
    const more = { path: 'stacks/storage/new.yaml', text: 'kind: Application\n' };
    expect(treeViolations([...FILES, more])).toEqual([
      'stacks/storage/new.yaml is of no application of platform.yaml',
    ]);
  });
});

describe('the two forms', () => {
  test('have the same plan', () => {
    const plan = (files: readonly ExampleFile[]) => {
      const text = (name: string) => files.find(({ path }) => path === name)?.text ?? '';
      return buildPlan(
        compile(
          { file: 'platform.yaml', text: text('platform.yaml') },
          { file: 'environment.yaml', text: text('environment.yaml') },
        ),
        { action: 'deploy' },
      );
    };
    expect(plan(standIns)).toEqual(plan(real));
  });

  test('are the same files but for what is deployed', () => {
    const common = (files: readonly ExampleFile[]) =>
      files.filter(({ path }) => !/^(manifests|stand-ins)\//.test(path));
    expect(paths(common(standIns))).toEqual(paths(common(real)));
    const changed = common(real).filter(
      ({ path, text }) => standIns.find((one) => one.path === path)?.text !== text,
    );
    expect(paths(changed).sort()).toEqual(members.map(([path]) => path).sort());
    expect(paths(real).filter((path) => path.startsWith('stand-ins/'))).toEqual([]);
    expect(paths(standIns).filter((path) => path.startsWith('manifests/'))).toEqual([]);
  });

  test.each(members)('%s: only its source', (path, name) => {
    const { source: _, sources: __, ...spec } = parsed<Manifest>(real, path).spec;
    const { source, ...standIn } = parsed<Manifest>(standIns, path).spec;
    expect(standIn).toEqual(spec);
    expect(source?.path).toBe(`stand-ins/${name}`);
  });

  test('have the repository that was asked for, everywhere', () => {
    for (const standIns of [false, true]) {
      const files = fromExample(FILES, { repository: 'ssh://git@host/x', standIns });
      expect(files.filter(({ text }) => text.includes('git.example.com/platform'))).toEqual([]);
      expect(parsed<Manifest>(files, 'root/storage.yaml').spec.source?.repoURL).toBe(
        'ssh://git@host/x',
      );
    }
  });

  test('name no schema that is not there', () => {
    const named = real.flatMap(({ text }) => /\$schema=(\S+)/.exec(text)?.[1] ?? []);
    expect(named).toEqual(['./environment.schema.json', './platform.schema.json']);
  });
});

describe('README.md', () => {
  const readme = FILES.find(({ path }) => path === 'README.md')?.text ?? '';

  test('every path that it names is there', () => {
    const named = [
      ...readme.matchAll(/`((?:bootstrap|root|stacks|manifests|stand-ins)\/[a-z./-]*)`/g),
    ];
    expect(named.length).toBeGreaterThan(15);
    const missing = named.filter(
      ([, name = '']) => !FILES.some(({ path }) => path.startsWith(name)),
    );
    expect(missing).toEqual([]);
  });

  const table = readme
    .split('\n')
    .map((line) =>
      /^\| [a-z-]+ \| `([a-z-]+)` \| [^|]+ \| ([^|]+) \| ([^|]+) \| [^|]+ \|$/.exec(line),
    )
    .filter((row) => row !== null)
    .map(([, name = '', from = '', version = '']) => [name, `${from} ${version}`]);

  test('names every application in the order of platform.yaml, with where it comes from and its version', () => {
    expect(table).toEqual(members.map(([path, name]) => [name, coordinate(path, name)]));
  });

  test('no coordinate is stated twice', () => {
    const charts = members.flatMap(([path]) =>
      sourcesOf(parsed<Manifest>(real, path)).flatMap(({ repoURL, chart }) =>
        chart ? [`${repoURL} ${chart}`] : [],
      ),
    );
    expect(charts.length).toBeGreaterThan(28);
    expect(new Set(charts).size).toBe(charts.length);
  });
});

/** A chart, a release of a repository, or what lies in the tree. */
function coordinate(path: string, name: string): string {
  const sources = sourcesOf(parsed<Manifest>(real, path));
  const chart = sources.find((source) => source.chart);
  if (chart) return `\`${chart.chart}\` of ${chart.repoURL} ${chart.targetRevision}`;
  const [outside] = sources.filter(({ targetRevision }) => targetRevision !== 'main');
  if (outside) return `manifests of ${outside.repoURL} ${outside.targetRevision}`;
  const released = real.find((file) => file.path === `manifests/${name}/kustomization.yaml`);
  if (!released) return `\`manifests/${name}\` -`;
  const { resources } = load(released.text) as { resources: string[] };
  const releases = resources.map((url) => url.replace(/\/releases\/download\/([^/]+)\/.*/, ' $1'));
  return `manifests of ${[...new Set(releases)].join(' ')}`;
}
