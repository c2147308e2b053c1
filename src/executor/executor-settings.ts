// The executor's configuration: environment variables and mounts in, settings out, or everything that is wrong with them.
import type { Io } from '../cli/io.ts';
import type { GivenOptions } from '../cli/run-cli.ts';
import { type Diagnostic, TiphysError } from '../errors.ts';
import { VOLUMES } from '../inventory/inventory.ts';
import { quote, REFERENCE } from '../model/names.ts';
import { suggestFrom } from '../model/nearest.ts';
import { TRIGGER_FORM, type Trigger, triggerOf } from '../run/started-by.ts';

export const ACTIONS = ['deploy', 'validate', 'teardown'] as const;
export type ExecutorAction = (typeof ACTIONS)[number];

/** What the pods of a Workflow are; nothing for people. */
const POD_ACTIONS = ['begin', 'node', 'end', 'agent'] as const;
export type PodAction = (typeof POD_ACTIONS)[number];
export const isPodAction = (action: string): action is PodAction =>
  POD_ACTIONS.some((one) => one === action);

/** What the pod of a probe is; nothing for people either. */
export const PROBE = 'probe';

const ENVIRONMENTS = ['development', 'staging', 'production'] as const;
/** From the least important on. */
export const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
const FORMATS = ['json', 'text'] as const;
const SWITCH = ['false', 'true'] as const;

export type LogLevel = (typeof LEVELS)[number];

/** How its logs look: known even where the rest of the configuration is wrong. */
export interface LogSettings {
  readonly level: LogLevel;
  readonly format: (typeof FORMATS)[number];
  readonly traceId: string | undefined;
  readonly spanId: string | undefined;
}

export interface ExecutorSettings {
  readonly environment: (typeof ENVIRONMENTS)[number];
  readonly scope: string;
  /** The platform file is the one that comes with the program. */
  readonly isShipped: boolean;
  /** Of the action, by the names that it has for them. */
  readonly options: GivenOptions;
  /** How the cluster is reached, where no file says it. */
  readonly access: Pick<Io, 'kubeconfigText' | 'inCluster'>;
  readonly trigger: Trigger;
}

/** The place inside a cluster: what Kubernetes tells every pod. */
export function inClusterOf(environment: Io['environment']): Io['inCluster'] {
  const host = environment('KUBERNETES_SERVICE_HOST');
  return host ? { host, port: environment('KUBERNETES_SERVICE_PORT') || '443' } : undefined;
}

export const MOUNTS = {
  environment: '/config/environment.yaml',
  platform: '/config/dag.yaml',
  token: '/secrets/argocd-token',
  secrets: '/secrets',
  /** Charts of the primitives, instead of those that came with the image. */
  charts: '/config/charts',
  /** Only in a Workflow that tears down: what was approved. */
  inventory: '/config/inventory.json.gz',
} as const;

const REFERENCE_PLATFORM = 'examples/reference/platform.yaml';

export function platformFileOf({ exists, shipped }: Io): string {
  return exists(MOUNTS.platform) ? MOUNTS.platform : shipped(REFERENCE_PLATFORM);
}

/** A credential in a variable is visible to every user who may read the pod. */
const PLAIN_CREDENTIALS = ['ARGOCD_AUTH_TOKEN', 'ARGOCD_TOKEN', 'ARGOCD_PASSWORD'];

/** Reads variables one by one and keeps everything that is wrong. An empty variable is one that is not set. */
class Variables {
  readonly problems: Diagnostic[] = [];
  readonly #environment: Io['environment'];

  constructor(environment: Io['environment']) {
    this.#environment = environment;
  }

  text(name: string): string | undefined {
    return this.#environment(name) || undefined;
  }

  choice<T extends string>(name: string, choices: readonly T[], usual?: T): T {
    const given = this.text(name);
    const found = choices.find((choice) => choice === (given ?? usual));
    if (found !== undefined) return found;
    const near = given === undefined ? undefined : suggestFrom(choices)(given);
    const hint = near ? `Did you mean "${near}"?` : `Set it to one of ${choices.join(', ')}.`;
    this.wrong(name, given === undefined ? 'is not set' : `is ${quote(given)}`, hint);
    return (usual ?? choices[0]) as T;
  }

  matching(name: string, pattern: RegExp, form: string): string | undefined {
    const given = this.text(name);
    if (given !== undefined && !pattern.test(given)) {
      this.wrong(name, `is ${quote(given)}`, `Write ${form}.`);
    }
    return given;
  }

  wrong(name: string, what: string, hint: string): void {
    this.problems.push({ code: 'variable-invalid', message: `${name} ${what}.`, hint });
  }
}

/** Never throws: every problem is reported in a form that can be reported. */
export const logSettings = ({ environment }: Io): LogSettings =>
  readLogSettings(new Variables(environment));

function readLogSettings(variables: Variables): LogSettings {
  return {
    level: variables.choice('LOG_LEVEL', LEVELS, 'info'),
    format: variables.choice('LOG_FORMAT', FORMATS, 'json'),
    traceId: variables.matching('TRACE_ID', /^[0-9a-f]{32}$/, '32 hexadecimal digits'),
    spanId: variables.matching('SPAN_ID', /^[0-9a-f]{16}$/, '16 hexadecimal digits'),
  };
}

