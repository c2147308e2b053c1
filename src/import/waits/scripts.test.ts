import { describe, expect, test } from 'vitest';
import { only, sh } from '../../../test/fakes/waiting-job.ts';
import type { Wait, WaitTarget } from './wait.ts';

/** A script, what it is, and what it waits for. */
const SCRIPTS: readonly (readonly [string, string, Wait['verdict'], readonly WaitTarget[]])[] = [
  [
    'kubectl wait for a condition',
    'kubectl wait --for=condition=Ready pod -l app=postgres -n data --timeout=300s',
    'waits',
    [{ kind: 'pods', namespace: 'data', labels: 'app=postgres' }],
  ],
  [
    'kubectl rollout status',
    'kubectl -n data rollout status statefulset/postgres --timeout 10m',
    'waits',
    [{ kind: 'resource', resource: 'statefulset', namespace: 'data', name: 'postgres' }],
  ],
  [
    'kubectl wait for a CRD',
    'kubectl wait --for condition=established crd/certificates.cert-manager.io',
    'waits',
    [{ kind: 'crd', name: 'certificates.cert-manager.io', group: 'cert-manager.io' }],
  ],
  [
    'until with kubectl get',
    'until kubectl get crd certificates.cert-manager.io; do echo "not yet"; sleep 5; done',
    'waits',
    [{ kind: 'crd', name: 'certificates.cert-manager.io', group: 'cert-manager.io' }],
  ],
  [
    'while not, several lines',
    '#!/bin/sh\nset -e\nwhile ! kubectl get clustersecretstore/vault -n eso >/dev/null 2>&1; do\n  sleep 5 # again\ndone\n',
    'waits',
    [{ kind: 'resource', resource: 'clustersecretstore', namespace: 'eso', name: 'vault' }],
  ],
  [
    'nc with host and port as words',
    'until nc -z -w 2 postgres.data.svc.cluster.local 5432; do sleep 1; done',
    'waits',
    [
      {
        kind: 'service',
        namespace: 'data',
        name: 'postgres',
        host: 'postgres.data.svc.cluster.local',
      },
    ],
  ],
  [
    'curl in a loop with a count',
    'for i in $(seq 1 60); do curl -fsS http://vault.vault:8200/v1/sys/health && exit 0; sleep 2; done; exit 1',
    'waits',
    [{ kind: 'service', namespace: 'vault', name: 'vault', host: 'vault.vault' }],
  ],
  [
    'curl whose output goes nowhere',
    'until [ "$(curl -s -o /dev/null -w "%{http_code}" https://keycloak.identity.svc/realms)" = 200 ]; do sleep 3; done',
    'waits',
    [{ kind: 'service', namespace: 'identity', name: 'keycloak', host: 'keycloak.identity.svc' }],
  ],
  [
    'wget --spider',
    'while true; do wget -q --spider http://minio:9000/minio/health/live && break; sleep 2; done',
    'waits',
    [{ kind: 'service', namespace: 'shop', name: 'minio', host: 'minio' }],
  ],
  [
    'pg_isready',
    'until pg_isready -h postgres -p 5432 -U app; do echo waiting; sleep 2; done',
    'waits',
    [{ kind: 'service', namespace: 'shop', name: 'postgres', host: 'postgres' }],
  ],
  [
    'a query that only asks',
    'until psql -h db.data -U app -c "select 1" >/dev/null; do sleep 2; done',
    'waits',
    [{ kind: 'service', namespace: 'data', name: 'db', host: 'db.data' }],
  ],
  [
    'mysqladmin ping',
    'while ! mysqladmin ping --host mysql.data --silent; do sleep 1; done',
    'waits',
    [{ kind: 'service', namespace: 'data', name: 'mysql', host: 'mysql.data' }],
  ],
  [
    'redis-cli ping through a pipe',
    'until redis-cli -h redis-master ping | grep -q PONG; do sleep 1; done',
    'waits',
    [{ kind: 'service', namespace: 'shop', name: 'redis-master', host: 'redis-master' }],
  ],
  [
    'timeout around another shell',
    `timeout 300 bash -c 'until nc -z kafka-bootstrap.kafka.svc 9092; do sleep 2; done'`,
    'waits',
    [
      {
        kind: 'service',
        namespace: 'kafka',
        name: 'kafka-bootstrap',
        host: 'kafka-bootstrap.kafka.svc',
      },
    ],
  ],
  [
    'a function that checks',
    'check() { kubectl get svc webhook -n system; }\nuntil check; do sleep 1; done',
    'waits',
    [{ kind: 'service', namespace: 'system', name: 'webhook' }],
  ],
  [
    'vault status in a loop, address by option',
    'until vault status -address=http://vault.vault:8200; do sleep 5; done',
    'waits',
    [{ kind: 'service', namespace: 'vault', name: 'vault', host: 'vault.vault' }],
  ],
  [
    'a name in the cluster domain by nslookup',
    'until nslookup postgres.data.svc.cluster.local; do echo waiting; sleep 2; done',
    'waits',
    [
      {
        kind: 'service',
        namespace: 'data',
        name: 'postgres',
        host: 'postgres.data.svc.cluster.local',
      },
    ],
  ],
  [
    'a migration after a wait',
    'until pg_isready -h db; do sleep 1; done; flyway migrate',
    'acts',
    [],
  ],
  [
    'a migration with a tool that nobody knows',
    'until nc -z db 5432; do sleep 1; done && ./shop-migrate up',
    'unsure',
    [],
  ],
  [
    'Django migrates',
    'while ! nc -z db 5432; do sleep 1; done; python manage.py migrate',
    'acts',
    [],
  ],
  [
    'statements from a file',
    'until pg_isready -h db; do sleep 1; done; psql -h db -f /sql/seed.sql',
    'acts',
    [],
  ],
  ['a statement that writes', `psql -h db -c "insert into users values (1)"`, 'acts', []],
  [
    'a statement that writes what it selects',
    `until psql -h db -c "select 1 into t"; do sleep 1; done`,
    'acts',
    [],
  ],
  [
    'statements by a heredoc',
    'until pg_isready -h db; do sleep 1; done\npsql -h db <<EOF\ncreate database shop;\nEOF\n',
    'acts',
    [],
  ],
  [
    'a bucket',
    'until mc alias set s3 http://minio:9000 a b; do sleep 1; done; mc mb --ignore-existing s3/backups',
    'acts',
    [],
  ],
  [
    'a copy of a Secret',
    'kubectl get secret ca -n cert-manager -o yaml | sed "s/cert-manager/shop/" | kubectl apply -f -',
    'acts',
    [],
  ],
  ['a loop that patches', 'until kubectl patch sa default -p "{}"; do sleep 1; done', 'acts', []],
  [
    'approval of an InstallPlan',
    'for p in $(kubectl get installplan -o name); do kubectl patch $p --type merge -p "{}"; done',
    'acts',
    [],
  ],
  [
    'a restart after a wait',
    'kubectl wait --for=condition=Ready pod/a; kubectl rollout restart deployment/b',
    'acts',
    [],
  ],
  [
    'a POST',
    'until curl -fsS -X POST http://grafana/api/orgs -d "{}"; do sleep 1; done',
    'acts',
    [],
  ],
  [
    'a POST with the method joined to its option',
    'until curl -XPUT http://es:9200/_template/x; do sleep 1; done',
    'acts',
    [],
  ],
  ['Helm', 'until helm status shop; do sleep 1; done; helm upgrade shop ./chart', 'acts', []],
  [
    'the result in a file',
    'until kubectl get svc a; do sleep 1; done; kubectl get svc a -o json > /shared/a.json',
    'acts',
    [],
  ],
  [
    'exec in a pod',
    'until kubectl exec vault-0 -- vault operator unseal key; do sleep 1; done',
    'acts',
    [],
  ],
  ['one look without a loop', 'kubectl get deployment postgres', 'unsure', []],
  ['a loop that waits for nothing', 'while true; do sleep 10; done', 'unsure', []],
  ['an open quote', 'until nc -z db 5432; do echo "waiting; sleep 1; done', 'unsure', []],
];

describe('scripts', () => {
  test.each(SCRIPTS)('%s', (_name, script, verdict, targets) => {
    const wait = only(sh(script));
    expect(wait.verdict, wait.because).toBe(verdict);
    if (verdict === 'waits') expect(wait.targets).toEqual(targets);
  });

  test('a script of a megabyte is not called a wait, and costs nothing', () => {
    expect(only(sh('nc -z db 5432; '.repeat(70_000))).verdict).toBe('unsure');
  });

  test.each(['$(', '`', '"$(', '((', '<<A\n', '$(('])(
    '%s without an end is not called a wait',
    (text) => {
      expect(
        only(sh(`until nc -z db 5432; do sleep 1; done; ${text.repeat(2_000)}`)).verdict,
      ).not.toBe('waits');
    },
  );
});
