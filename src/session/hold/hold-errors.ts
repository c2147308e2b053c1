// What can be wrong with a hold, each with what to do about it.

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
    'Find out who writes spec.syncWindows there, then run the same command again.',
  );
}

export function holdNotWritten(run: string): TiphysError {
  return error(
    'lease-lost',
    `Run ${run} could not write its hold: its Lease was not renewed.`,
    'Run the same command again: it takes over what is still held.',
  );
}

/** `how`: what was sent and answered. */
export function holdNotTaken(run: string, how: string): TiphysError {
  return error(
    'hold-not-written',
    `Run ${run} could not write its hold: ${how}.`,
    'Look at the Kubernetes API server and at its admission webhooks for AppProjects, then run the same command again.',
  );
}

/** By a right that is missing, or by admission: a webhook, a policy, the schema. */
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
  'Look at the admission webhooks and policies for AppProjects, then run the same command again.';

/** Tiphys itself sends nothing else than the policy allows. */
const CHANGED_ON_THE_WAY =
  'A mutating webhook or policy changes AppProjects on the way, such as their labels, and that counts as a change by Tiphys. Exclude AppProjects from it, or the ServiceAccounts of Tiphys (`kubectl get mutatingwebhookconfigurations`). Then run the same command again.';

export function projectMissing(project: string): TiphysError {
  return error(
    'project-missing',
    `There is no AppProject ${quote(project)}.`,
    'Make it before the run, or correct argocd.project in the platform file.',
  );
}

/** Nobody can be named for it: its annotation is gone or was changed. */
export function projectHeld(project: string, { slot, names }: Hold): TiphysError {
  const shown = names.slice(0, NAMES_SHOWN).join(', ');
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
  return error(
    'project-held',
    `On the AppProject ${quote(project)} a hold without an owner has ${shown}${more}.`,
    `Set its annotation ${annotationOf(slot)} back to PLATFORM/RUN and use \`tiphys release\` of that platform, or remove the window.`,
  );
}

export function windowsManaged(project: string, owner: WindowsOwner): TiphysError {
  if ('manager' in owner) {
    return error(
      'project-managed-windows',
      `The field manager ${quote(owner.manager)} applies the AppProject ${quote(project)} server-side, with syncWindows: its next apply would remove the hold.`,
      'Drop syncWindows from what it applies, and apply it once more; windows that are to stay can be set with `argocd proj windows add`.',
    );
  }
  return error(
    'project-managed-windows',
    `The Application ${quote(owner.application)} has the AppProject ${quote(project)} in its Git, with syncWindows: its sync would remove the hold.`,
    'Drop syncWindows from the manifest, or give that Application ignoreDifferences: [{group: argoproj.io, kind: AppProject, jsonPointers: [/spec/syncWindows]}] and syncPolicy.syncOptions: [RespectIgnoreDifferences=true].',
  );
}

function error(code: ErrorCode, message: string, hint: string): TiphysError {
  return new TiphysError([{ code, message, hint }]);
}

export function notHeld({ application }: PlanNode): TiphysError {
  const message = `Application ${quote(application ?? '')} cannot be held: its own operation does not end, though it was terminated.`;
  return new TiphysError([
    { code: 'operation-endless', message, hint: 'Look at it with `argocd app get`.' },
  ]);
}

export function syncsOfTheirOwn(nodes: readonly PlanNode[]): string {
  const names = nodes.map(({ application }) => quote(application ?? '')).join(', ');
  return `Applications called ${names} have syncs of their own in progress, which must end first`;
}
