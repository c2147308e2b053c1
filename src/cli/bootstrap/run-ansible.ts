// Runs the roles of bootstrap/ and turns Ansible's output into progress and a report.
import { type BootstrapReport, reportOf } from '../../bootstrap/bootstrap-report.ts';
import { type BootstrapEvent, parseTold } from '../../bootstrap/events.ts';
import type { Role } from '../../bootstrap/roles.ts';
import { TiphysError } from '../../errors.ts';
import { isoTime } from '../../run/iso-time.ts';
import { inClusterKubeconfig } from '../../targets/kubernetes/in-cluster.ts';
import { renderLines } from '../../view/lines.ts';
import type { ConnectionOptions } from '../input/connection.ts';
import type { Io } from '../io.ts';
import type { ActionContext } from '../output/output.ts';
import { UTF8 } from '../preflight/open-context.ts';
import { type StopSignals, untilStopped } from '../run/signals.ts';
import { absolute } from './bootstrap-variables.ts';

interface Request {
  readonly platform: string;
  readonly action: BootstrapReport['action'];
  readonly roles: readonly Role[];
  readonly playbook: string;
  /** As YAML. */
  readonly variables: string;
  readonly check: boolean;
  readonly connection: ConnectionOptions;
}

const PROGRAM = 'ansible-playbook';
/** Of what Ansible says beside its events. */
const SAID_MAX = 2_000;

export async function runAnsible(
  { io, output }: ActionContext,
  request: Request,
): Promise<BootstrapReport> {
  const events: BootstrapEvent[] = [];
  let said = '';
  const heard = (line: string) => {
    const told = parseTold(line);
    if (told === undefined) {
      said = `${said}${renderLines([line])}`.slice(-SAID_MAX);
      return;
    }
    const event = { time: isoTime(io.clock.now()), ...told };
    events.push(event);
    output.bootstrapEvent(event);
  };
  const run = async ({ stop }: StopSignals): Promise<BootstrapReport> => {
    const status = await io.withFile('variables.yml', request.variables, (file) =>
      withKubeconfig(io, request, (kubeconfig) =>
        io.follow(PROGRAM, argumentsFor(io, request, file), {
          environment: environmentVariables(io, request, kubeconfig),
          heard,
          stop,
        }),
      ),
    );
    if (status === undefined) throw noAnsible(io);
    const { aborted: interrupted } = stop;
    if (events.length === 0 && !interrupted) throw notStarted(said.trim(), status);
    const time = isoTime(io.clock.now());
    return reportOf(request, events, { time, status, said: said.trim(), interrupted });
  };
  const report = await untilStopped(io, run, { reads: true });
  await output.result(report);
  return report;
}

/** Variables are too long for an argument. There is no secret in them. */
function argumentsFor(io: Io, { playbook, check }: Request, variables: string): string[] {
  const file = io.shipped(`bootstrap/${playbook}`);
  return [file, '--extra-vars', `@${variables}`, ...(check ? ['--check'] : [])];
}

/** Ansible and Helm take a kubeconfig as a file alone. */
function withKubeconfig<T>(
  io: Io,
  { connection }: Request,
  work: (file: string | undefined) => Promise<T>,
): Promise<T> {
  const text = io.kubeconfigText ?? (io.inCluster && inClusterKubeconfig(io.inCluster));
  return text === undefined
    ? work(absolute(io, connection.kubeconfig))
    : io.withFile('kubeconfig', text, work);
}

function environmentVariables(
  io: Io,
  { connection: { context } }: Request,
  kubeconfig: string | undefined,
): Record<string, string> {
  return {
    ANSIBLE_CONFIG: io.shipped('bootstrap/ansible.cfg'),
    ANSIBLE_STDOUT_CALLBACK: 'tiphys_progress',
    ANSIBLE_NOCOLOR: '1',
    PYTHONUNBUFFERED: '1',
    // Nothing is left beside the files that come with the program.
    PYTHONDONTWRITEBYTECODE: '1',
    ...UTF8,
    ...(kubeconfig === undefined ? {} : { K8S_AUTH_KUBECONFIG: kubeconfig }),
    ...(context === undefined ? {} : { K8S_AUTH_CONTEXT: context }),
  };
}

function noAnsible(io: Io): TiphysError {
  const message = `${PROGRAM} is not on PATH.`;
  const hint = `Install it: python3 -m pip install -r ${io.shipped('bootstrap/requirements.txt')}`;
  return new TiphysError([{ code: 'tool-missing', message, hint }]);
}

/** Ansible could not even begin: its own message is the only information. */
function notStarted(said: string, status: number): TiphysError {
  const message = `Ansible exited with status ${status} before its first role. Output: ${said || 'none'}`;
  const hint = 'Check that the versions in bootstrap/requirements.txt are installed.';
  return new TiphysError([{ code: 'ansible-failed', message, hint }]);
}
