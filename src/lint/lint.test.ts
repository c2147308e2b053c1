import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { applicationMaterial, materialOf } from '../../test/fakes/material.ts';
import { job, sh } from '../../test/fakes/waiting-job.ts';
import type { ApplicationMaterial } from '../import/material.ts';
import { renderLint } from '../view/lint-text.ts';
import { isClean } from './finding.ts';
import { lintPlatform } from './lint.ts';

const service = (name: string, namespace: string) => ({
  kind: 'Service',
  metadata: { name, namespace },
});
const postgres = applicationMaterial('postgres', { objects: [service('db', 'postgres')] });
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'api' },
  spec: {},
};
const api = (...objects: ApplicationMaterial['objects']): ApplicationMaterial =>
  applicationMaterial('api', { objects: [deployment, ...objects] });

const findings = (...applications: readonly ApplicationMaterial[]) =>
  lintPlatform({ material: materialOf(...applications), notes: [] }).findings;

describe('a wait for another application', () => {
  const waiting = sh('until nc -z db.postgres 5432; do sleep 1; done', {
    annotations: { 'argocd.argoproj.io/hook': 'PreSync' },
  });

  test('gives the edge to write and the patch that removes the hook', () => {
    const [finding, ...more] = findings(postgres, api(waiting));
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      rule: 'wait-for-application',
      level: 'warning',
      application: 'api',
      object: 'Job/one',
      edge: { dependent: 'api', dependency: 'postgres' },
    });
    const { target, patch } = load(finding?.patch ?? '') as { target: unknown; patch: string };
    expect(target).toEqual({ group: 'batch', version: 'v1', kind: 'Job', name: 'one' });
    expect(load(patch)).toEqual({
      $patch: 'delete',
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'one' },
    });
  });

  test.each(['one|migrate', '.*', 'one$', 'One', ''])(
    'no patch for what no object is called: a name of a target is a pattern: %j',
    (name) => {
      const hostile = { ...waiting, metadata: { ...waiting.metadata, name } };
      expect(findings(postgres, api(hostile)).map(({ patch }) => patch)).toEqual([null]);
    },
  );

  test('which the graph has already: only the removal is left', () => {
    const {
      findings: [finding],
    } = lintPlatform({
      material: materialOf(postgres, api(waiting)),
      notes: [],
      order: { known: new Set(), comesAfter: (a, b) => a === 'api' && b === 'postgres' },
    });
    expect(finding?.fix).toBe('Remove it: the graph lets api wait for postgres.');
  });

  test('is not removed while the graph lacks one of the dependencies that it stands for', () => {
    const kafka = applicationMaterial('kafka', { objects: [service('broker', 'kafka')] });
    const both = sh('until nc -z db.postgres 1 && nc -z broker.kafka 2; do sleep 1; done');
    const patches = (...dependencies: readonly string[]) =>
      lintPlatform({
        material: materialOf(postgres, kafka, api(both)),
        notes: [],
        order: { known: new Set(), comesAfter: (_, b) => dependencies.includes(b) },
      }).findings.map(({ patch, edge, fix }) => [edge?.dependency, patch !== null, fix]);
    expect(patches('postgres')).toEqual([
      ['kafka', false, 'Write kafka into dependsOn of api, then remove the Job.'],
      ['postgres', false, 'Write kafka into dependsOn of api, then remove the Job.'],
    ]);
    expect(patches('postgres', 'kafka').map(([, isRemoved]) => isRemoved)).toEqual([true, true]);
  });

  test('of an application whose chart nobody rendered, by its namespace', () => {
    const chart = applicationMaterial('postgres', { content: 'listed' });
    expect(findings(chart, api(waiting))[0]?.edge?.dependency).toBe('postgres');
  });

  test('is not told of one of two applications in that namespace', () => {
    const two = ['postgres', 'pgbouncer'].map((name) =>
      applicationMaterial(name, { destination: { cluster: 'in-cluster', namespace: 'postgres' } }),
    );
    expect(findings(...two, api(waiting))).toMatchObject([
      {
        ...{ rule: 'wait-unclear', patch: null },
        message:
          'Hook Job/one waits for service db in namespace postgres, which no Application is known to have, or several may have.',
      },
    ]);
  });
});

