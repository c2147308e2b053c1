// The conditions of the gate, one row each, in the order in which they are judged. Each one covers a known case in which
// Argo CD reports Healthy wrongly. A test removes each condition in turn and must see the gate open wrongly.
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

/** What was observed, and what it is judged against. */
export interface GateInput {
  readonly application: ApplicationView;
  readonly live: readonly LiveResource[];
  /**
   * The decision on what is deployed now; a denial counts only in its own run. `unread`: not looked up, and does not keep
   * the gate shut.
   */
  readonly decision: Decision | 'unread' | undefined;
  /**
   * The probe of the current state; undefined: there was none yet. `unread`: the caller only looks and does not probe;
   * that does not keep the gate shut.
   */
  readonly probe: ProbeResult | 'unread' | undefined;
  /** The uid of the object that the node started with. */
  readonly uid: string;
  readonly settings: Settings['gate'];
  /** The operation that must have succeeded; undefined if the node neither requested nor adopted one. */
  readonly operation: AwaitedOperation | undefined;
  /** The comparison must have started after this second: the end of the operation, or the first request. */
  readonly laterThan: number;
  /** The verdict before the dwell; undefined at the first look. */
  readonly before: Evidence | undefined;
}

export interface AwaitedOperation {
  /** The value of `tiphys/op`; undefined for an adopted operation that another client started. */
  readonly id: string | undefined;
  readonly finishedAt: number;
  readonly revisions: readonly string[];
}

/** The columns of the table besides name and `unmet`. */
export interface Traits {
  /** The condition can be unmet although everything is applied: only time or the cluster can fix it. */
  readonly afterSynced: boolean;
  /** What can make it hold: nothing any more, the requested comparison, or a change. */
  readonly passing: 'never' | 'comparison' | 'change';
  /** How the node learns of a change: the watch on the Application reports it, or the node has to ask. */
  readonly learnt: 'told' | 'asked';
  /** The state to show for an application whose unmet condition this is, if its health does not say more. */
  readonly shownAs: 'Degraded' | 'Progressing' | 'Failed';
}

interface Condition<Name extends string = string> extends Traits {
  readonly name: Name;
  /** Undefined if the condition holds. */
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
    application.uid === uid ? undefined : says('the Application was deleted and recreated'),
  ),
  condition('not-deleting', { passing: 'never' }, ({ application }) =>
    application.deleting ? says('the Application is being deleted') : undefined,
  ),
  condition('reconciled-at-all', { passing: 'never' }, ({ application }) =>
    application.skipped
      ? says('Argo CD does not reconcile it (annotation skip-reconcile)')
      : undefined,
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
      // A hook that failed after everything was applied leaves the Application Synced and Healthy.
      const failed = state?.phase === 'Failed' || state?.phase === 'Error';
      return failed
        ? says(`the last operation ended as ${state.phase}: ${state.message}`)
        : undefined;
    }
    if (!state) return says('the result of the operation is missing');
    if (state.phase !== 'Succeeded')
      return says(`the operation ended as ${state.phase}: ${state.message}`);
    if (operation.id !== undefined && state.infos.get('tiphys/op') !== operation.id) {
      return says('another operation ran after the one of this run');
    }
    if (state.finishedAt !== operation.finishedAt) return says('a later operation has finished');
    return undefined;
  }),
  condition(
    'no-refresh-pending',
    { passing: 'comparison', learnt: 'asked', shownAs: 'Progressing' },
    ({ application }) => (application.refreshPending ? says('a refresh is pending') : undefined),
  ),
  condition(
    'compared-afterwards',
    { passing: 'comparison', learnt: 'asked', shownAs: 'Progressing' },
    ({ application, laterThan }) => {
      const { reconciledAt } = application;
      // Whole seconds: a comparison in the same second may be an earlier one.
      if (reconciledAt !== undefined && reconciledAt > laterThan) return undefined;
      return says('Argo CD has not compared it again yet');
    },
  ),
  condition(
    'compared-to-the-spec',
    { learnt: 'asked', shownAs: 'Progressing' },
    ({ application }) =>
      application.compared === application.wanted
        ? undefined
        : says('Argo CD has not compared it with its current spec'),
  ),
  condition('no-error', { learnt: 'asked', shownAs: 'Failed' }, ({ application }) => {
    const error = errorOf(application);
    return error && says(`${error.type}: ${error.message}`);
  }),
  // At any revision: if it is Synced at a newer one, that revision wants what was deployed.
  condition('synced', {}, ({ application, settings }) => drift(application, settings)),
  condition('not-empty', {}, ({ application, settings }) =>
    ownResources(application).length > 0 || settings.allowEmpty
      ? undefined
      : says('it has no resources, so Healthy proves nothing'),
  ),
  condition('healthy', { afterSynced: true }, ({ application, settings }) => {
    const { status, message } = application.health;
    if (status === 'Healthy' || (status === 'Suspended' && settings.allowSuspended))
      return undefined;
    const worst = application.resources.find((resource) => resource.health?.status === status);
    const reason = worst?.health?.message || message;
    return says(
      `health is ${status}${reason ? `: ${reason}` : ''}`,
      worst && renderResource(worst),
    );
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
        behind && says('its controller has not observed the new spec yet', renderResource(behind))
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
  // After everything that Argo CD and the cluster report: people are asked only about an application that is otherwise
  // ready.
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
  // The probe runs only after the approval.
  condition(
    'probed',
    { afterSynced: true, learnt: 'asked', shownAs: 'Progressing' },
    ({ settings, probe }) => {
      if (settings.probe === undefined || probe === 'unread' || probe?.succeeded) return undefined;
      const message = probe ? probeFailed(probe) : 'the probe has not succeeded yet';
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
      : says('health changed during the dwell'),
  ),
] as const;

export type GateCondition = (typeof CONDITIONS)[number]['name'];

/** What a node waits for besides its gate. */
export type WaitCondition =
  | 'exists'
  | 'blocked'
  | 'accepted'
  | 'unexpected-child'
  | 'dwell'
  | 'idle'
  | 'saved'
  | 'gone'
  // Of a whole run: the hold is not written yet, and nothing starts before it is.
  | 'hold'
  // Of a Workflow, reported by the client that follows it.
  | 'controller'
  | 'workflow'
  | 'lease'
  | 'pod';

const TRAITS: ReadonlyMap<string, Traits> = new Map(CONDITIONS.map((row) => [row.name, row]));

export const traitsOf = (name: GateCondition | WaitCondition): Traits => TRAITS.get(name) ?? USUAL;

/** Also true if the request is gone and its end was never written. */
function isUnended(state: OperationState | undefined): boolean {
  return state?.phase === 'Running' || state?.phase === 'Terminating';
}
