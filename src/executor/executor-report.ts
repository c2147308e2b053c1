// What the executor prints at the end: the command's own result, and what it means in words that need no knowledge of it.
import type { RoleFailure } from '../bootstrap/bootstrap-report.ts';
import type { Result as ActionResult, NothingToDo } from '../cli/output/output.ts';
import type { Diagnostic, ExitStatus } from '../errors.ts';
import { API_VERSION } from '../model/api-version.ts';
import { shortName } from '../plan/platform-graph.ts';
import { isThrough } from '../run/events.ts';

export type Result = Exclude<ActionResult, NothingToDo>;

const STATUS_WORDS = ['success', 'failure', 'partial', 'invalid', 'timeout'] as const;
export type StatusWord = (typeof STATUS_WORDS)[number];
export const statusWord = (exitStatus: ExitStatus): StatusWord => STATUS_WORDS[exitStatus];

interface Component {
  readonly name: string;
  readonly state: string;
  readonly healthy: boolean;
}

interface Failure {
  readonly component: string;
  readonly type: string;
  readonly message: string;
  readonly resource?: string | undefined;
}

export interface ExecutorReport {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'ExecutorReport';
  readonly action: string;
  readonly environment: string | null;
  readonly exitStatus: ExitStatus;
  readonly summary: {
    readonly status: StatusWord;
    readonly platform: string | null;
    readonly plan: string | null;
    readonly dryRun: boolean;
  };
  readonly components: readonly Component[];
  readonly failures: readonly Failure[];
  readonly statistics: {
    readonly durationSeconds: number;
    readonly components: number;
    readonly healthy: number;
    readonly failures: number;
  };
  readonly recommendations: readonly string[];
  /** What the command itself gave; null where it came to none. */
  readonly result: Result | null;
}

export interface Ended {
  readonly action: string;
  readonly environment: string | undefined;
  readonly exitStatus: ExitStatus;
  readonly durationSeconds: number;
  readonly result: Result | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function executorReport(ended: Ended): ExecutorReport {
  const { action, environment = null, exitStatus, durationSeconds, result, diagnostics } = ended;
  const components = result ? componentsOf(result) : [];
  const failures = [...(result ? failuresOf(result) : []), ...diagnostics.map(diagnosticFailure)];
  const healthy = components.filter((component) => component.healthy).length;
  return {
    apiVersion: API_VERSION,
    kind: 'ExecutorReport',
    action,
    environment,
    exitStatus,
    summary: {
      status: statusWord(exitStatus),
      platform: result?.platform ?? null,
      plan: result && 'plan' in result ? result.plan : null,
      dryRun: result?.kind === 'DryRun' || result?.kind === 'Inventory',
    },
    components,
    failures,
    statistics: {
      durationSeconds,
      components: components.length,
      healthy,
      failures: failures.length,
    },
    recommendations: recommendationsOf(ended),
    result: result ?? null,
  };
}

/** An open says only that an operation began; whether its Application is Healthy, its close says. */
const isComponent = ({ id }: { readonly id: string }): boolean => !id.startsWith('open:');

function componentsOf(result: Result): Component[] {
  if (result.kind === 'Report') {
    return result.nodes.filter(isComponent).map(({ id, outcome }) => ({
      name: shortName(id),
      state: outcome,
      healthy: isThrough(outcome),
    }));
  }
  if (result.kind === 'Bootstrap') {
    return result.roles.map(({ role, status }) => ({
      ...{ name: role, state: status, healthy: status === 'success' },
    }));
  }
  if (result.kind === 'Validation') {
    return result.nodes.filter(isComponent).map(({ id, state }) => ({
      name: shortName(id),
      state,
      healthy: state === 'Healthy',
    }));
  }
  // What becomes of them, the Workflow will tell.
  if (result.kind === 'Submitted') return [];
  if (result.kind === 'Inventory') {
    return result.applications.map(({ id, deleting }) => ({
      name: shortName(id),
      state: deleting ? 'deleting' : 'there',
      healthy: false,
    }));
  }
  return result.nodes.filter(isComponent).map(({ id, would }) => ({
    name: shortName(id),
    state: would,
    healthy: would === 'leave',
  }));
}

function failuresOf(result: Result): Failure[] {
  if (result.kind === 'Report') {
    return result.nodes
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ id, cause }) => ({
        component: shortName(id),
        type: 'application-failed',
        message: cause?.message ?? 'failed',
        resource: cause?.resource,
      }));
  }
  if (result.kind === 'DryRun' || result.kind === 'Submitted') return [];
  if (result.kind === 'Bootstrap') {
    return result.roles.flatMap(({ role, failure }) =>
      failure === null ? [] : [bootstrapFailure(role, failure)],
    );
  }
  if (result.kind === 'Inventory') {
    return result.refusals.map(({ node, code, message }) => ({
      component: node === null ? 'platform' : shortName(node),
      type: code,
      message,
    }));
  }
  const shut = result.nodes
    .filter(({ unmet }) => unmet !== null)
    .map(({ id, unmet }) => ({
      component: shortName(id),
      type: 'gate-shut',
      message: unmet?.message ?? '',
      resource: unmet?.resource,
    }));
  const unexpected = result.unexpected.map((component) => ({
    component,
    type: 'application-unexpected',
    message: 'It is made by the platform, but is not in its file.',
  }));
  return [...shut, ...unexpected];
}

function bootstrapFailure(role: string, failure: RoleFailure): Failure {
  const { message, object } = failure;
  return {
    ...{ component: role, type: 'bootstrap-failed', message },
    ...(object === null ? {} : { resource: object }),
  };
}

const diagnosticFailure = ({ code, message, file }: Diagnostic): Failure => ({
  component: file ?? 'executor',
  type: code,
  message,
});

const bootstrapHints = (result: Result | undefined) =>
  result?.kind === 'Bootstrap' ? result.roles.flatMap(({ failure }) => failure ?? []) : [];

function recommendationsOf({ result, diagnostics, exitStatus }: Ended): string[] {
  const hints = [...diagnostics, ...bootstrapHints(result)].flatMap(({ hint }) => hint || []);
  const held = result && 'held' in result ? result.held : [];
  const failed = result ? failuresOf(result).map(({ component }) => component) : [];
  return [
    ...new Set(hints),
    ...(result?.kind === 'Inventory'
      ? [
          `Read \`result\`; to approve it, set CONFIRMATION_TOKEN to ${result.platform}@${result.hash}.`,
        ]
      : []),
    ...(result?.kind === 'Submitted'
      ? [
          `The Workflow ${result.namespace}/${result.workflow} goes on by itself: \`tiphys status --watch\` follows it to its report, \`tiphys stop\` ends it.`,
        ]
      : []),
    ...(failed.length > 0 && result?.kind !== 'Inventory' && result?.kind !== 'Bootstrap'
      ? [`Mend ${failed.join(', ')} in Git, then run the same action again: it goes on from there.`]
      : []),
    ...(held.length > 0
      ? [
          `Still held, so that Argo CD does not deploy them by itself: ${held.map(shortName).join(', ')}. The next run takes the hold over; \`tiphys release\` lifts it.`,
        ]
      : []),
    ...(exitStatus === 4 ? ['Raise timeouts.run, or find out what took so long.'] : []),
  ];
}