test('a CRD, by its name in what Argo CD lists', () => {
  const certManager = applicationMaterial('cert-manager', {
    content: 'listed',
    resources: [
      {
        group: 'apiextensions.k8s.io',
        kind: 'CustomResourceDefinition',
        namespace: '',
        name: 'certificates.cert-manager.io',
      },
    ],
  });
  const waiting = sh('kubectl wait --for condition=established crd/certificates.cert-manager.io');
  expect(findings(certManager, api(waiting))[0]?.edge?.dependency).toBe('cert-manager');
});

test('pods by the labels of their template', () => {
  const kafka = applicationMaterial('kafka', {
    objects: [
      {
        kind: 'StatefulSet',
        metadata: { name: 'broker' },
        spec: { template: { metadata: { labels: { app: 'kafka' } } } },
      },
    ],
  });
  const other = applicationMaterial('kafka-ui', {
    destination: { cluster: 'in-cluster', namespace: 'kafka' },
  });
  const waiting = sh('kubectl wait --for=condition=Ready pod -l app=kafka -n kafka');
  expect(findings(kafka, other, api(waiting))[0]?.edge?.dependency).toBe('kafka');
});

test('a wait for its own application: the gate does this', () => {
  const waiting = sh('kubectl rollout status deployment/api -n api');
  expect(findings(postgres, api(waiting))).toMatchObject([
    { rule: 'wait-for-itself', level: 'note', edge: null },
  ]);
});

test('an init container that waits for its own application stays', () => {
  const initContainers = [
    { name: 'wait', command: ['sh', '-c', 'until nc -z cache.api 6379; do sleep 1; done'] },
  ];
  const both = [
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'cache', namespace: 'api' } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'api' },
      spec: { template: { spec: { initContainers } } },
    },
  ];
  expect(findings(postgres, api(...both))).toEqual([]);
});

test('a migration stays, and is listed with the reason', () => {
  const migrating = sh('until nc -z db.postgres 5432; do sleep 1; done; flyway migrate');
  const report = lintPlatform({ material: materialOf(postgres, api(migrating)), notes: [] });
  expect(report.findings).toEqual([]);
  expect(report.kept).toEqual([
    { application: 'api', object: 'Job/one', because: '"flyway" changes something' },
  ]);
});

test('what is not proved to be a mere wait has no patch', () => {
  const waiting = sh('until nc -z db.postgres 5432; do sleep 1; done; /opt/prepare');
  expect(findings(postgres, api(waiting))).toMatchObject([
    { rule: 'wait-unclear', level: 'note', patch: null, edge: { dependency: 'postgres' } },
  ]);
});

test('an init container has a patch of its own', () => {
  const worker = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'worker.one', namespace: 'api' },
    spec: {
      template: {
        spec: {
          initContainers: [
            {
              name: 'wait',
              command: ['sh', '-c', 'until nc -z db.postgres 5432; do sleep 1; done'],
            },
          ],
        },
      },
    },
  };
  const [finding] = findings(postgres, api(worker));
  const { target, patch } = load(finding?.patch ?? '') as { target: unknown; patch: string };
  // In a namespace, which the manifest in Git need not name.
  expect(target).toEqual({
    ...{ group: 'apps', version: 'v1', kind: 'Deployment', name: String.raw`worker\.one` },
  });
  expect(load(patch)).toEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'worker.one' },
    spec: { template: { spec: { initContainers: [{ $patch: 'delete', name: 'wait' }] } } },
  });
});

