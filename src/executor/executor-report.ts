// What the executor prints at the end: the command's own result, and what it means in words that need no knowledge of it.
import type { Result as ActionResult, NothingToDo } from '../cli/output/output.ts';
import { type Diagnostic, EXIT, type ExitStatus } from '../errors.ts';
import { API_VERSION } from '../model/api-version.ts';
import { shortName } from '../plan/platform-graph.ts';
import { isThrough } from '../run/events.ts';

export type Result = Exclude<ActionResult, NothingToDo>;

/** By exit status. */
export const STATUS_WORDS = ['success', 'failure', 'partial', 'invalid', 'timeout'] as const;

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
    readonly status: (typeof STATUS_WORDS)[number];
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
  const { components, failures, advice } = result ? meaningOf(result) : NOTHING;
  const wrong = [
    ...failures,
    ...diagnostics.map(({ code, message, file }) => failure(file ?? 'executor', code, message)),
  ];
  const held = result && 'held' in result ? result.held : [];
  const hints = diagnostics.flatMap(({ hint }) => hint || []);
  return {
    apiVersion: API_VERSION,
    kind: 'ExecutorReport',
    action,
    environment,
    exitStatus,
    summary: {
      status: STATUS_WORDS[exitStatus],
      platform: result?.platform ?? null,
      plan: result && 'plan' in result ? result.plan : null,
      dryRun: result?.kind === 'DryRun' || result?.kind === 'Inventory',
    },
    components,
    failures: wrong,
    statistics: {
      durationSeconds,
      components: components.length,
      healthy: components.filter(({ healthy }) => healthy).length,
      failures: wrong.length,
    },
    recommendations: [
      ...new Set([...hints, ...advice, ...aboutHeld(held), ...aboutTime(exitStatus)]),
    ],
    result: result ?? null,
  };
}

interface Meaning {
  readonly components: readonly Component[];
  readonly failures: readonly Failure[];
  /** What to do next. */
  readonly advice: readonly string[];
}

const NOTHING: Meaning = { components: [], failures: [], advice: [] };

function meaningOf(result: Result): Meaning {
  switch (result.kind) {
    case 'Report': {
      const nodes = result.nodes.filter(isComponent);
      const failures = result.nodes
        .filter(({ outcome }) => outcome === 'failed')
        .map(({ id, cause }) =>
          failure(id, 'application-failed', cause?.message ?? 'failed', cause?.resource),
        );
      const components = nodes.map(({ id, outcome }) => component(id, outcome, isThrough(outcome)));
      return { components, failures, advice: toMend(failures) };
    }
    case 'Validation': {
      const nodes = result.nodes.filter(isComponent);
      const failures = [
        ...result.nodes.flatMap(({ id, unmet }) =>
          unmet ? [failure(id, 'gate-shut', unmet.message, unmet.resource)] : [],
        ),
        ...result.unexpected.map((name) => failure(name, 'application-unexpected', UNEXPECTED)),
      ];
      const components = nodes.map(({ id, state }) => component(id, state, state === 'Healthy'));
      return { components, failures, advice: toMend(failures) };
    }
    case 'DryRun': {
      const nodes = result.nodes.filter(isComponent);
      const components = nodes.map(({ id, would }) => component(id, would, would === 'leave'));
      return { ...NOTHING, components };
    }
    case 'Inventory':
      return {
        components: result.applications.map(({ id, deleting }) =>
          component(id, deleting ? 'deleting' : 'there', false),
        ),
        failures: result.refusals.map(({ node, code, message }) =>
          failure(node ?? 'platform', code, message),
        ),
        advice: [
          `Check \`result\`. To approve it, set CONFIRMATION_TOKEN to ${result.platform}@${result.hash}.`,
        ],
      };
    case 'Bootstrap': {
      const failed = result.roles.flatMap(({ role, failure: why }) => (why ? [{ role, why }] : []));
      return {
        components: result.roles.map(({ role, status }) =>
          component(role, status, status === 'success'),
        ),
        failures: failed.map(({ role, why }) =>
          failure(role, 'bootstrap-failed', why.message, why.object ?? undefined),
        ),
        advice: failed.flatMap(({ why }) => why.hint || []),
      };
    }
    // Submitted: what becomes of its components, the Workflow will tell.
    default:
      return {
        ...NOTHING,
        advice: [
          `The Workflow ${result.namespace}/${result.workflow} is running in the cluster: follow it with \`tiphys status --watch\`, stop it with \`tiphys stop\`.`,
        ],
      };
  }
}

/** An open says only that an operation began; whether its Application is Healthy, its close says. */
const isComponent = ({ id }: { readonly id: string }): boolean => !id.startsWith('open:');

const component = (id: string, state: string, healthy: boolean): Component => ({
  name: shortName(id),
  state,
  healthy,
});

const failure = (id: string, type: string, message: string, resource?: string): Failure => ({
  component: shortName(id),
  type,
  message,
  resource,
});

const UNEXPECTED = 'A parent of the platform created it, but the platform file does not list it.';

const toMend = (failures: readonly Failure[]): string[] =>
  failures.length === 0
    ? []
    : [
        `Fix ${failures.map(({ component: name }) => name).join(', ')} in Git, then rerun the action to resume.`,
      ];

const aboutHeld = (held: readonly string[]): string[] =>
  held.length === 0
    ? []
    : [
        `On hold, so that Argo CD does not sync them out of order: ${held.map(shortName).join(', ')}. The next run takes the hold over; \`tiphys release\` lifts it.`,
      ];

const aboutTime = (exitStatus: ExitStatus): string[] =>
  exitStatus === EXIT.timeout ? ['Raise timeouts.run, or find out what was slow.'] : [];
