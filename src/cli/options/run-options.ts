// Options of every command that runs a deployment, on a cluster or in a rehearsal.
import { InvalidArgumentError, Option } from 'commander';
import { usageError } from '../../errors.ts';
import { DURATION, parseDuration } from '../../model/duration.ts';
import { ENGINES } from '../../model/engines.ts';
import { SettableOption } from '../defaults/settable-option.ts';

export interface RunOptions {
  readonly output: 'text' | 'json';
  readonly concurrency?: number;
  readonly timeout?: number;
  readonly mode: 'continuous' | 'gated';
  readonly quiet?: boolean;
  readonly strict?: boolean;
}

export const CONCURRENCY = new Option(
  '--concurrency <n>',
  'maximum number of applications in progress',
).argParser((text) => {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Use a number from 1 to 9999.');
  return Number(text);
});

export const durationOption = (flags: string, description: string) =>
  new Option(flags, description).argParser((text) => {
    if (!DURATION.test(text) || parseDuration(text) === 0)
      throw new InvalidArgumentError('Use a duration such as 90s, 5m or 1h30m.');
    return parseDuration(text);
  });

export const TIMEOUT = durationOption('--timeout <duration>', 'time limit of the whole run');

export const MODE = new Option(
  '--mode <mode>',
  'continuous: hand each healthy application over to Argo CD; gated: keep it on hold',
)
  .choices(['continuous', 'gated'])
  .default('continuous');

export const STRICT = new Option(
  '--strict',
  'exit with status 2 if an application was synced by another client before its dependencies were healthy',
);

export const imageOption = (description = 'argo-workflows: image of the executor') =>
  new SettableOption('--image <reference>', description).onlyWhere(usesImage).argParser((text) => {
    if (!/^[\w][\w.\-/:@]*$/.test(text)) throw new InvalidArgumentError('Use the form NAME:TAG.');
    return text;
  });

/** Elsewhere --image is refused. */
function usesImage({ engine, output, fromCluster }: Readonly<Record<string, unknown>>): boolean {
  if (engine !== undefined) return engine !== 'embedded';
  return output === 'workflow' || fromCluster === true;
}

export const NODES = new Option(
  '--nodes <shape>',
  'argo-workflows: run all applications in one agent pod, or each in its own pod (default: agent)',
).choices(['agent', 'pods']);

export interface WorkflowOptions {
  readonly engine: (typeof ENGINES)[number];
  readonly image?: string;
  readonly nodes?: 'agent' | 'pods';
  readonly detach?: boolean;
  readonly wait?: boolean;
}

export const ENGINE = new SettableOption(
  '--engine <engine>',
  'embedded: run in this process; argo-workflows: run in the cluster; auto: argo-workflows if installed, else embedded',
)
  .choices(ENGINES)
  .default('embedded');

export const WORKFLOW: readonly Option[] = [
  ENGINE,
  imageOption(),
  NODES,
  new Option('--detach', 'argo-workflows: submit the Workflow and exit'),
  new Option('--wait', 'argo-workflows: wait for an active Workflow of the platform to end'),
];

/** These options need a Workflow. */
export function checkEngine(options: WorkflowOptions): void {
  const { engine, image, nodes, detach, wait } = options;
  if (engine !== 'embedded') return;
  requireWith('--engine argo-workflows', {
    '--image': image,
    '--nodes': nodes,
    '--detach': detach,
    '--wait': wait,
  });
}

/** Throws where one of these options was given: each has a meaning only with the other one. */
export function requireWith(other: string, options: Readonly<Record<string, unknown>>): void {
  const [wrong] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
  if (wrong === undefined) return;
  throw usageError(`The option ${wrong} requires ${other}.`, `Add ${other}, or remove ${wrong}.`);
}
