// What is known of the programs that scripts of Jobs and init containers call.

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Commands that change nothing outside their own process. */
export const READERS = new Set(
  words(`
  echo printf sleep test [ [[ true false : exit return break continue seq set export
  local unset shift read grep egrep jq cat head tail wc cut tr basename
  dirname nslookup dig host getent ping pg_isready which type expr let
  declare readonly id whoami ls stat cd pwd
`),
);

/** Programs that wait and do nothing else. */
export const WAITERS = new Set(
  words(`
  wait-for-it wait-for-it.sh wait-for wait-for.sh wait4x wait-for-port
  wait-for-pods k8s-wait-for wait_for.sh wait-on
`),
);

/** Programs that change something, or may. */
export const ACTORS = new Set(
  words(`
  flyway liquibase alembic goose migrate dbmate sqitch prisma knex rake rails manage.py
  createdb createuser mc aws gcloud az git cp mv rm mkdir touch chmod chown tee ln install
  apk apt-get pip npm kubeseal terraform tofu ansible-playbook openssl keytool python python3
  node kcadm.sh
`),
);

interface Verbs {
  readonly reads: readonly string[];
  readonly waits: readonly string[];
}

/** The verbs of a program that change nothing, and those that wait; all others act. */
export const VERBS: Readonly<Record<string, Verbs>> = {
  kubectl: {
    reads: words('get describe logs version cluster-info api-resources explain auth'),
    waits: ['wait'],
  },
  helm: { reads: words('status list ls version history get'), waits: [] },
  vault: { reads: words('status version read'), waits: [] },
  bao: { reads: words('status version read'), waits: [] },
  argocd: { reads: ['version'], waits: [] },
  etcdctl: { reads: words('endpoint version get member'), waits: [] },
  'redis-cli': { reads: words('ping info PING INFO'), waits: [] },
  mysqladmin: { reads: words('ping status'), waits: [] },
  'rabbitmq-diagnostics': {
    reads: words('ping status check_running check_port_connectivity'),
    waits: [],
  },
};

/** Verbs that change nothing with these words after them alone. */
export const SECOND_WORDS: Readonly<Record<string, readonly string[]>> = {
  'kubectl auth': words('can-i whoami'),
  'etcdctl member': ['list'],
};

/** Functions of SQL that only ask: with any other, a SELECT may do anything. */
export const ASKING = new Set(
  words(`
  count exists coalesce max min sum now version pg_is_in_recovery current_database to_regclass
  current_setting in and or not from where any all select as values database user
  db.runcommand db.admincommand
`),
);

export const ALIASES: Readonly<Record<string, string>> = {
  oc: 'kubectl',
  k: 'kubectl',
  'valkey-cli': 'redis-cli',
};

/** Options of these programs that have a value, which is neither a verb nor an object. */
export const WITH_VALUE = new Set(
  words(`
  -n --namespace --context --kubeconfig -s --server -h -p -u -a -l --as --token
  --request-timeout -P -address --host --port --user --for --timeout --selector -o --output
  -c --container --label --name
`),
);
