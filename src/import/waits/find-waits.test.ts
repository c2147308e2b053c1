import { describe, expect, test } from 'vitest';
import { destination, job, only, sh } from '../../../test/fakes/waiting-job.ts';
import { findWaits } from './find-waits.ts';

describe('shapes', () => {
  test.each([
    [{ 'argocd.argoproj.io/hook': 'PreSync' }, 'hook'],
    [{ 'helm.sh/hook': 'pre-install,pre-upgrade' }, 'hook'],
    [{}, 'job'],
  ] as const)('%j is a %s', (annotations, shape) => {
    expect(only(sh('kubectl wait --for=delete pod/a', { annotations })).shape).toBe(shape);
  });

  test('tests of Helm are left out: Argo CD never runs them', () => {
    const object = sh('kubectl wait --for=delete pod/a', {
      annotations: { 'helm.sh/hook': 'test' },
    });
    expect(findWaits({ objects: [object], destination })).toEqual([]);
  });

  test('arguments alone, for the program of the image', () => {
    const args = ['wait-for', 'deployment', '--namespace', 'runner', '--label', 'app=controller'];
    const wait = only(job({ args }));
    expect(wait).toMatchObject({ verdict: 'waits', shape: 'job' });
    expect(wait.targets).toEqual([
      { kind: 'resource', resource: 'deployment', namespace: 'runner', labels: 'app=controller' },
    ]);
  });

  test('an image without command or arguments', () => {
    expect(only(job({})).verdict).toBe('unsure');
  });

  test('variables of the container', () => {
    const env = [
      { name: 'HOST', value: 'postgres.data' },
      { name: 'PORT', value: '5432' },
    ];
    const wait = only(sh(`until nc -z "\${HOST}" $PORT; do sleep "\${PAUSE:-2}"; done`, { env }));
    expect(wait.verdict).toBe('waits');
    expect(only(job({ env, command: ['wait-for-it.sh', '$(HOST):$(PORT)'] })).targets).toEqual([
      { kind: 'service', namespace: 'data', name: 'postgres', host: 'postgres.data' },
    ]);
  });

  test('a script of a ConfigMap', () => {
    const configMap = {
      kind: 'ConfigMap',
      metadata: { name: 'scripts' },
      data: { init: 'mc mb s3/backups', wait: 'until nc -z db 5432; do sleep 1; done' },
    };
    const mounted = {
      volumeMounts: [{ name: 'scripts', mountPath: '/config' }],
      volumes: [{ name: 'scripts', configMap: { name: 'scripts' } }],
    };
    expect(only(job({ command: ['/bin/sh', '/config/init'], ...mounted }), configMap).verdict).toBe(
      'acts',
    );
    expect(only(job({ command: ['/bin/sh', '/config/wait'], ...mounted }), configMap).verdict).toBe(
      'waits',
    );
    expect(only(job({ command: ['/bin/sh', '/other/wait'], ...mounted }), configMap).verdict).toBe(
      'unsure',
    );
  });

  test('init containers of workloads, each by itself; the containers of a Deployment are none of our business', () => {
    const deployment = {
      kind: 'Deployment',
      metadata: { name: 'api', namespace: 'apps' },
      spec: {
        template: {
          spec: {
            initContainers: [
              { name: 'wait', command: ['sh', '-c', 'until nc -z db 5432; do sleep 1; done'] },
              { name: 'migrate', command: ['flyway', 'migrate'] },
            ],
            containers: [{ name: 'api', command: ['sh', '-c', 'while true; do sleep 1; done'] }],
          },
        },
      },
    };
    const waits = findWaits({ objects: [deployment], destination });
    expect(waits.map(({ object, verdict, shape }) => [object, verdict, shape])).toEqual([
      ['Deployment/api/wait', 'waits', 'init-container'],
      ['Deployment/api/migrate', 'acts', 'init-container'],
    ]);
    expect(waits[0]?.targets).toEqual([
      { kind: 'service', namespace: 'apps', name: 'db', host: 'db' },
    ]);
  });

  test('kubernetes-entrypoint, by its environment', () => {
    const env = [
      { name: 'DEPENDENCY_SERVICE', value: 'openstack:mariadb,memcached' },
      { name: 'DEPENDENCY_JOBS', value: 'nova-db-sync' },
    ];
    expect(only(job({ command: ['kubernetes-entrypoint'], env }))).toMatchObject({
      verdict: 'waits',
      targets: [
        { kind: 'service', namespace: 'openstack', name: 'mariadb' },
        { kind: 'service', namespace: 'shop', name: 'memcached' },
        { kind: 'resource', resource: 'jobs', namespace: 'shop', name: 'nova-db-sync' },
      ],
    });
  });

  test.each([
    ['which then prints something', ['kubernetes-entrypoint'], 'echo done', true],
    ['which then starts something', ['kubernetes-entrypoint'], './migrate up', false],
    ['of an image that starts something of its own', undefined, 'flyway migrate', false],
    ['that another program can also read', ['./migrate', 'up'], undefined, false],
  ])('kubernetes-entrypoint, %s', (_, command, starts, isWait) => {
    const env = [
      { name: 'DEPENDENCY_SERVICE', value: 'openstack:mariadb' },
      ...(starts === undefined ? [] : [{ name: 'COMMAND', value: starts }]),
    ];
    const { verdict: found } = only(job({ ...(command && { command }), env }));
    expect(found === 'waits').toBe(isWait);
  });

  test('a Job with two containers waits only if both do', () => {
    const both = sh('until nc -z db 5432; do sleep 1; done');
    both.spec.template.spec.containers.push({
      name: 'two',
      image: 'x',
      command: ['flyway', 'migrate'],
    });
    expect(only(both).verdict).toBe('acts');
  });
});

describe('rights', () => {
  const waiting = sh('kubectl wait --for=condition=Ready pod/a -n data', {
    serviceAccountName: 'waiter',
  });
  const binding = (roleRef: unknown, namespace = 'shop') => ({
    kind: 'RoleBinding',
    metadata: { name: 'waiter', namespace: 'data' },
    roleRef,
    subjects: [{ kind: 'ServiceAccount', name: 'waiter', namespace }],
  });
  const role = (verbs: readonly string[]) => ({
    kind: 'Role',
    metadata: { name: 'waiter', namespace: 'data' },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs }],
  });
  const ref = { kind: 'Role', name: 'waiter' };

  test.each([
    ['rights to read', [role(['get', 'list', 'watch']), binding(ref)], 'waits'],
    ['rights to change', [role(['get', 'patch']), binding(ref)], 'unsure'],
    ['all rights', [role(['*']), binding(ref)], 'unsure'],
    ['cluster-admin', [binding({ kind: 'ClusterRole', name: 'cluster-admin' })], 'unsure'],
    ['view', [binding({ kind: 'ClusterRole', name: 'view' })], 'waits'],
    ['a role that is not among the manifests', [binding(ref)], 'unsure'],
    [
      'rights of an account of the same name elsewhere',
      [role(['*']), binding(ref, 'other')],
      'waits',
    ],
    ['no binding at all', [], 'waits'],
  ] as const)('%s', (_name, objects, verdict) => {
    expect(only(waiting, ...objects).verdict).toBe(verdict);
  });
});
