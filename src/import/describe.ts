// The class and the expected duration that an application is proposed with.
import { kindName } from '../health/health-check.ts';
import { isDefinition } from './facts/kind-facts.ts';
import { kindOf, objectsOf } from './facts/object.ts';
import type { ApplicationMaterial } from './material.ts';
import type { ProposedApplication } from './proposal.ts';

const CEPH = new Set(['ceph.rook.io/CephCluster']);
const DATABASES = new Set([
  ...['acid.zalan.do/postgresql', 'postgresql.cnpg.io/Cluster', 'k8s.mariadb.com/MariaDB'],
  ...['kafka.strimzi.io/Kafka', 'rabbitmq.com/RabbitmqCluster', 'mysql.oracle.com/InnoDBCluster'],
  ...['psmdb.percona.com/PerconaServerMongoDB', 'pxc.percona.com/PerconaXtraDBCluster'],
  ...['elasticsearch.k8s.elastic.co/Elasticsearch', 'redis.redis.opstreelabs.in/RedisCluster'],
]);
const VAULTS = new Set(['vault', 'openbao']);

/** Its AppProject is said where it is not the platform's. */
export function describeApplication(
  application: ApplicationMaterial,
  platformProject: string | undefined,
): ProposedApplication {
  const { name, project, pastDurations } = application;
  const kind = classOf(application);
  const seconds = median(pastDurations);
  return {
    name,
    ...(project === platformProject ? {} : { project }),
    ...(kind ? { class: kind } : {}),
    ...(seconds === undefined ? {} : { expectedDuration: seconds }),
    fromHistory: seconds !== undefined,
  };
}

function classOf(application: ApplicationMaterial): string | undefined {
  const objects = objectsOf(application);
  const kinds = objects.map((object) => kindName(kindOf(object)));
  if (kinds.some((kind) => CEPH.has(kind))) return 'ceph';
  if (kinds.some((kind) => DATABASES.has(kind))) return 'database';
  if (application.charts.some((chart) => VAULTS.has(chart.name))) return 'vault';
  const runs = kinds.some((kind) => kind === 'apps/Deployment' || kind === 'apps/StatefulSet');
  return runs && objects.some(isDefinition) ? 'operator' : undefined;
}

/** Whole seconds, rounded up. */
function median(values: readonly number[]): number | undefined {
  const sorted = values
    .filter((value) => Number.isFinite(value) && value > 0)
    .sort((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  return middle === undefined ? undefined : Math.ceil(middle);
}
