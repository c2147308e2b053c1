// The errors of a hold, each with what to do about it.

import { type ErrorCode, TiphysError } from '../../errors.ts';
import { quote } from '../../model/names.ts';
import type { PlanNode } from '../../plan/plan.ts';
import { annotationOf, type Hold, type WindowsOwner } from '../../run/hold.ts';
import { type Refused, refusal } from '../refused-write.ts';

const NAMES_SHOWN = 5;

export function holdLost(project: string, run: string, how: string): TiphysError {
  return error(
    'hold-lost',
    `Run ${run} lost its hold on the AppProject ${quote(project)}: ${how}.`,
    'Find out what changes spec.syncWindows of this AppProject, then run the same command again.',
  );
}

export function holdNotWritten(run: string): TiphysError {
  return error(
    'lease-lost',
    `Run ${run} could not write its hold: its Lease was not renewed.`,
    'Run the same command again: it takes over the existing hold.',
  );
}

/** `how`: the request and the answer. */
export function holdNotTaken(run: string, how: string): TiphysError {
  return error(
    'hold-not-written',
    `Run ${run} could not write its hold: ${how}.`,
    'Check the Kubernetes API server and its admission webhooks for AppProjects, then run the same command again.',
  );
}

/** Because of a missing permission, or by admission: a webhook, a policy, the schema. */
export function holdRefused(project: string, refused: Refused): TiphysError {
  const { reason, message } = refused;
  const isDenied = reason === 'invalid' || /\bdenied (?:the )?request\b/.test(message);
  if (!isDenied) return refusal(refused, 'cluster', `The AppProject ${quote(project)}`);
  return error(
    'hold-not-written',
    `Kubernetes refuses the hold on the AppProject ${quote(project)}: ${message}.`,
    message.includes("'tiphys-hold'") ? CHANGED_ON_THE_WAY : LOOK_AT_ADMISSION,
  );
}

const LOOK_AT_ADMISSION =
  'Check the admission webhooks and policies for AppProjects, then run the same command again.';

/** Tiphys itself sends only what the policy allows. */
const CHANGED_ON_THE_WAY =
  'A mutating webhook or policy changes AppProjects in transit, for example their labels, and Kubernetes attributes that change to Tiphys. Exclude AppProjects from it, or the ServiceAccounts of Tiphys (`kubectl get mutatingwebhookconfigurations`). Then run the same command again.';

export function projectMissing(project: string): TiphysError {
  return error(
    'project-missing',
    `AppProject ${quote(project)} does not exist.`,
    'Create it before the run, or correct argocd.project in the platform file.',
  );
}

/** It has no known owner: its annotation is missing or was changed. */
export function projectHeld(project: string, { slot, names }: Hold): TiphysError {
  const shown = names.slice(0, NAMES_SHOWN).join(', ');
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
  return error(
    'project-held',
    `The AppProject ${quote(project)} has a hold without an owner on ${shown}${more}.`,
    `Set its annotation ${annotationOf(slot)} back to PLATFORM/RUN and run \`tiphys release\` for that platform, or remove the window.`,
  );
}

export function windowsManaged(project: string, owner: WindowsOwner): TiphysError {
  if ('manager' in owner) {
    return error(
      'project-managed-windows',
      `The field manager ${quote(owner.manager)} applies the AppProject ${quote(project)} server-side, with syncWindows: its next apply would remove the hold.`,
      'Remove syncWindows from the applied manifest, and apply it again; set windows that must stay with `argocd proj windows add`.',
    );
  }
  return error(
    'project-managed-windows',
    `The Application ${quote(owner.application)} has the AppProject ${quote(project)} in its Git, with syncWindows: its sync would remove the hold.`,
    'Remove syncWindows from the manifest, or give that Application ignoreDifferences: [{group: argoproj.io, kind: AppProject, jsonPointers: [/spec/syncWindows]}] and syncPolicy.syncOptions: [RespectIgnoreDifferences=true].',
  );
}

function error(code: ErrorCode, message: string, hint: string): TiphysError {
  return new TiphysError([{ code, message, hint }]);
}

export function notHeld({ application }: PlanNode): TiphysError {
  const message = `Application ${quote(application ?? '')} cannot be put on hold: its automated operation was terminated but does not end.`;
  return new TiphysError([
    { code: 'operation-endless', message, hint: 'Inspect it with `argocd app get`.' },
  ]);
}

export const syncsOfTheirOwn = (nodes: readonly PlanNode[]): string =>
  `Applications called ${namesOf(nodes)} have automated syncs in progress, which must end first`;

/** At the end of a run: the window would freeze what is in progress. */
export const leftFree = (nodes: readonly PlanNode[]): string =>
  `not on hold, because their automated syncs are in progress: ${namesOf(nodes)}. Argo CD can sync them before their dependencies are healthy`;

const namesOf = (nodes: readonly PlanNode[]): string =>
  nodes.map(({ application }) => quote(application ?? '')).join(', ');