describe('an application that only waits', () => {
  const account = { kind: 'ServiceAccount', metadata: { name: 'waiter' } };
  const waiting = job({ args: ['wait-for', 'service', '--namespace', 'postgres', '--name', 'db'] });

  test('should go, and its dependents depend on what it waits for', () => {
    const waiter = applicationMaterial('postgres-wait', { objects: [account, waiting] });
    expect(findings(postgres, waiter)).toMatchObject([
      {
        rule: 'wait-only-application',
        application: 'postgres-wait',
        fix: 'Delete this Application. Let what depends on it depend on postgres.',
      },
    ]);
  });

  test('is not one that has anything else', () => {
    const secret = { kind: 'Secret', metadata: { name: 'password' } };
    const waiter = applicationMaterial('postgres-wait', { objects: [account, waiting, secret] });
    expect(findings(postgres, waiter)[0]?.rule).toBe('wait-for-application');
  });
});

describe('waves', () => {
  const waved = [
    applicationMaterial('api', { parent: 'root', wave: 1 }),
    applicationMaterial('postgres', { parent: 'root', wave: 2 }),
  ];
  const linted = (after: readonly [string, string], applications = waved) =>
    lintPlatform({
      material: materialOf(...applications),
      notes: [],
      order: {
        known: new Set(['api', 'postgres']),
        comesAfter: (a, b) => a === after[0] && b === after[1],
      },
    }).findings.map(({ rule, level, application }) => [rule, level, application]);

  test('against the graph are an error', () => {
    expect(linted(['api', 'postgres'])[0]).toEqual(['wave-contradicts', 'error', 'api']);
  });

  test('that are needless are removed by a patch', () => {
    const { findings: found } = lintPlatform({
      material: materialOf(...waved),
      notes: [],
      order: { known: new Set(['api', 'postgres']), comesAfter: (a) => a === 'postgres' },
    });
    const { target, patch } = load(found[0]?.patch ?? '') as { target: unknown; patch: string };
    expect(target).toMatchObject({ group: 'argoproj.io', kind: 'Application', name: 'api' });
    const path = '/metadata/annotations/argocd.argoproj.io~1sync-wave';
    expect(load(patch)).toEqual([{ op: 'remove', path }]);
  });

  test('with the graph are needless', () => {
    expect(linted(['postgres', 'api'])).toEqual([
      ['wave-needless', 'note', 'api'],
      ['wave-needless', 'note', 'postgres'],
    ]);
  });

  test('of different parents say nothing of each other, and one wave orders nothing', () => {
    const apart = [waved[0], { ...waved[1], parent: 'other' }] as ApplicationMaterial[];
    expect(linted(['api', 'postgres'], apart)).toEqual([]);
  });

  describe('of which the graph keeps only a part', () => {
    const family = [
      applicationMaterial('cert-manager', { parent: 'root', wave: -1 }),
      applicationMaterial('db', { parent: 'root' }),
      applicationMaterial('api', { parent: 'root', wave: 1 }),
      applicationMaterial('web', { parent: 'root', wave: 2 }),
    ];
    const FILE = ['cert-manager', 'db', 'api', 'web'];
    const CHAIN = [
      ['db', 'cert-manager'],
      ['api', 'db'],
      ['api', 'cert-manager'],
      ['web', 'api'],
      ['web', 'db'],
      ['web', 'cert-manager'],
    ];
    const found = (
      pairs: readonly string[][],
      applications: readonly ApplicationMaterial[] = family,
      file: readonly string[] = FILE,
    ) =>
      lintPlatform({
        material: materialOf(...applications),
        notes: [],
        order: {
          known: new Set(file),
          comesAfter: (a, b) => pairs.some(([one, other]) => one === a && other === b),
        },
      }).findings;
    const without = (...lost: readonly string[]) =>
      CHAIN.filter((pair) => !lost.includes(pair.join('->')));
    const root = (...resources: ApplicationMaterial['resources']) =>
      applicationMaterial('root', { resources });
    const own = (kind: string, wave?: number) => ({
      ...{ group: '', namespace: 'argocd', name: 'own', kind },
      ...(wave !== undefined && { wave }),
    });

    test('nothing is removed, and the edge to write is named', () => {
      expect(found(without('web->api'))).toEqual([
        {
          ...{ rule: 'wave-needed', level: 'note', application: 'web', object: null },
          message:
            'Only sync waves put web (2) after api (1): the platform file does not order them.',
          fix: 'Write api into dependsOn of web, unless the order is needless. Until then keep the sync waves of everything that root creates.',
          edge: { dependent: 'web', dependency: 'api' },
          patch: null,
        },
      ]);
    });

    test('an Application without the annotation is in wave 0', () => {
      expect(found(without('db->cert-manager'))).toMatchObject([
        { rule: 'wave-needed', edge: { dependent: 'db', dependency: 'cert-manager' } },
      ]);
    });

    test('all of it kept: every annotation can go', () => {
      expect(found(CHAIN).map(({ rule, application }) => [rule, application])).toEqual([
        ['wave-needless', 'api'],
        ['wave-needless', 'cert-manager'],
        ['wave-needless', 'web'],
      ]);
    });

    test('beside an order that contradicts the graph, none can go', () => {
      const turned = [...without('web->api'), ['api', 'web']];
      expect(found(turned).map(({ rule, application }) => [rule, application])).toEqual([
        ['wave-contradicts', 'api'],
      ]);
    });

    test('an Application that the file does not have', () => {
      const file = ['cert-manager', 'db', 'web'];
      expect(found(CHAIN, family, file)).toMatchObject([
        {
          ...{ rule: 'wave-needed', application: 'web', edge: null, patch: null },
          message:
            'Only its sync wave (2) orders web beside Application/api (1): the platform file does not have that.',
        },
      ]);
    });

    test.each([
      ['comes after cert-manager', own('Issuer'), ['cert-manager']],
      ['is ready in time, in wave 0', own('Job'), ['api', 'web']],
      ['comes between', own('Secret', 1), ['api', 'web']],
      ['comes before all of them', own('Job', -5), []],
      ['is there at once', own('Secret'), ['cert-manager']],
      ['needs nothing', own('AppProject'), []],
      ['comes too late', own('AppProject', 1), ['api', 'web']],
    ])("an object of the parent's own that %s", (_, object, kept) => {
      const named = found(CHAIN, [root(object), ...family])
        .filter(({ rule }) => rule === 'wave-needed')
        .map(({ application }) => application);
      expect(named).toEqual(expect.arrayContaining(kept));
      expect(found(CHAIN, [root(object), ...family]).some(({ patch }) => patch !== null)).toBe(
        kept.length === 0,
      );
    });
  });

  test('say nothing without a graph', () => {
    expect(findings(...waved)).toEqual([]);
  });
});

