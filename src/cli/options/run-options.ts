// Options of every command that runs a deployment, on a cluster or in a rehearsal.
import { InvalidArgumentError, Option } from 'commander';
import { usageError } from '../../errors.ts';
import { DURATION, parseDuration } from '../../model/duration.ts';

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
  'applications in work at once',
).argParser((text) => {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Give a number from 1 to 9999.');
  return Number(text);
});

export const durationOption = (flags: string, description: string) =>
  new Option(flags, description).argParser((text) => {
    if (!DURATION.test(text) || parseDuration(text) === 0)
      throw new InvalidArgumentError('Write 90s, 5m, 1h30m.');
    return parseDuration(text);
  });

export const TIMEOUT = durationOption('--timeout <duration>', 'for the whole run');

export const MODE = new Option(
  '--mode <mode>',
  'hand an application over to Argo CD at its gate, or keep it held',
)
  .choices(['continuous', 'gated'])
  .default('continuous');

export const STRICT = new Option(
  '--strict',
  'exit status 2 where somebody else synced an application before its dependencies were Healthy',
);

export const imageOption = (description = "the executor's image, for Argo Workflows") =>
  new Option('--image <reference>', description).argParser((text) => {
    if (!/^[\w][\w.\-/:@]*$/.test(text)) throw new InvalidArgumentError('Write NAME:TAG.');
    return text;
  });

export const NODES = new Option(
  '--nodes <shape>',
  'argo-workflows: one pod, the agent, serves all nodes, or each has a pod of its own (default: agent)',
).choices(['agent', 'pods']);

export interface WorkflowOptions {
  readonly engine: 'embedded' | 'argo-workflows' | 'auto';
  readonly image?: string;
  readonly nodes?: 'agent' | 'pods';
  readonly detach?: boolean;
  readonly wait?: boolean;
}

export const ENGINE = new Option(
  '--engine <engine>',
  'what runs it: this process, a Workflow in the cluster, or that where Argo Workflows is installed',
)
  .choices(['embedded', 'argo-workflows', 'auto'])
  .default('embedded');

export const WORKFLOW: readonly Option[] = [
  ENGINE,
  imageOption(),
  NODES,
  new Option('--detach', 'argo-workflows: submit, and do not wait for the end'),
  new Option('--wait', 'argo-workflows: where a Workflow of the platform is not over, wait for it'),
];

/** What only a Workflow has. */
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
  throw usageError(`The option ${wrong} goes with ${other}.`, `Add it, or drop ${wrong}.`);
}
