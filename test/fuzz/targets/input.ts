// What people and Workflows say in words: faults, scopes, confirmations, the arguments and variables of a pod.
import fc from 'fast-check';
import { platformTemplate } from '../../../src/cli/init/templates.ts';
import {
  type ConfirmOptions,
  confirmed,
  parseConfirmation,
} from '../../../src/cli/input/confirmation.ts';
import type { Io } from '../../../src/cli/io.ts';
import { settingsOf } from '../../../src/executor/check-configuration.ts';
import { MOUNTS } from '../../../src/executor/executor-settings.ts';
import { logger } from '../../../src/executor/log.ts';
import { parsePod } from '../../../src/executor/pod-options.ts';
import { podRequest } from '../../../src/executor/pod-request.ts';
import { buildPlan } from '../../../src/plan/build-plan.ts';
import { compile } from '../../../src/plan/compile.ts';
import { processIo } from '../../../src/process.ts';
import { FAULTS, SUBJECTS } from '../../../src/rehearsal/fault-table.ts';
import { parseFaults } from '../../../src/rehearsal/parse-fault.ts';
import { renderFault } from '../../../src/rehearsal/render-fault.ts';
import { renderJson, renderLines } from '../../../src/view/lines.ts';
import { renderPlanText } from '../../../src/view/plan-text.ts';
import { inventoryOf } from '../../fakes/inventory.ts';
import { type FuzzTarget, fuzzTarget } from '../fuzz.ts';
import { changedJson, hostileText } from '../hostile.ts';
import type { Told } from '../properties.ts';
import { hastyClock } from './hostile-cluster.ts';

const FILE = platformTemplate('shop');
const COMPILED = compile({ file: 'platform.yaml', text: FILE });
const BACK = buildPlan(COMPILED, { action: 'teardown' });
const NAMES = ['api', 'web', 'postgres', 'ingress-nginx'];

/** Some of these words, some of anybody's. */
const wordsFrom = (...words: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...words) },
    { weight: 1, arbitrary: hostileText },
  );

const fault = fc
  .tuple(
    wordsFrom(...[...SUBJECTS].map((one) => (one === 'app' ? 'app:api' : one))),
    wordsFrom(...FAULTS.map(({ effect }) => effect)),
    fc.array(wordsFrom('at', 'after', 'every', 'for', 'by', 'x3', '5%', '5m', '-1h', '30s'), {
      maxLength: 6,
    }),
  )
  .map(([subject, effect, terms]) => [subject, effect, ...terms].join(' '));

function faults(lines: readonly string[]): Told {
  return { text: [renderLines(parseFaults(lines, NAMES).map(renderFault))] };
}

const references = fc.array(
  wordsFrom('api', 'app:web', 'stack:data', 'platform', 'stack:', 'app:postgres', 'web'),
  { maxLength: 3 },
);

function scoped([scope, withDependencies]: [string[], boolean]): Told {
  const plan = buildPlan(COMPILED, { action: 'deploy', scope, withDependencies });
  const text = renderPlanText(plan, { all: true, elsewhere: COMPILED.platform });
  return { text: [text], json: [renderJson(plan)] };
}

interface Confirmed {
  readonly options: ConfirmOptions;
  readonly file: string;
  readonly answers: readonly (string | undefined)[];
  readonly variable: string | undefined;
}