test('a namespace by accident, from what import noticed', () => {
  const note = {
    kind: 'namespace-by-accident',
    application: 'api',
    text: 'api deploys into namespace web, which web creates.',
  };
  const other = { kind: 'remote', application: 'api', text: 'elsewhere' };
  const report = lintPlatform({ material: materialOf(api()), notes: [note, other] });
  expect(report.findings).toMatchObject([
    { rule: 'namespace-by-accident', level: 'warning', message: note.text },
  ]);
});

test('the order of what was read does not matter', () => {
  const applications = [
    postgres,
    api(sh('until nc -z db.postgres 1; do sleep 1; done'), sh('flyway migrate')),
  ];
  const report = (all: readonly ApplicationMaterial[]) =>
    JSON.stringify(lintPlatform({ material: materialOf(...all), notes: [] }));
  expect(report([...applications].reverse())).toBe(report(applications));
});

test('what could not be read is counted, and is not clean', () => {
  const chart = applicationMaterial('chart', { content: 'unknown' });
  const problems = [{ subject: 'api', message: 'Its source apps/api is not in this folder.' }];
  const material = { ...materialOf(postgres, api(), chart), problems };
  const report = lintPlatform({ material, notes: [] });
  expect(report.unchecked).toEqual(['api', 'chart']);
  expect(isClean(report)).toBe(false);
  const text = renderLint(report);
  expect(text).toContain('not checked: chart: The manifests that it deploys are not known.');
  expect(text).toContain('1 of 3 applications checked, 2 not or only in part: no waits');
  expect(isClean({ ...report, problems: [] })).toBe(false);
  expect(isClean({ ...report, unchecked: [] })).toBe(false);
  expect(isClean({ ...report, unchecked: [], problems: [] })).toBe(true);
});
