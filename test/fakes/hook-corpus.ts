// Jobs, hooks and init containers as platforms have them, each with what it really does: it waits for the application `data`, or it acts.
import type { KubernetesObject } from '../../src/import/material.ts';
import { type JobShape, job, sh } from './waiting-job.ts';

export interface HookCase {
  readonly does: 'waits' | 'acts';
  readonly objects: readonly KubernetesObject[];
}

const PRE_SYNC = { annotations: { 'argocd.argoproj.io/hook': 'PreSync' } };
const PRE_INSTALL = { annotations: { 'helm.sh/hook': 'pre-install,pre-upgrade' } };

const init = (container: JobShape): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { template: { spec: { initContainers: [{ name: 'first', image: 'x', ...container }] } } },
});
const initSh = (script: string) => init({ command: ['sh', '-c', script] });
const hook = (script: string) => sh(script, PRE_SYNC);

const account = (verbs: readonly string[]): KubernetesObject[] => [
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'waiter' },
    rules: [{ apiGroups: ['*'], resources: ['*'], verbs }],
  } as KubernetesObject,
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'waiter' },
    roleRef: { kind: 'ClusterRole', name: 'waiter' },
    subjects: [{ kind: 'ServiceAccount', name: 'waiter', namespace: 'shop' }],
  } as KubernetesObject,
];
const mounted = (script: string): KubernetesObject[] => [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'scripts' }, data: { run: script } },
  job({
    ...PRE_SYNC,
    command: ['bash', '/scripts/run'],
    volumeMounts: [{ name: 'scripts', mountPath: '/scripts' }],
    volumes: [{ name: 'scripts', configMap: { name: 'scripts' } }],
  }),
];

const LOOK = 'kubectl wait --for=condition=Available deployment/db -n data';

