// The gate: a pure function from what was observed to a verdict. It opens only on proof; Healthy alone proves nothing.
// Each condition stands against a way in which Argo CD's Healthy is known to be untrue, and each is tested by taking it
// out: something must then be fooled.
import type { Settings } from '../model/settings.ts';
import {
  type ApplicationView,
  type LiveResource,
  type ResourceView,
  renderResource,
} from '../ports/application-view.ts';
import type { Evidence, Unmet } from '../run/verdict.ts';
import { errorOf } from './error-conditions.ts';

/** What was observed, and what it is measured by. */
export interface GateInput {
  readonly application: ApplicationView;
  readonly live: readonly LiveResource[];
  /** The object that the node began with. */
  readonly uid: string;
  readonly settings: Settings['gate'];
  /** The operation that must have succeeded; undefined where the node made none and adopted none. */
  readonly operation: AwaitedOperation | undefined;
  /** The comparison must have begun after this second: the operation's end, or what was asked for at first. */
  readonly laterThan: number;
  /** The verdict before the dwell; undefined at the first look. */
  readonly before: Evidence | undefined;
}

export interface AwaitedOperation {
  /** The value of `tiphys/op`, or undefined for an adopted operation of someone else. */
  readonly id: string | undefined;
  readonly finishedAt: number;
  readonly revisions: readonly string[];
}

export type Verdict =
  | { readonly open: true; readonly evidence: Evidence }
  | { readonly open: false; readonly unmet: Unmet };

interface Condition {
  readonly name: string;
  /** A sentence, with the resource that it is about, where the condition does not hold. */
  readonly unmet: (input: GateInput) => Omit<Unmet, 'condition'> | undefined;
}

const says = (message: string, resource?: string) => ({ message, resource });

export const CONDITIONS = [
  {
    name: 'same-object',
    unmet: ({ application, uid }) =>
      application.uid === uid ? undefined : says('it was deleted and made anew meanwhile'),
  },
  {
    name: 'not-deleting',
    unmet: ({ application }) => (application.deleting ? says('it is being deleted') : undefined),
  },
  {
    name: 'reconciled-at-all',
    unmet: ({ application }) =>
      application.skipped ? says('Argo CD was told to skip it (skip-reconcile)') : undefined,
  },
  {
    name: 'no-operation-running',
    unmet: ({ application }) => {
      const { operation, operationState } = application;
      if (!operation && operationState?.phase !== 'Running') return undefined;
      return says(`an operation is running${operationState ? `: ${operationState.message}` : ''}`);
    },
  },
  {
    name: 'right-operation',
    unmet: ({ application, operation }) => {
      const state = application.operationState;
      if (!operation) {
        // A hook that failed after everything was applied leaves it Synced and Healthy.
        const failed = state?.phase === 'Failed' || state?.phase === 'Error';
        return failed ? says(`its last operation ${state.phase}: ${state.message}`) : undefined;
      }
      if (!state) return says('the record of its operation is gone');
      if (state.phase !== 'Succeeded')
        return says(`its operation ${state.phase}: ${state.message}`);
      if (operation.id !== undefined && state.infos.get('tiphys/op') !== operation.id) {
        return says('another operation came after ours');
      }
      if (state.finishedAt !== operation.finishedAt) return says('a later operation has ended');
      return undefined;
    },
  },
  {
    name: 'no-refresh-pending',
    unmet: ({ application }) =>
      application.refreshPending ? says('a refresh is still to come') : undefined,
  },
  {
    name: 'compared-afterwards',
    unmet: ({ application, laterThan }) => {
      const { reconciledAt } = application;
      // Whole seconds: the same second may be from before.
      if (reconciledAt !== undefined && reconciledAt > laterThan) return undefined;
      return says('Argo CD has not compared it since');
    },
  },
  {
    name: 'compared-to-the-spec',
    unmet: ({ application }) =>
      application.compared === application.wanted
        ? undefined
        : says('Argo CD has not compared it to its current spec'),
  },
  {
    // Before the revision: where Git could not be asked, Argo CD shows the branch's name in its place.
    name: 'no-error',
    unmet: ({ application }) => {
      const error = errorOf(application);
      return error && says(`${error.type}: ${error.message}`);
    },
  },
  {
    name: 'right-revision',
    unmet: ({ application, operation }) => {
      if (!operation || sameList(application.sync.revisions, operation.revisions)) return undefined;
      const [now, then] = [application.sync.revisions, operation.revisions].map(short);
      return says(`Git has moved on: ${now} is wanted, ${then} was deployed`);
    },
  },
  {
    name: 'synced',
    unmet: ({ application, settings }) => {
      const tolerated = new Set(settings.ignoreOutOfSync);
      const wrong = application.resources.find(
        (resource) => resource.status !== 'Synced' && !tolerated.has(kindAndName(resource)),
      );
      if (wrong) return outOfSync(wrong);
      if (application.sync.status === 'Synced') return undefined;
      const excused = application.sync.status === 'OutOfSync' && tolerated.size > 0;
      return excused && application.resources.some(({ status }) => status !== 'Synced')
        ? undefined
        : says(`it is ${application.sync.status}`);
    },
  },
  {
    name: 'not-empty',
    unmet: ({ application, settings }) =>
      application.resources.length > 0 || settings.allowEmpty
        ? undefined
        : says('it has no resources, so its health means nothing'),
  },
  {
    name: 'healthy',
    unmet: ({ application, settings }) => {
      const { status, message } = application.health;
      if (status === 'Healthy' || (status === 'Suspended' && settings.allowSuspended))
        return undefined;
      const worst = application.resources.find((resource) => resource.health?.status === status);
      const reason = worst?.health?.message || message;
      return says(`it is ${status}${reason ? `: ${reason}` : ''}`, worst && renderResource(worst));
    },
  },
  {
    name: 'all-present',
    unmet: ({ live }) => {
      const absent = live.find(({ present }) => !present);
      return absent && says('a resource is missing', renderResource(absent));
    },
  },
  {
    name: 'generations-observed',
    unmet: ({ live }) => {
      const behind = live.find(
        ({ generation, observedGeneration }) =>
          generation !== undefined &&
          observedGeneration !== undefined &&
          observedGeneration < generation,
      );
      return (
        behind && says('its controller has not looked at the new spec yet', renderResource(behind))
      );
    },
  },
  {
    name: 'jobs-finished',
    unmet: ({ live }) => {
      const job = live.find(({ unfinishedJob }) => unfinishedJob);
      return job && says('the Job is not finished', renderResource(job));
    },
  },
  {
    name: 'compared-again',
    unmet: ({ application, before }) =>
      !before || (application.reconciledAt ?? 0) > before.reconciledAt
        ? undefined
        : says('Argo CD has not compared it again since the dwell began'),
  },
  {
    name: 'still-so',
    unmet: ({ application, before }) =>
      !before || (application.health.lastTransition ?? null) === before.healthSince
        ? undefined
        : says('its health changed during the dwell'),
  },
] as const satisfies readonly Condition[];

