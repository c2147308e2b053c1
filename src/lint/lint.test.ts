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