const WAITS: Readonly<Record<string, KubernetesObject | readonly KubernetesObject[]>> = {
  'kubectl wait, as a hook': hook(`${LOOK} --timeout=10m`),
  'kubectl wait, with rights to look': [
    ...account(['get', 'list', 'watch']),
    sh(LOOK, { ...PRE_SYNC, serviceAccountName: 'waiter' }),
  ],
  'kubectl wait for a field': hook(
    `kubectl wait lamp/desk -n data --for=jsonpath='{.status.phase}'=Ready`,
  ),
  'kubectl rollout status, as a command': job({
    ...PRE_SYNC,
    command: ['kubectl', 'rollout', 'status', 'statefulset/db', '--namespace=data'],
  }),
  'a definition, in a hook of Helm': sh(
    'until kubectl get crd lamps.data.example; do sleep 5; done',
    PRE_INSTALL,
  ),
  'endpoints, by a test of what is printed': sh(
    `while [ -z "$(kubectl -n data get endpoints db -o jsonpath='{.subsets}')" ]; do sleep 2; done`,
  ),
  'a Secret that the other makes': sh(
    'until kubectl get secret login -n data >/dev/null 2>&1; do sleep 5; done',
  ),
  'the Application itself, by its health': hook(
    `until kubectl get application data -n argocd -o jsonpath='{.status.health.status}' | grep -q Healthy; do sleep 5; done`,
  ),
  'a script of a ConfigMap': mounted(
    '#!/bin/bash\nset -eu\nuntil nc -z db.data 5432; do\n  sleep 1\ndone\n',
  ),
  'nc, in an init container': initSh(
    'until nc -z db.data.svc 5432; do echo waiting; sleep 1; done',
  ),
  'nc, with a count and an end': initSh(
    'n=0; until nc -z db.data 5432; do n=$((n+1)); [ $n -ge 60 ] && exit 1; sleep 5; done',
  ),
  'nc, by seq': initSh(
    'for i in $(seq 1 90); do nc -zv db.data 5432 && exit 0; sleep 2; done; exit 1',
  ),
  'the sockets of Bash': init({
    command: [
      'bash',
      '-c',
      'until (echo > /dev/tcp/db.data/5432) >/dev/null 2>&1; do sleep 1; done',
    ],
  }),
  nslookup: initSh('until nslookup db.data.svc.cluster.local; do sleep 2; done'),
  pg_isready: initSh('until pg_isready -h db.data -p 5432 -U app; do sleep 2; done'),
  'mysqladmin ping': initSh('while ! mysqladmin ping -h db.data --silent; do sleep 1; done'),
  'redis-cli ping': initSh('until [ "$(redis-cli -h cache.data ping)" = PONG ]; do sleep 1; done'),
  'mongosh ping': initSh(
    `until mongosh --host db.data --quiet --eval "db.adminCommand('ping')"; do sleep 2; done`,
  ),
  'wait-for-it.sh': init({ command: ['/scripts/wait-for-it.sh', 'db.data:5432', '-t', '120'] }),
  'dockerize -wait': init({
    command: ['dockerize', '-wait', 'tcp://db.data:5432', '-timeout', '60s'],
  }),
  'kubernetes-entrypoint': init({
    command: ['kubernetes-entrypoint'],
    env: [{ name: 'DEPENDENCY_SERVICE', value: 'data:db,data:cache' }],
  }),
  'the arguments of k8s-wait-for': init({
    image: 'registry.example/tools/k8s-wait-for:v2',
    args: ['pod', '-lapp=db', '-n', 'data'],
  }),
  'curl, by its status': hook(
    'until [ "$(curl -s -o /dev/null -w "%{http_code}" http://vault.data:8200/v1/sys/health)" = 200 ]; do sleep 3; done',
  ),
  'curl that tries again itself': hook(
    'curl -fsS --retry 60 --retry-delay 5 --retry-connrefused http://vault.data:8200/v1/sys/health',
  ),
  'wget --spider': initSh('until wget -q --spider http://vault.data:8200/ready; do sleep 2; done'),
  'vault status': hook('until vault status -address=http://vault.data:8200; do sleep 5; done'),
  'etcdctl endpoint health': initSh(
    'until etcdctl --endpoints=http://db.data:2379 endpoint health; do sleep 2; done',
  ),
  'a wait with the rights to change everything': [
    ...account(['*']),
    sh(LOOK, { ...PRE_SYNC, serviceAccountName: 'waiter' }),
  ],
  'a socket of Python': init({
    command: ['python', '-c', 'import socket\nsocket.create_connection(("db.data", 5432), 60)'],
  }),
  'a program of its image': init({ command: ['/app/wait-for-db', '--host', 'db.data'] }),
  'a choice in a loop': initSh(
    'while true; do case "$(nc -z db.data 5432; echo $?)" in 0) exit 0;; *) sleep 1;; esac; done',
  ),
  'a client of Kafka': initSh(
    'until kafka-topics.sh --bootstrap-server db.data:9092 --list; do sleep 5; done',
  ),
};

const LOOP = 'until nc -z db.data 5432; do sleep 1; done';

