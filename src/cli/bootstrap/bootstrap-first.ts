// A deployment that cannot start because the cluster is not bootstrapped, or only partly. The bootstrap runs first, but only if
// the user asked for it (--bootstrap) or agrees at the terminal.
import { type ErrorCode, type ExitStatus, TiphysError } from '../../errors.ts';
import { OPEN_PLATFORM } from '../../plan/platform-graph.ts';
import type { ObjectView } from '../../preflight/preflight-context.ts';
import { MADE_BY_BOOTSTRAP } from '../../preflight/wanted.ts';
import type { Planned } from '../input/planning.ts';
import type { Io } from '../io.ts';
import type { ActionContext } from '../output/output.ts';
import { openPreflightContext } from '../preflight/open-context.ts';
import { type BootstrapOptions, runBootstrap } from './bootstrap-run.ts';

interface Options extends BootstrapOptions {
  readonly bootstrap?: boolean;
  readonly dryRun?: boolean;
}

interface Ways {
  readonly run: typeof runBootstrap;
  /** Those of the cluster; rejects without permission to list them. */
  readonly namespaces: (io: Io, options: Options) => Promise<readonly ObjectView[]>;
}

/** The exit status of the bootstrap. Throws the error of the deployment if a bootstrap would not help. */
export async function bootstrapFirst(
  context: ActionContext,
  planned: Planned,
  options: Options,
  cause: unknown,
  ways: Ways = { run: runBootstrap, namespaces },
): Promise<ExitStatus> {
  const { io, output } = context;
  if (options.dryRun || !(cause instanceof TiphysError)) throw cause;
  const what = await lackIn(io, planned, options, cause, ways);
  if (what === undefined) throw cause;
  if (options.bootstrap) {
    await needAnsible(io, cause);
    output.note(`${what} Running bootstrap first.`);
  } else if (!(await isWanted(io, what))) throw cause;
  return await ways.run(context, planned, options);
}

/** In words; undefined: a bootstrap would not help. */
async function lackIn(
  io: Io,
  planned: Planned,
  options: Options,
  { diagnostics }: TiphysError,
  ways: Ways,
): Promise<string | undefined> {
  const codes = diagnostics.map(({ code }) => code);
  if (codes.includes('argocd-not-found')) return 'The cluster has no Argo CD.';
  const lacking = whatBootstrapMakes(io, planned, options);
  if (codes.length === 0 || !codes.every((code) => lacking.includes(code))) return undefined;
  const { argocdNamespace } = planned.compiled.platform;
  // A user who may not list namespaces may not create any either.
  const seen = await ways.namespaces(io, options).catch((error: unknown) => {
    if (error instanceof TiphysError) return [];
    throw error;
  });
  const [key, value] = MADE_BY_BOOTSTRAP;
  // An Argo CD that bootstrap did not install is left alone.
  const isOurs = seen.some((one) => one.name === argocdNamespace && one.labels.get(key) === value);
  return isOurs ? 'The bootstrap of this cluster is incomplete.' : undefined;
}

/** The errors after an interrupted bootstrap, or after a teardown that deleted the root Application. */
function whatBootstrapMakes(io: Io, { plan }: Planned, options: Options): readonly ErrorCode[] {
  const file = options.argocdTokenFile ?? io.environment('ARGOCD_TOKEN_FILE');
  const root = plan.nodes.find(({ id }) => id === OPEN_PLATFORM)?.application;
  return [
    'project-missing',
    ...(file ? [] : (['argocd-token-missing'] as const)),
    // If the plan has a root, it is the only Application that must exist before.
    ...(root ? (['application-missing'] as const) : []),
  ];
}

async function namespaces(io: Io, options: Options): Promise<readonly ObjectView[]> {
  const ended = new AbortController();
  const { world, close } = await openPreflightContext(io, options, ended.signal);
  try {
    return await (await world.cluster()).namespaces();
  } finally {
    ended.abort();
    await close();
  }
}

const PROGRAM = 'ansible-playbook';
const VERSION_MS = 15_000;

async function needAnsible(io: Io, { diagnostics }: TiphysError): Promise<void> {
  const call = { program: PROGRAM, args: ['--version'], timeoutMs: VERSION_MS };
  if ((await io.runProgram(call)).kind !== 'missing') return;
  const message = `Cannot run bootstrap first: ${PROGRAM} is not installed.`;
  const hint =
    "Use the image with Ansible (the Dockerfile's target `bootstrap`), or run `tiphys bootstrap` where Ansible is installed.";
  throw new TiphysError([{ code: 'tool-missing', message, hint }, ...diagnostics]);
}

async function isWanted(io: Io, what: string): Promise<boolean> {
  const question = `${what} Run \`tiphys bootstrap\` now? [y/N] `;
  return /^y(?:es)?$/i.test((await io.ask(question)) ?? '');
}
