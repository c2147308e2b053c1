// Folds events into the result of every role, phase by phase.
import { EXIT, type ExitStatus, withoutPasswords } from '../errors.ts';
import { API_VERSION } from '../model/api-version.ts';
import type { BootstrapEvent } from './events.ts';
import { PHASES, type Phase, type Role } from './roles.ts';

export interface PhaseReport {
  readonly phase: Phase;
  readonly outcome: 'done' | 'failed' | 'skipped';
  readonly changed: number;
  readonly seconds: number;
}

interface RoleFailure {
  readonly phase: Phase | null;
  readonly task: string | null;
  readonly object: string | null;
  readonly message: string;
  readonly hint: string;
}

export interface RoleReport {
  readonly role: Role;
  readonly status: 'success' | 'failed' | 'rolled_back' | 'not_reached';
  readonly version: string | null;
  readonly chart: string | null;
  readonly revision: string | null;
  readonly changed: number;
  readonly seconds: number;
  readonly phases: readonly PhaseReport[];
  readonly failure: RoleFailure | null;
}

export interface BootstrapReport {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'Bootstrap';
  readonly platform: string;
  readonly action: 'install' | 'remove';
  /** Nothing was changed: what would change. */
  readonly check: boolean;
  readonly exitStatus: ExitStatus;
  readonly changed: number;
  readonly roles: readonly RoleReport[];
}

type Asked = Pick<BootstrapReport, 'platform' | 'action' | 'check'> & {
  readonly roles: readonly Role[];
};

/** What Ansible left behind. */
export interface Ending {
  readonly time: string;
  readonly status: number;
  readonly interrupted: boolean;
  /** The end of its output besides its events. */
  readonly said: string;
}

export function reportOf(
  asked: Asked,
  events: readonly BootstrapEvent[],
  ending: Ending,
): BootstrapReport {
  const roles = asked.roles.map((role) => roleReport(role, events, ending));
  const { platform, action, check } = asked;
  return {
    apiVersion: API_VERSION,
    kind: 'Bootstrap',
    platform,
    action,
    check,
    exitStatus: exitStatusOf(roles, ending),
    changed: changedIn(roles),
    roles,
  };
}

const changedIn = (all: readonly { readonly changed: number }[]): number =>
  all.reduce((sum, { changed }) => sum + changed, 0);

/** If Ansible failed, bootstrap has not succeeded, even if all roles reported success. */
function exitStatusOf(roles: readonly RoleReport[], { status, interrupted }: Ending): ExitStatus {
  const good = roles.filter((one) => one.status === 'success').length;
  if (interrupted) return EXIT.partial;
  if (good === roles.length) return status === 0 ? EXIT.ok : EXIT.failure;
  return good > 0 ? EXIT.partial : EXIT.failure;
}

function roleReport(role: Role, all: readonly BootstrapEvent[], ending: Ending): RoleReport {
  const events = all.filter((event) => 'role' in event && event.role === role);
  const [first] = events;
  const finished = events.find((event) => event.type === 'role.finished');
  const phases = phasesOf(events, ending);
  const status = finished?.status ?? (first ? 'failed' : 'not_reached');
  return {
    role,
    status,
    version: textOf(finished?.version),
    chart: textOf(finished?.chart),
    revision: textOf(finished?.revision),
    changed: changedIn(phases),
    seconds: first ? secondsBetween(first.time, finished?.time ?? ending.time) : 0,
    phases,
    failure: first && status !== 'success' ? failureIn(role, events, ending) : null,
  };
}

const textOf = (value: string | number | null | undefined): string | null =>
  value === null || value === undefined || value === '' ? null : String(value);

const tasksIn = (events: readonly BootstrapEvent[]) =>
  events.filter((event) => event.type === 'task.finished');

function phasesOf(events: readonly BootstrapEvent[], ending: Ending): PhaseReport[] {
  const starts = events.filter((event) => event.type === 'phase.started');
  return PHASES.map((phase) => {
    const at = starts.findIndex((one) => one.phase === phase);
    const start = starts[at];
    const tasks = tasksIn(events).filter((task) => task.phase === phase);
    const count = (status: string) => tasks.filter((task) => task.status === status).length;
    if (!start || count('skipped') === tasks.length)
      return { phase, outcome: 'skipped', changed: 0, seconds: 0 };
    const end = starts[at + 1]?.time ?? tasks.at(-1)?.time ?? ending.time;
    return {
      phase,
      outcome: count('failed') > 0 ? 'failed' : 'done',
      changed: count('changed'),
      seconds: secondsBetween(start.time, end),
    };
  });
}

function secondsBetween(from: string, to: string): number {
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 100) / 10);
}

/** The first failed task is the cause: later failures belong to its rollback. */
function failureIn(role: Role, events: readonly BootstrapEvent[], ending: Ending): RoleFailure {
  const failed = tasksIn(events).find(({ status }) => status === 'failed');
  if (!failed) {
    const said = ending.said || 'Ansible printed nothing.';
    const message = ending.interrupted ? 'It was interrupted.' : said;
    const hint = 'Run it again: finished steps are not repeated.';
    return { phase: null, task: null, object: null, message: withoutPasswords(message), hint };
  }
  const { phase, task, object } = failed;
  const message = withoutPasswords(reasonIn(failed.message ?? '', failed.details ?? ''));
  return { phase, task, object: object ?? null, message, hint: hintFor(role, phase) };
}

/** Helm's own message is in its stderr; the module wraps it in the command line. */
function reasonIn(message: string, details: string): string {
  const [, ofHelm] = /(?:^|\n)Error: ([\s\S]*)/.exec(details) ?? [];
  const [first = ''] = message.trim().split('\n');
  return (ofHelm ?? (first || 'no reason given')).trim();
}

const NAMESPACES: Readonly<Record<Role, string>> = {
  argocd: 'the namespace of Argo CD',
  'argo-workflows': 'the namespace of Argo Workflows',
  'argo-events': 'the namespace argo-events',
  'sealed-secrets': 'the namespace sealed-secrets',
  'gitops-handoff': 'the namespace of Argo CD',
};

function hintFor(role: Role, phase: Phase): string {
  const look = `Check pods and events in ${NAMESPACES[role]}, fix the cause, and run again: finished steps are not repeated.`;
  const left = `Check what remains in ${NAMESPACES[role]}, then rerun the command.`;
  const hints: Readonly<Record<Phase, string>> = {
    'pre-check': 'Nothing was changed. Fix the cause, and run again.',
    apply: look,
    test: look,
    validate: 'The role was rolled back. Fix the cause, and run again.',
    rollback: left,
    result: left,
  };
  return hints[phase];
}
