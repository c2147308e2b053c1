// Programs that look as if they only read: a Job with one of them must not be proposed for deletion.
import { expect, test } from 'vitest';
import { only, sh } from '../../../test/fakes/waiting-job.ts';

const WAIT = 'until nc -z db.postgres 5432; do sleep 1; done';
const verdictOf = (script: string) => only(sh(script)).verdict;

test.each([
  ['env PGHOST=db flyway migrate', 'acts'],
  ['env -S "flyway migrate"', 'unsure'],
  ['env -i /opt/prepare', 'unsure'],
  [`awk 'BEGIN { system("/opt/prepare") }'`, 'unsure'],
  ['awk -f /opt/prepare.awk', 'unsure'],
  ['yq -i .a=1 /shared/values.yaml', 'acts'],
  [`trap 'flyway migrate' EXIT`, 'acts'],
  ['kubectl auth reconcile -f /rights.yaml', 'acts'],
  ['etcdctl member remove 1', 'acts'],
  [`psql -c "SELECT create_tenant('a')"`, 'unsure'],
])('%s', (command, verdict) => {
  expect(verdictOf(`${WAIT}; ${command}`)).toBe(verdict);
  expect(verdictOf(`${command}; ${WAIT}`)).toBe(verdict);
});

test.each([
  'env',
  'env LC_ALL=C kubectl get pods',
  `kubectl get pods | awk '{print $1}'`,
  'kubectl auth can-i get pods',
  'etcdctl member list',
  `trap 'exit 0' TERM`,
  'trap - TERM',
  'psql -c "select count(*) from pg_database where datname in (1)"',
  'psql -c "SELECT pg_is_in_recovery()"',
])('only reads: %s', (command) => {
  expect(verdictOf(`${command}; ${WAIT}`)).toBe('waits');
});
