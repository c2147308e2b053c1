// Every known way in which an Application's Healthy is not the truth, and where each is tried. What a real Argo CD can be
// made to show was recorded from it (`gate/NAME.json`); the rest says why not.
import type { GateInput } from '../../src/gate/conditions.ts';
import { gateInput } from '../fakes/application.ts';
import type { ConditionName } from './gate-recording.ts';

export const RECORDINGS = 'test/recordings/gate';

interface Expected {
  /** The first unmet condition. */
  readonly shutBy: ConditionName | 'open';
  /** What is left to shut it once that condition is taken out. */
  readonly without?: ConditionName | 'open';
}

const shut = (shutBy: ConditionName, without: ConditionName | 'open' = 'open'): Expected => ({
  shutBy,
  without,
});
const open: Expected = { shutBy: 'open' };

/** What the gate says of each recording. */
export const RECORDED = {
  healthy: open,
  'never-compared': shut('compared-afterwards', 'compared-to-the-spec'),
  'health-from-before': shut('compared-afterwards'),
  'same-second': shut('compared-afterwards'),
  'repository-away': shut('compared-afterwards'),
  'cache-behind': shut('synced'),
  'generation-not-observed': shut('generations-observed'),
  // Since Argo CD 3.4 it would be Healthy; in 3.2 a second condition shuts it.
  'resource-missing': shut('synced', 'healthy'),
  'resource-missing-live': shut('all-present'),
  'not-rendered': shut('no-error', 'synced'),
  'refresh-pending': shut('no-refresh-pending'),
  'spec-changed': shut('compared-to-the-spec'),
  'health-ignored': open,
  'kind-without-health': open,
  'job-resumed': shut('jobs-finished'),
  'prune-skipped': shut('synced'),
  'prune-to-be-confirmed': shut('no-operation-running', 'synced'),
  'another-operation': shut('right-operation'),
  'operation-failed': shut('right-operation'),
  'hook-failed': shut('right-operation'),
  'record-gone': shut('right-operation'),
  'failed-before': open,
  'waits-to-be-taken-up': shut('no-operation-running'),
  'waits-for-retry': shut('no-operation-running'),
  'git-moved-on': open,
  'made-anew': shut('same-object'),
  'being-deleted': shut('not-deleting'),
  skipped: shut('reconciled-at-all'),
  empty: shut('not-empty'),
  progressing: shut('healthy'),
  suspended: shut('healthy'),
  flapped: shut('still-so'),
  'not-compared-again': shut('compared-again'),
} as const satisfies Readonly<Record<string, Expected>>;

export type RecordingName = keyof typeof RECORDED;

type Tried =
  | { readonly recorded: readonly RecordingName[] }
  | { readonly byHand: GateInput; readonly shutBy: ConditionName; readonly why: string }
  /** The gate is not what stands against it: the title of a test in that file begins so. */
  | { readonly elsewhere: string; readonly test: string }
  | { readonly never: string };

interface Way {
  readonly title: string;
  readonly tried: Tried;
}

const recorded = (title: string, ...names: RecordingName[]): Way => ({
  title,
  tried: { recorded: names },
});
const elsewhere = (title: string, file: string, test: string): Way => ({
  title,
  tried: { elsewhere: file, test },
});

const EMBEDDED = 'src/engines/embedded';
const SUITES = 'test/stack/suites';

export const WAYS: readonly Way[] = [
  recorded('health from before the operation', 'health-from-before'),
  recorded('the same second', 'same-second'),
  recorded('never compared', 'never-compared'),
  recorded('the watch cache lags behind the apply', 'cache-behind'),
  recorded('a controller that has not seen the new spec', 'generation-not-observed'),
  recorded('a resource is missing', 'resource-missing', 'resource-missing-live'),
  recorded('manifests that cannot be rendered', 'not-rendered'),
  recorded('a repository that cannot be read: the status is not written', 'repository-away'),
  recorded('a refresh that is still to come, or was lost', 'refresh-pending'),
  {
    title: 'a status that is too large to be stored',
    tried: {
      byHand: gateInput({
        conditions: [{ type: 'UnknownError', message: 'request is too large', since: 90 }],
      }),
      shutBy: 'no-error',
      why: 'it takes ten thousand resources in one Application',
    },
  },
  elsewhere(
    "a child's health that its parent ignores",
    `${SUITES}/deploy.test.ts`,
    'in order, then unchanged',
  ),
  recorded('a spec that was changed and not compared', 'spec-changed'),
  recorded('a resource whose health is told to be ignored: evidence', 'health-ignored'),
  recorded('a kind without a health check: evidence', 'kind-without-health'),
  recorded('a Job that was resumed and runs', 'job-resumed'),
  recorded('pruning that was skipped', 'prune-skipped'),
  recorded('pruning that waits to be confirmed', 'prune-to-be-confirmed'),
  {
    title: 'manifests or objects from a stale cache, reported as Synced',
    tried: { never: 'nothing that Argo CD shows tells it from the truth; the dwell narrows it' },
  },
  recorded('an operation of somebody else after ours', 'another-operation'),
  recorded('an operation that failed, and health from before', 'operation-failed'),
  recorded('a hook that failed after everything was applied', 'hook-failed'),
  recorded('an automated try that failed before ours: no more than that', 'failed-before'),
  recorded('an operation whose record is gone', 'record-gone'),
  recorded('an operation that waits to be taken up', 'waits-to-be-taken-up'),
  recorded('an operation that waits for a retry', 'waits-for-retry'),
  elsewhere(
    'a reply that is lost',
    `${EMBEDDED}/run-deploy.test.ts`,
    'a reply that is lost leads to no second operation',
  ),
  recorded('Git that moved on elsewhere: no more than that', 'git-moved-on'),
  recorded('deleted and made anew', 'made-anew'),
  recorded('being deleted', 'being-deleted'),
  recorded('told to be skipped', 'skipped'),
  {
    title: 'a source hydrator that failed for the newest commit',
    tried: {
      byHand: gateInput({ hydrated: true }),
      shutBy: 'not-hydrated',
      why: 'the stack has no commit server, without which nothing is hydrated',
    },
  },
  recorded('nothing in it', 'empty'),
  recorded('not ready yet', 'progressing'),
  recorded('paused', 'suspended'),
  recorded('a flap during the dwell', 'flapped'),
  recorded('not compared again after the dwell', 'not-compared-again'),
  elsewhere(
    'Degraded for longer than its grace',
    'test/guards/gate-health.test.ts',
    'what is Degraded for longer than its grace has failed, and not before',
  ),
  elsewhere(
    'a sync window of somebody else',
    `${SUITES}/deploy-authority.test.ts`,
    "a customer's allow window that is closed stays closed",
  ),
  elsewhere(
    'a watch that loses events or says nothing',
    'src/targets/kubernetes/watch.test.ts',
    'a stream that says nothing for 90 s is opened again',
  ),
  elsewhere(
    'a token that is revoked',
    `${SUITES}/client-connect.test.ts`,
    'is read from the Secret, and again when it was revoked',
  ),
  recorded('what all of them are measured by', 'healthy'),
];
