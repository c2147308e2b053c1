// Who or what started a run.

const TRIGGERS = ['cli', 'workflow', 'event'] as const;
type TriggerKind = (typeof TRIGGERS)[number];

/** What called the program: a user at a command line, a Workflow, or an event of that name. */
export interface Trigger {
  readonly kind: TriggerKind;
  /** Of an event. */
  readonly event?: string;
  /** Of a Workflow: who submitted it, as the Workflow says. */
  readonly submittedBy?: string | undefined;
}

export interface StartedBy {
  readonly trigger: TriggerKind;
  /** As Kubernetes knows the process that runs. Absent: Kubernetes did not say it. */
  readonly user?: string;
  /** That of the token. Absent: the token names none. */
  readonly argocdAccount?: string;
  /** The name of the event. */
  readonly event?: string;
  /** Who submitted the Workflow, as the Workflow says: its pods cannot verify it. */
  readonly submittedBy?: string;
}

export const CLI: Trigger = { kind: 'cli' };

/** As a variable of the executor has it. At most 70 characters. */
export const TRIGGER_FORM = /^(cli|workflow|event:[a-z][a-z0-9-]{0,62})$/;

/** Of a text of that form. */
export function triggerOf(text: string): Trigger {
  const [kind, event] = text.split(':');
  const found = TRIGGERS.find((one) => one === kind) ?? 'cli';
  return event === undefined ? { kind: found } : { kind: found, event };
}

const NAME_MAX = 128;

/** Nothing in it is a template of Argo Workflows, an expression or an option, with any name. */
export function claimedName(name: string): string {
  const known = name.replaceAll(/[^\p{L}\p{N}@._:+/=, -]/gu, '?').trim();
  return [...known].slice(0, NAME_MAX).join('');
}

/** In a word or two. */
export function starterName({ trigger, user, event, submittedBy }: StartedBy): string {
  if (trigger === 'event') return event === undefined ? 'an event' : `event ${event}`;
  if (submittedBy !== undefined) return `${submittedBy} (unverified)`;
  return user ?? (trigger === 'workflow' ? 'a Workflow' : 'an unknown user');
}

/** With the identities that the run itself has. */
export function renderStartedBy(startedBy: StartedBy): string {
  const { trigger, user, submittedBy, argocdAccount } = startedBy;
  const isOther = trigger === 'event' || submittedBy !== undefined;
  return [
    starterName(startedBy),
    ...(isOther && user !== undefined ? [`as ${user}`] : []),
    ...(argocdAccount === undefined ? [] : [`Argo CD account ${argocdAccount}`]),
  ].join(', ');
}
