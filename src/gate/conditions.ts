// The conditions of the gate, one row each, in the order in which they are judged. Each stands against a way in which Argo CD's
// Healthy is known to be untrue, and each is tested by taking it out: something must then be fooled.
import { probeTarget } from '../model/probe.ts';
import type { Settings } from '../model/settings.ts';
import {
  type ApplicationView,
  HYDRATED,
  type LiveResource,
  type OperationState,
  renderResource,
} from '../ports/application-view.ts';
import { approvalNeeded, type Decision, renderDecision } from './decision.ts';
import { drift, ownObjects, ownResources } from './drift.ts';
import { errorOf } from './error-conditions.ts';
import type { Evidence } from './evidence.ts';
import { type ProbeResult, probeFailed } from './probe-result.ts';
import type { Reason } from './reason.ts';

/** What was observed, and what it is measured by. */
export interface GateInput {
  readonly application: ApplicationView;
  readonly live: readonly LiveResource[];
  /** On what is deployed now; of denials only one of this run. `unread`: nobody looked, and it keeps nothing shut. */
  readonly decision: Decision | 'unread' | undefined;
  /** On what is there now; undefined: there was none yet. `unread`: whoever only looks does not probe, and it keeps nothing shut. */
  readonly probe: ProbeResult | 'unread' | undefined;
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

/** The columns of the table, beside name and `unmet`. */
export interface Traits {
  /** It can be unmet although everything is applied as it should be: only time or the cluster can fix it. */
  readonly afterSynced: boolean;
  /** What can make it hold: nothing any more, the comparison that was asked for, or a change. */
  readonly passing: 'never' | 'comparison' | 'change';
  /** How one learns of it: Argo CD tells by a change of the Application, or has to be asked. */
  readonly learnt: 'told' | 'asked';
  /** The state of an application in which it is unmet, where its health does not say more. */
  readonly shownAs: 'Degraded' | 'Progressing' | 'Failed';
}

interface Condition<Name extends string = string> extends Traits {
  readonly name: Name;
  /** Undefined where it holds. */
  readonly unmet: (input: GateInput) => Reason | undefined;
}

const USUAL: Traits = {
  afterSynced: false,
  passing: 'change',
  learnt: 'told',
  shownAs: 'Degraded',
};

function condition<const Name extends string>(
  name: Name,
  unusual: Partial<Traits>,
  unmet: Condition['unmet'],
): Condition<Name> {
  return { name, unmet, ...USUAL, ...unusual };
}

const says = (message: string, resource?: string): Reason => ({ message, resource });

export const CONDITIONS = [
  condition('same-object', { passing: 'never' }, ({ application, uid }) =>
    application.uid === uid ? undefined : says('it was deleted and made anew meanwhile'),
  ),
  condition('not-deleting', { passing: 'never' }, ({ application }) =>
    application.deleting ? says('it is being deleted') : undefined,
  ),
  condition('reconciled-at-all', { passing: 'never' }, ({ application }) =>
    application.skipped ? says('Argo CD was told to skip it (skip-reconcile)') : undefined,
  ),
  condition('not-hydrated', { passing: 'never' }, ({ application }) =>
    application.hydrated ? says(HYDRATED) : undefined,
  ),
  condition('no-operation-running', { shownAs: 'Progressing' }, ({ application }) => {
    const { operation, operationState } = application;
    if (!operation && !isUnended(operationState)) return undefined;
    return says(`an operation is running${operationState ? `: ${operationState.message}` : ''}`);
  }),
  condition('right-operation', {}, ({ application, operation }) => {
    const state = application.operationState;
    if (!operation) {
      // A hook that failed after everything was applied leaves it Synced and Healthy.
      const failed = state?.phase === 'Failed' || state?.phase === 'Error';
      return failed ? says(`its last operation ${state.phase}: ${state.message}`) : undefined;
    }
    if (!state) return says('the record of its operation is gone');
    if (state.phase !== 'Succeeded') return says(`its operation ${state.phase}: ${state.message}`);
    if (operation.id !== undefined && state.infos.get('tiphys/op') !== operation.id) {
      return says('another operation came after ours');
    }
    if (state.finishedAt !== operation.finishedAt) return says('a later operation has ended');
    return undefined;
  }),
  condition(
    'no-refresh-pending',
    { passing: 'comparison', learnt: 'asked', shownAs: 'Progressing' },
    ({ application }) =>
      application.refreshPending ? says('a refresh is still to come') : undefined,
  ),
  condition(
    'compared-afterwards',
    { passing: 'comparison', learnt: 'asked', shownAs: 'Progressing' },
    ({ application, laterThan }) => {
      const { reconciledAt } = application;
      // Whole seconds: the same second may be from before.
      if (reconciledAt !== undefined && reconciledAt > laterThan) return undefined;
      return says('Argo CD has not compared it since');
    },
  ),
  condition(
    'compared-to-the-spec',
    { learnt: 'asked', shownAs: 'Progressing' },
    ({ application }) =>
      application.compared === application.wanted
        ? undefined
        : says('Argo CD has not compared it to its current spec'),
  ),
  condition('no-error', { learnt: 'asked', shownAs: 'Failed' }, ({ application }) => {
    const error = errorOf(application);
    return error && says(`${error.type}: ${error.message}`);
  }),
  // At whatever revision: a newer one at which it is Synced wants what was deployed.
  condition('synced', {}, ({ application, settings }) => drift(application, settings)),
  condition('not-empty', {}, ({ application, settings }) =>
    ownResources(application).length > 0 || settings.allowEmpty
      ? undefined
      : says('it has no resources, so its health means nothing'),
  ),
  condition('healthy', { afterSynced: true }, ({ application, settings }) => {
    const { status, message } = application.health;
    if (status === 'Healthy' || (status === 'Suspended' && settings.allowSuspended))
      return undefined;
    const worst = application.resources.find((resource) => resource.health?.status === status);
    const reason = worst?.health?.message || message;
    return says(`it is ${status}${reason ? `: ${reason}` : ''}`, worst && renderResource(worst));
  }),
  condition('all-present', { afterSynced: true, learnt: 'asked' }, ({ application, live }) => {
    const absent = ownObjects(application, live).find(({ present }) => !present);
    return absent && says('a resource is missing', renderResource(absent));
  }),
  condition(
    'generations-observed',
    { afterSynced: true, learnt: 'asked', shownAs: 'Progressing' },
    ({ application, live }) => {
      const behind = ownObjects(application, live).find(
        ({ generation, observedGeneration }) =>
          generation !== undefined &&
          observedGeneration !== undefined &&
          observedGeneration < generation,
      );
      return (
        behind && says('its controller has not looked at the new spec yet', renderResource(behind))
      );
    },
  ),
  condition(
    'jobs-finished',
    { afterSynced: true, learnt: 'asked', shownAs: 'Progressing' },
    ({ application, live }) => {
      const job = ownObjects(application, live).find(({ unfinishedJob }) => unfinishedJob);
      return job && says('the Job is not finished', renderResource(job));
    },
  ),
  // After all that Argo CD and the cluster can say: nobody is asked about what is not good anyway.
  condition(
    'not-denied',
    { afterSynced: true, passing: 'never', learnt: 'asked', shownAs: 'Failed' },
    ({ settings, decision }) => {
      if (settings.approval === undefined || !decision || decision === 'unread') return undefined;
      return decision.approved ? undefined : says(renderDecision(decision));
    },
  ),
  condition(
    'approved',
    { afterSynced: true, learnt: 'asked', shownAs: 'Progressing' },
    ({ settings, decision }) =>
      settings.approval === undefined || decision !== undefined
        ? undefined
        : says(approvalNeeded(settings.approval)),
  ),
  // Nothing is tried before somebody has approved it.
  condition(
    'probed',
    { afterSynced: true, learnt: 'asked', shownAs: 'Progressing' },
    ({ settings, probe }) => {
      if (settings.probe === undefined || probe === 'unread' || probe?.succeeded) return undefined;
      const message = probe ? probeFailed(probe) : 'its probe has not succeeded yet';
      return says(message, probeTarget(settings.probe));
    },
  ),
  condition(
    'compared-again',
    { passing: 'comparison', learnt: 'asked', shownAs: 'Progressing' },
    ({ application, before }) =>
      !before || (application.reconciledAt ?? 0) > before.reconciledAt
        ? undefined
        : says('Argo CD has not compared it again since the dwell began'),
  ),
  condition('still-so', {}, ({ application, before }) =>
    !before || (application.health.lastTransition ?? null) === before.healthSince
      ? undefined
      : says('its health changed during the dwell'),
  ),
] as const;

export type GateCondition = (typeof CONDITIONS)[number]['name'];

/** What a node waits for beside its gate. */
export type WaitCondition =
  | 'exists'
  | 'blocked'
  | 'accepted'
  | 'unexpected-child'
  | 'dwell'
  | 'idle'
  | 'saved'
  | 'gone'
  // Of a whole run: its hold is not written, and nothing begins before it is.
  | 'hold'
  // Of a Workflow, by whoever follows it.
  | 'controller'
  | 'workflow'
  | 'lease'
  | 'pod';

const TRAITS: ReadonlyMap<string, Traits> = new Map(CONDITIONS.map((row) => [row.name, row]));

export const traitsOf = (name: GateCondition | WaitCondition): Traits => TRAITS.get(name) ?? USUAL;

/** Also where the request is gone and its end was never written. */
function isUnended(state: OperationState | undefined): boolean {
  return state?.phase === 'Running' || state?.phase === 'Terminating';
}
