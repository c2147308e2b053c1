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

test.each([
  'wait-for-it.sh db:5432 -- python manage.py migrate',
  'wait-for db:5432 -- ./migrate',
  'wait-for-it db:5432 -t 9 -- sh -c "rails db:migrate"',
  'wait-for-it.sh "$@"',
  'curl -sXPOST http://api/x',
  'curl -fsSXDELETE http://api/x',
  'curl -sX PUT http://api/x',
  `curl -sfd '{}' http://api/x`,
  'curl -sF f=@x http://api/x',
  'curl -sT x http://api/x',
  'curl -K /cfg',
  'curl $OPTS http://api/x',
  'curl -LO http://api/x',
  'curl -sSLo /plugins/x.jar http://api/x',
  'wget http://api/x',
  'wget -O /plugins/x.jar http://api/x',
  'wget -P /plugins http://api/x',
  'wget --post-data=x -qO- http://api/x',
  'cat /seed | nc db 5432',
  'nc db 5432 < /seed.bin',
  'echo FLUSHALL | nc redis 6379',
  'nc -e /bin/sh db 5432',
  `psql -c 'select 1' -f /m.sql`,
  `psql -c 'select 1' -c 'truncate t'`,
  `psql -c 'select 1; truncate t'`,
  `psql -c 'select 1; grant all on t to u'`,
  `psql -c 'select 1 \\i /m.sql'`,
  `mongosh --eval "db.adminCommand('ping')" /seed.js`,
  'sort -o /shared/list /shared/list',
  'uniq /shared/list /shared/short',
  'date -s 12:00',
])('is no wait: %s', (command) => {
  for (const script of [command, `${WAIT}; ${command}`, `until ${command}; do sleep 1; done`])
    expect(verdictOf(script)).not.toBe('waits');
});

test.each([
  'wait-for-it.sh db.data:5432 -t 9 -- echo up',
  'curl -fsSL -m 5 -H "Accept: text/plain" $API_URL',
  'curl -sko /dev/null -w "%{http_code}" http://api/x',
  'curl -sXGET http://api/x',
  'wget -qO- http://api/x',
  'wget -nv -T 5 -O /dev/null http://api/x',
  'nc -zvw3 db 5432',
  'sort -u /shared/list',
  'date -u +%s',
])('only waits or reads: %s', (command) => {
  expect(verdictOf(`${command}; ${WAIT}`)).toBe('waits');
});
