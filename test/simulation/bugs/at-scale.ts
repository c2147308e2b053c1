// Bugs that only show in worlds of realistic size, with what goes wrong there: other clusters, an Argo CD that is slow, repositories that everybody
// commits to.
import { type Bug, bug } from './bug.ts';

const DEPLOY: readonly Bug[] = [
  {
    name: 'commits-elsewhere-count',
    what: 'syncs again after every commit, even if the application did not change',
    patches: [
      {
        file: 'src/gate/conditions.ts',
        find: '({ application, settings }) => drift(application, settings)),',
        put: `({ application, settings, operation }) =>
    drift(application, settings) ??
    (operation && operation.revisions.join() !== application.sync.revisions.join()
      ? says('Git moved on')
      : undefined)),`,
      },
      {
        file: 'src/node/pass-gate.ts',
        find: "if (status !== 'OutOfSync' || isUnsettled(application)) return false;",
        put: 'if (status && !status) return false;',
      },
    ],
  },
  bug(
    'late-is-out-of-sync',
    'syncs an Application that Argo CD is late to compare',
    'src/node/observe.ts',
    'if (isOver(context, deadline)) return notCompared(',
    "if (refreshes >= 0) return { kind: 'needs-sync', application, unmet: { condition: 'compared-afterwards', message: LATE } };\n      if (isOver(context, deadline)) return notCompared(",
  ),
  bug(
    'slow-syncs-are-given-up',
    'gives up a sync request that takes Argo CD more than five seconds',
    'src/session/writes/writes.ts',
    'if (sending.isShort)',
    'if (sending)',
  ),
  bug(
    'hold-waited-for-for-ever',
    'retries forever to create a hold that cannot be created',
    'src/session/hold/hold-writer.ts',
    'return this.#hurry > 0 && Math.min(lastedMs, waited) >= NOT_TAKEN_MS;',
    'return this.#hurry > 0 && Math.min(lastedMs, waited) < 0 && NOT_TAKEN_MS > 0;',
  ),
];

const PRUNES = bug(
  'parents-prune-sets',
  "lets a parent's sync prune an ApplicationSet",
  'src/node/request-operation.ts',
  "new Set(['Application', 'ApplicationSet'])",
  "new Set(['Application'])",
);

const TEARDOWN: readonly Bug[] = [
  bug(
    'destination-ignored',
    "looks for everything in Argo CD's own cluster",
    'src/targets/application/view.ts',
    'remoteCluster: remoteCluster(spec.destination),',
    'remoteCluster: remoteCluster(spec.destination) && undefined,',
  ),
  bug(
    'one-version-of-a-group',
    'lists objects of a namespace only at the preferred version of each group',
    'src/targets/kubernetes/discovery.ts',
    'return [...sorted].map((one) =>',
    'return [...sorted].slice(0, 1).map((one) =>',
  ),
  bug(
    'label-means-ours',
    'treats objects labelled with the name of an application as leftovers',
    'src/targets/kubernetes/objects.ts',
    'tracker: instanceOf(served, metadata),',
    "tracker: instanceOf(served, metadata) ?? (item as { metadata: { labels?: Record<string, string> } }).metadata.labels?.['app.kubernetes.io/instance'],",
  ),
];

const of = (bugs: readonly Bug[], mission: Bug['mission'] & string): readonly Bug[] =>
  bugs.map((one) => ({ size: 'realistic', ...one, mission }));

export const AT_SCALE: readonly Bug[] = [
  ...of([...DEPLOY, PRUNES], 'deploy'),
  ...of(TEARDOWN, 'teardown'),
];