/** What can be unmet although everything is applied as it should be: only time or the cluster can mend it. */
export const AFTER_SYNCED: ReadonlySet<string> = new Set([
  'healthy',
  'all-present',
  'generations-observed',
  'jobs-finished',
]);

/** Judges the conditions in their order. Tests leave one out to see that it is needed. */
export function judge(input: GateInput, conditions: readonly Condition[] = CONDITIONS): Verdict {
  for (const { name, unmet } of conditions) {
    const reason = unmet(input);
    if (reason) return { open: false, unmet: { condition: name, ...reason } };
  }
  return { open: true, evidence: evidenceOf(input) };
}

function evidenceOf({ application, operation }: GateInput): Evidence {
  const without = application.resources.filter(({ health }) => health === undefined);
  const sound = ['Healthy', application.health.status];
  const ignored = application.resources.filter(
    ({ health }) => health && !sound.includes(health.status),
  );
  return {
    uid: application.uid,
    resourceVersion: application.resourceVersion,
    operation: operation?.id ?? null,
    revisions: application.sync.revisions,
    finishedAt: operation?.finishedAt ?? null,
    reconciledAt: application.reconciledAt ?? 0,
    healthSince: application.health.lastTransition ?? null,
    resources: application.resources.length,
    withoutHealth: [
      ...new Set(without.map(({ group, kind }) => (group ? `${group}/${kind}` : kind))),
    ].sort(),
    ignored: ignored.map(renderResource).sort(),
  };
}

function outOfSync(resource: ResourceView): Omit<Unmet, 'condition'> {
  const reason = resource.requiresPruning
    ? 'it is not in Git any more and would be pruned'
    : `it is ${resource.status}`;
  return says(reason, renderResource(resource));
}

function kindAndName({ kind, name }: ResourceView): string {
  return `${kind}/${name}`;
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}

function short(revisions: readonly string[]): string {
  return revisions.map((revision) => revision.slice(0, 8)).join(', ') || 'nothing';
}
