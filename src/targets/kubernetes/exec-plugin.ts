// A program that a kubeconfig calls for credentials, under the contract of client.authentication.k8s.io.
import { z } from 'zod';
import type { Clock } from '../../ports/clock.ts';
import type { ProgramEnd } from '../../preflight/preflight-context.ts';
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
  token: z.string().optional(),
  clientCertificateData: z.string().optional(),
  clientKeyData: z.string().optional(),
  expirationTimestamp: z.iso.datetime({ offset: true }).optional(),
});
const answer = z.object({ status });

export type PluginCredential = z.output<typeof status>;

/** Long enough for a login in a browser. */
const DEADLINE_MS = 60_000;
/** A credential that is about to expire is not used any more. */
const MARGIN_MS = 30_000;
const VERSIONS = ['v1', 'v1beta1'].map((version) => `client.authentication.k8s.io/${version}`);

/** Runs it at the first call, and again once the credential has expired. */
export function pluginOf(
  exec: ExecEntry,
  cluster: Kubeconfig['cluster'],
  run: RunProgram,
  clock: Clock,
): () => Promise<PluginCredential> {
  let kept: PluginCredential | undefined;
  return async () => {
    const until = kept?.expirationTimestamp;
    const isGood = until === undefined || Date.parse(until) - MARGIN_MS > clock.now();
    if (!kept || !isGood) kept = await credentialOf(exec, cluster, run);
    return kept;
  };
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
    const hint = 'Take a kubeconfig with a token or a certificate.';
    throw invalid(`The credential plugin ${command} needs a terminal to ask on.`, hint);
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
    const message = `The credential plugin ${command} did not end within ${DEADLINE_MS / 1000} s.`;
    throw invalid(message, 'Run it by hand to see what it waits for.');
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
    throw invalid(`The credential plugin ${command} did not answer with JSON.`, CHECK);
  }
  const result = answer.safeParse(given);
  const credential = result.data?.status;
  const hasPair = credential?.clientCertificateData && credential.clientKeyData;
  if (!credential || !(credential.token || hasPair)) {
    throw invalid(
      `The credential plugin ${command} gave neither a token nor a certificate with its key.`,
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