const INVENTORY = inventoryOf();
const optional = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
const confirmation: fc.Arbitrary<Confirmed> = fc.record({
  options: fc.record(
    {
      confirm: fc.array(wordsFrom('shop', 'api'), { maxLength: 2 }),
      expect: wordsFrom('inventory.json', INVENTORY.hash, 'sha256:', '-'),
      unsafeRemoveFinalizers: fc.array(wordsFrom('api', 'web'), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  ),
  file: changedJson([INVENTORY, { inventory: INVENTORY }]),
  answers: fc.array(optional(wordsFrom('shop', 'api')), { maxLength: 3 }),
  variable: optional(wordsFrom('shop')),
});

async function confirm({ options, file, answers, variable }: Confirmed): Promise<Told> {
  const said: string[] = [];
  const left = [...answers];
  const io: Io = {
    ...processIo,
    stderr: (text) => said.push(text),
    environment: () => variable,
    readFile: () => new TextEncoder().encode(file),
    ask: async () => left.shift(),
  };
  const given = await parseConfirmation(io, BACK, options);
  const store = { list: async () => [] };
  const approved = await confirmed(io, INVENTORY, given, store);
  return { text: said, values: [given, approved] };
}

const OPTIONS = [
  ...['--plan', '--run', '--layered', '--run-timeout', '--keep-hold', '--concurrency', '--scope'],
  ...[
    '--with-dependencies',
    '--inventory',
    '--stuck-after',
    '--unsafe-remove-finalizers',
    '--help',
  ],
  ...[
    '--volumes',
    'retain',
    'delete',
    '9',
    '-1',
    'NaN',
    'api',
    'stack:data',
    BACK.hash,
    '--',
    '-V',
  ],
];

interface Pod {
  readonly action: 'begin' | 'node' | 'end' | 'agent';
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

const variablesOf = (...names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), wordsFrom('deploy', 'true', 'argo/w/u', 'production'));

const pod: fc.Arbitrary<Pod> = fc.record({
  action: fc.constantFrom('begin', 'node', 'end', 'agent'),
  args: fc.array(wordsFrom(...OPTIONS), { maxLength: 8 }).map((args) => ['--plan', 'p', ...args]),
  variables: variablesOf(
    'WORKFLOW',
    'WORKFLOW_NAMESPACE',
    'ARGO_WORKFLOW_NAME',
    'WORKFLOW_STARTED',
  ),
});

/** With its files mounted. What it says is kept. */
function podIo(variables: Readonly<Record<string, string>>, said: string[]): Io {
  return {
    ...processIo,
    clock: hastyClock(),
    stdout: (text) => said.push(text),
    stderr: (text) => said.push(text),
    environment: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined),
    exists: (path) => path === MOUNTS.platform,
    readFile: () => new TextEncoder().encode(FILE),
  };
}

async function begun({ action, args, variables }: Pod): Promise<Told> {
  const said: string[] = [];
  const { options, node } = parsePod(action, args);
  const { signal } = new AbortController();
  const warn = (message: string) => said.push(renderLines([message]));
  const request = podRequest(podIo(variables, said), options, signal, () => {}, warn);
  return { text: said, values: [options, node, await request] };
}

const VARIABLES = [
  ...['LOG_LEVEL', 'LOG_FORMAT', 'TRACE_ID', 'SPAN_ID', 'DRY_RUN', 'ENVIRONMENT', 'TARGET_SCOPE'],
  ...['EXECUTOR_IMAGE', 'PV_POLICY', 'CONFIRMATION_TOKEN', 'KUBECONFIG_DATA', 'KUBECONFIG_PATH'],
  ...['ARGOCD_AUTH_TOKEN', 'ARGOCD_TOKEN_FILE', 'KUBERNETES_SERVICE_HOST', 'METRICS_FILE'],
  'TRIGGER',
];

async function configured([action, variables]: [string, Record<string, string>]): Promise<Told> {
  const said: string[] = [];
  const io = podIo(variables, said);
  const say = logger(io, action, () => 'configuration');
  say({ level: 'error', component: 'executor', message: Object.values(variables).join(' ') });
  const settings = await settingsOf(action, io);
  return { text: said, values: [settings] };
}

export const INPUT: readonly FuzzTarget[] = [
  fuzzTarget('faults', 40, fc.array(fault, { minLength: 1, maxLength: 2 }), faults),
  fuzzTarget('references and scopes', 30, fc.tuple(references, fc.boolean()), scoped),
  fuzzTarget('confirmation', 16, confirmation, confirm),
  fuzzTarget('parameters of a pod', 16, pod, begun),
  fuzzTarget(
    'variables of the executor',
    6,
    fc.tuple(wordsFrom('deploy', 'validate', 'teardown'), variablesOf(...VARIABLES)),
    configured,
  ),
];
