// What the controllers of Kubernetes, and operators, write into a status.
import { type Json, type KubeObject, secondsText } from '../cluster/object-store.ts';

/** Where a workload stands. `failed`: it gave up, or lost what it had. */
export type Stage = 'starting' | 'ready' | 'failed' | 'suspended';

interface StageStatus {
  readonly stage: Stage;
  readonly message: string;
  readonly now: number;
}

type StatusOf = (object: KubeObject, at: StageStatus) => Json;

const replicasOf = ({ spec }: KubeObject): number => (spec?.replicas as number | undefined) ?? 1;

const seen = ({ metadata }: KubeObject) => ({ observedGeneration: metadata.generation ?? 1 });

const deployment: StatusOf = (object, { stage, message, now }) => {
  const replicas = replicasOf(object);
  const ready = stage === 'ready' ? replicas : 0;
  const failed = stage === 'failed';
  const progressing = {
    type: 'Progressing',
    status: failed ? 'False' : 'True',
    reason: failed ? 'ProgressDeadlineExceeded' : 'ReplicaSetUpdated',
    message: message || (failed ? 'ReplicaSet has timed out progressing.' : ''),
    lastUpdateTime: secondsText(now),
  };
  const status = ready > 0 ? 'True' : 'False';
  const available = { type: 'Available', status, reason: 'MinimumReplicas', message: '' };
  return {
    ...seen(object),
    replicas,
    updatedReplicas: replicas,
    ...(ready > 0
      ? { readyReplicas: ready, availableReplicas: ready }
      : { unavailableReplicas: replicas }),
    conditions: [progressing, available],
  };
};

const statefulSet: StatusOf = (object, { stage }) => {
  const replicas = replicasOf(object);
  const ready = stage === 'ready' ? replicas : 0;
  const revision = `${object.metadata.name}-${object.metadata.generation}`;
  return {
    ...seen(object),
    replicas,
    readyReplicas: ready,
    currentReplicas: replicas,
    updatedReplicas: replicas,
    currentRevision: revision,
    updateRevision: revision,
  };
};

const job: StatusOf = (_, { stage, message, now }) => {
  const time = secondsText(now);
  const ended = (type: string, said: string) => [{ type, status: 'True', message: said }];
  if (stage === 'starting') return { active: 1, ready: 1, startTime: time };
  if (stage === 'ready')
    return { succeeded: 1, completionTime: time, conditions: ended('Complete', '') };
  const why = message || 'Job has reached the specified backoff limit';
  return { failed: 1, conditions: ended('Failed', why) };
};

/** As most operators write it. */
const custom: StatusOf = (object, { stage, message }) => ({
  ...seen(object),
  phase: stage === 'ready' ? 'Ready' : stage === 'failed' ? 'Failed' : 'Progressing',
  message,
  conditions: [
    { type: 'Ready', status: stage === 'ready' ? 'True' : 'False', message, ...seen(object) },
  ],
});

const claim: StatusOf = (_, { stage }) => ({ phase: stage === 'ready' ? 'Bound' : 'Pending' });

const TABLE: Readonly<Record<string, StatusOf>> = {
  'apps/Deployment': deployment,
  'apps/StatefulSet': statefulSet,
  'batch/Job': job,
  '/PersistentVolumeClaim': claim,
};

/** Groups of Kubernetes and Argo CD whose other kinds have no controller. */
const STILL = new Set([
  '',
  'apps',
  'batch',
  'networking.k8s.io',
  'storage.k8s.io',
  'coordination.k8s.io',
  'apiextensions.k8s.io',
  'argoproj.io',
  'rbac.authorization.k8s.io',
]);

/** Undefined: no controller writes a status for this kind. */
export function statusWriter(kindId: string): StatusOf | undefined {
  const known = TABLE[kindId];
  if (known) return known;
  return STILL.has(kindId.slice(0, kindId.indexOf('/'))) ? undefined : custom;
}
