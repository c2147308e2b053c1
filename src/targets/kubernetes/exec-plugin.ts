// A program that a kubeconfig calls for credentials, under the contract of client.authentication.k8s.io.
import { z } from 'zod';
import { TiphysError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ProgramEnd } from '../../preflight/preflight-context.ts';
import { optional } from '../application/schema.ts';
import { withoutSecrets } from '../secrets.ts';
import type { Kubeconfig } from './kubeconfig.ts';
import { CHECK, type ExecEntry, invalid } from './kubeconfig-file.ts';

export type RunProgram = (call: {
  readonly program: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
  readonly environment: Readonly<Record<string, string>>;
}) => Promise<ProgramEnd>;

const status = z.object({
  token: optional(z.string()),
  clientCertificateData: optional(z.string()),
  clientKeyData: optional(z.string()),
  expirationTimestamp: optional(z.iso.datetime({ offset: true })),
});
const answer = z.object({ status });

export type PluginCredential = z.output<typeof status>;

/** Long enough for a login in a browser. */
const DEADLINE_MS = 60_000;
/** A credential that is about to expire is not used any more. */
const MARGIN_MS = 30_000;
const VERSIONS = ['v1', 'v1beta1'].map((version) => `client.authentication.k8s.io/${version}`);

/** Of all plugins that one process has had for a cluster. */
interface PluginHistory {
  hasWorked: boolean;
}

/** Runs it at the first call, and again when the credential is about to expire. Once it has worked, it may fail for a time. */
export function pluginOf(
  exec: ExecEntry,
  cluster: Kubeconfig['cluster'],
  run: RunProgram,
  clock: Clock,
  history: PluginHistory,
): () => Promise<PluginCredential> {
  let kept: PluginCredential | undefined;
  return async () => {
    if (kept && msLeft(kept, clock) > MARGIN_MS) return kept;
    try {
      kept = await credentialOf(exec, cluster, run);
      history.hasWorked = true;
    } catch (error) {
      if (!history.hasWorked || !(error instanceof TiphysError)) throw error;
      if (!kept || msLeft(kept, clock) <= 0) throw passing(error);
    }
    return kept;
  };
}

function msLeft({ expirationTimestamp: until }: PluginCredential, clock: Clock): number {
  return until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until) - clock.now();
}

function passing(error: TiphysError): TiphysError {
  const told = error.diagnostics.map((one) => ({ ...one, code: 'cluster-unreachable' as const }));
  return new TiphysError(told, { cause: error });
}

async function credentialOf(
  exec: ExecEntry,
  cluster: Kubeconfig['cluster'],
  run: RunProgram,
): Promise<PluginCredential> {
  const { command, apiVersion = '' } = exec;
  if (command === undefined) throw invalid('The credential plugin has no command.', CHECK);
  if (!VERSIONS.includes(apiVersion)) {
    throw invalid(
      `The credential plugin ${command} has an apiVersion that is not supported.`,
      `Set it to ${VERSIONS[0]}.`,
    );
  }
  if (exec.interactiveMode === 'Always') {
    const hint = 'Use a kubeconfig with a token or a certificate.';
    throw invalid(`The credential plugin ${command} needs a terminal for input.`, hint);
  }
  const end = await run({
    program: command,
    args: exec.args,
    timeoutMs: DEADLINE_MS,
    environment: {
      ...Object.fromEntries(exec.env.map(({ name, value }) => [name, value])),
      KUBERNETES_EXEC_INFO: JSON.stringify(infoFor(exec, cluster)),
    },
  });
  return parsedEnd(end, command, exec.installHint);
}

function parsedEnd(end: ProgramEnd, command: string, installHint: string | undefined) {
  if (end.kind === 'missing') {
    throw invalid(`The credential plugin ${command} cannot be run.`, installHint ?? CHECK);
  }
  if (end.kind === 'late') {
    const message = `The credential plugin ${command} did not finish within ${DEADLINE_MS / 1000} s.`;
    throw invalid(message, 'Run it manually to see what it waits for.');
  }
  if (end.status !== 0) {
    const said = withoutSecrets(end.stderr);
    const message = `The credential plugin ${command} failed with exit status ${end.status}`;
    throw invalid(`${message}${said ? `: ${said}` : ''}.`, CHECK);
  }
  return parsedAnswer(end.stdout, command);
}

/** What it printed is a secret, and never quoted. */
function parsedAnswer(stdout: string, command: string): PluginCredential {
  let given: unknown;
  try {
    given = JSON.parse(stdout);
  } catch {
    throw invalid(`The credential plugin ${command} did not print JSON.`, CHECK);
  }
  const result = answer.safeParse(given);
  const credential = result.data?.status;
  const hasPair = credential?.clientCertificateData && credential.clientKeyData;
  if (!credential || !(credential.token || hasPair)) {
    throw invalid(
      `The credential plugin ${command} returned neither a token nor a certificate with its key.`,
      CHECK,
    );
  }
  return credential;
}

const EXTENSION = 'client.authentication.k8s.io/exec';

function infoFor({ apiVersion, provideClusterInfo }: ExecEntry, cluster: Kubeconfig['cluster']) {
  const config = cluster.extensions.find(({ name }) => name === EXTENSION)?.extension;
  const told = {
    server: cluster.server,
    'tls-server-name': cluster['tls-server-name'],
    'insecure-skip-tls-verify': cluster['insecure-skip-tls-verify'] || undefined,
    'certificate-authority-data': cluster['certificate-authority-data'],
    'proxy-url': cluster['proxy-url'],
    config,
  };
  const spec = { interactive: false, ...(provideClusterInfo && { cluster: told }) };
  return { kind: 'ExecCredential', apiVersion, spec };
}