const ACTS: Readonly<Record<string, KubernetesObject | readonly KubernetesObject[]>> = {
  'Flyway after a wait': hook(`${LOOP}; flyway migrate`),
  'Django in an init container': initSh(`${LOOP}; python manage.py migrate --noinput`),
  'Rails, as a command': job({ ...PRE_SYNC, command: ['bundle', 'exec', 'rails', 'db:migrate'] }),
  'Alembic, until it works': hook('until alembic upgrade head; do sleep 2; done'),
  'a migration of its own, until it works': hook('until ./migrate up; do sleep 5; done'),
  'a migration by the program of the image': initSh(`${LOOP}; exec /app/server migrate`),
  'Django that waits and migrates': initSh(
    'python manage.py wait_for_db && python manage.py migrate',
  ),
  'statements of a file': hook(`${LOOP}; psql -h db.data -f /sql/seed.sql`),
  'a statement that makes a database': hook(
    `until psql -h db.data -c "create database shop"; do sleep 2; done`,
  ),
  'a collection': hook(`${LOOP}; mongosh --host db.data --eval "db.createCollection('x')"`),
  'a bucket by mc': hook(
    'until mc alias set s3 http://minio.data:9000 a b; do sleep 1; done; mc mb s3/x',
  ),
  'a bucket by aws': hook('aws --endpoint-url http://minio.data:9000 s3 mb s3://backups || true'),
  'a topic': hook(
    'until kafka-topics.sh --bootstrap-server db.data:9092 --create --topic x; do sleep 5; done',
  ),
  'the start of Vault': hook(
    'until vault status -address=http://vault.data:8200; do sleep 1; done; vault operator init',
  ),
  'a policy of Vault': hook('until vault policy write x /x.hcl; do sleep 5; done'),
  'users of Keycloak': hook(
    'until kcadm.sh config credentials --server http://db.data --realm master; do sleep 5; done',
  ),
  'a copy of a Secret': hook(
    'kubectl get secret login -n data -o yaml | sed "s/data/shop/" | kubectl apply -f -',
  ),
  'a copy of a Secret, until it is there': hook(
    'until kubectl get secret login -n data; do sleep 1; done; kubectl create secret generic login --from-literal=a=b',
  ),
  'apply, until the webhook answers': hook('while ! kubectl apply -f /x.yaml; do sleep 5; done'),
  'the approval of an InstallPlan': hook(
    'until kubectl get installplan -n data; do sleep 1; done; kubectl patch installplan x -n data --type merge -p "{}"',
  ),
  'a restart after a wait': hook(`${LOOK}; kubectl rollout restart deployment/api`),
  'a label after a wait': hook(`${LOOK} && kubectl label namespace shop ready=true`),
  'old Jobs are deleted': hook('kubectl delete job seed -n data --ignore-not-found --wait'),
  'a POST, until it works': hook(
    'until curl -fsS -d @/x.json http://vault.data/api; do sleep 1; done',
  ),
  'a PUT after a wait': hook(`${LOOP}; curl -XPUT http://db.data:9200/_template/x`),
  'a migration that wait-for-it starts': hook(
    'wait-for-it.sh db.data:5432 -t 60 -- python manage.py migrate',
  ),
  'a migration that wait-for-it starts, as a command': job({
    ...PRE_SYNC,
    command: ['wait-for-it.sh', 'db.data:5432', '--', './migrate', 'up'],
  }),
  'a POST in joined options': hook('until curl -fsSXPOST http://vault.data/api; do sleep 1; done'),
  'a seed through netcat': hook(`${LOOP}; nc db.data 5432 < /seed.bin`),
  'a flush through netcat': hook('until echo FLUSHALL | nc cache.data 6379; do sleep 1; done'),
  'a second statement': hook(
    `until psql -h db.data -c "select 1" -c "truncate t"; do sleep 2; done`,
  ),
  'a statement behind a question': hook(
    `until psql -h db.data -c "select 1; grant all on t to u"; do sleep 2; done`,
  ),
  'a download by wget': initSh('until wget http://vault.data/plugin.jar; do sleep 1; done'),
  'a download into a volume': initSh(
    'curl -fsS --retry 9 --retry-connrefused -o /data/x http://vault.data/x',
  ),
  Terraform: hook(`${LOOP}; terraform apply -auto-approve`),
  Helm: hook(`${LOOK}; helm upgrade shop ./chart`),
  'a script of a ConfigMap': mounted(`${LOOP}\nflyway -url=jdbc:x migrate\n`),
  'the owner of a volume': initSh('chown -R 1000:1000 /data'),
  'plugins into a volume': initSh(
    'until nc -z db.data 5432; do sleep 1; done; cp -r /plugins /opt',
  ),
  'what a look found, in a file': initSh(
    'until kubectl get svc db -n data; do sleep 1; done; kubectl get svc db -n data -o json > /shared/db.json',
  ),
  'a socket of Bash that sends a command': init({
    command: ['bash', '-c', 'until echo flush_all > /dev/tcp/cache.data/11211; do sleep 1; done'],
  }),
  'a test of Helm': sh(`${LOOP}; flyway migrate`, { annotations: { 'helm.sh/hook': 'test' } }),
};

const cases = (does: HookCase['does'], table: typeof WAITS): [string, HookCase][] =>
  Object.entries(table).map(([name, one]) => [
    name,
    { does, objects: Array.isArray(one) ? one : [one as KubernetesObject] },
  ]);

export const HOOK_CORPUS: readonly (readonly [string, HookCase])[] = [
  ...cases('waits', WAITS),
  ...cases('acts', ACTS),
];