/** Throws with everything that is wrong. */
export function executorSettings(io: Io, action: string): ExecutorSettings {
  const { environment, exists, shipped } = io;
  const variables = new Variables(environment);
  readLogSettings(variables);
  for (const name of PLAIN_CREDENTIALS.filter((one) => variables.text(one))) {
    const hint = `Mount the token as ${MOUNTS.token}, or name its file in ARGOCD_TOKEN_FILE.`;
    variables.wrong(name, 'contains a credential in plain text', hint);
  }
  const dryRun = variables.choice('DRY_RUN', SWITCH, 'false') === 'true';
  const named = variables.choice('ENVIRONMENT', ENVIRONMENTS);
  const { file: kubeconfig, ...access } = readKubeconfig(variables);
  const references = 'platform, stack:NAME or app:NAME';
  const scope = variables.matching('TARGET_SCOPE', REFERENCE, references) ?? 'platform';
  const mounted = exists(MOUNTS.token) ? MOUNTS.token : undefined;
  const argocdTokenFile = variables.text('ARGOCD_TOKEN_FILE') ?? mounted;
  // Where charts are; undefined: they are fetched.
  const charts = [MOUNTS.charts, shipped('charts')].find(exists);
  const image = variables.matching('EXECUTOR_IMAGE', /^\w[\w.\-/:@]*$/, 'NAME:TAG');
  const triggers = 'cli, workflow or event:NAME';
  const trigger = triggerOf(variables.matching('TRIGGER', TRIGGER_FORM, triggers) ?? 'cli');
  const options = {
    file: platformFileOf(io),
    environment: MOUNTS.environment,
    ...scopeOf(scope),
    ...(kubeconfig && { kubeconfig }),
    ...(argocdTokenFile && { argocdTokenFile }),
    ...(dryRun && (action === 'validate' ? { refresh: false } : { dryRun })),
    ...(image && action !== 'validate' && !dryRun && { engine: 'auto', image }),
    // What is needed where the cluster has nothing yet.
    ...(action === 'deploy' && {
      bootstrap: true,
      secrets: MOUNTS.secrets,
      ...(charts && { charts }),
    }),
    ...(action === 'teardown' && readTeardown(variables, dryRun)),
  };
  if (variables.problems.length > 0) throw new TiphysError(variables.problems);
  const isShipped = !exists(MOUNTS.platform);
  return { environment: named, scope, isShipped, options, access, trigger };
}

/** The whole platform is what is meant where no scope is named. */
export function scopeOf(scope = 'platform'): { readonly scope?: readonly string[] } {
  return scope === 'platform' ? {} : { scope: [scope] };
}

/** Never on defaults alone: what becomes of volumes is said, and what was approved. */
function readTeardown(variables: Variables, dryRun: boolean): GivenOptions {
  const volumes = variables.choice('PV_POLICY', VOLUMES);
  const form = 'PLATFORM@sha256:..., the hash of the inventory that a dry run prints';
  const token = variables.matching('CONFIRMATION_TOKEN', TOKEN, form);
  if (token === undefined && !dryRun)
    variables.wrong('CONFIRMATION_TOKEN', 'is not set', `Set it to ${form}.`);
  const [, platform = '', expect = ''] = TOKEN.exec(token ?? '') ?? [];
  return dryRun ? { volumes } : { volumes, confirm: [platform], expect };
}

const TOKEN = /^([-a-z0-9]+)@(sha256:[0-9a-f]{64})$/;

function readKubeconfig(
  variables: Variables,
): ExecutorSettings['access'] & { readonly file?: string } {
  const [data, file] = [variables.text('KUBECONFIG_DATA'), variables.text('KUBECONFIG_PATH')];
  if (data !== undefined && file !== undefined) {
    variables.wrong('KUBECONFIG_DATA', 'and KUBECONFIG_PATH are both set', 'Set only one of them.');
  }
  if (file !== undefined) return { file };
  if (data !== undefined) return readKubeconfigData(variables, data);
  const inCluster = inClusterOf((name) => variables.text(name));
  if (inCluster) return { inCluster };
  const hint = 'Set KUBECONFIG_DATA (base64) or KUBECONFIG_PATH, or run in a pod of the cluster.';
  variables.wrong('KUBECONFIG_DATA', 'and KUBECONFIG_PATH are not set', hint);
  return {};
}

/** Never quoted: it holds credentials. */
function readKubeconfigData(variables: Variables, data: string): ExecutorSettings['access'] {
  const base64 = data.replace(/\s/g, '');
  if (base64.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    return { kubeconfigText: new TextDecoder().decode(Buffer.from(base64, 'base64')) };
  variables.wrong('KUBECONFIG_DATA', 'is not base64', 'Encode the file: base64 -w0 KUBECONFIG.');
  return {};
}

/** Two different words for the environment mean that the files or the variables are wrong. */
export function checkEnvironmentName(settings: ExecutorSettings, name: string): void {
  const other = ENVIRONMENTS.find((one) => one === name);
  if (other === undefined || other === settings.environment) return;
  const message = `ENVIRONMENT is ${quote(settings.environment)}, but the environment file is for ${quote(name)}.`;
  const hint = 'Mount the files of that environment, or correct the variable.';
  const file = MOUNTS.environment;
  throw new TiphysError([{ code: 'variable-invalid', message, hint, file }]);
}
