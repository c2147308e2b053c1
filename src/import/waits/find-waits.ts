// Which Jobs, hooks and init containers of an Application only wait for something. Three signs must agree: the script loops or waits,
// no command of it changes anything or is unknown, and the rights of its ServiceAccount allow no change.
import type { ApplicationMaterial } from '../material.ts';
import { type JudgedCommand, judgeCommand } from './commands.ts';
import { type WaitingContainer, waitingContainers } from './containers.ts';
import { rightsOf } from './job-rights.ts';
import { readScript, type Script } from './shell.ts';
import { serviceOrUrl, targetsOf } from './targets.ts';
import type { Wait, WaitTarget } from './wait.ts';

type Judged = Pick<Wait, 'verdict' | 'because'> & { readonly targets: readonly WaitTarget[] };

export function findWaits(
  application: Pick<ApplicationMaterial, 'objects' | 'destination'>,
): readonly Wait[] {
  return byObject(
    waitingContainers(application).map((container) => {
      const judged = withRights(judge(container), container, application);
      const { object, namespace, shape } = container;
      return { object, namespace, shape, ...judged };
    }),
  );
}

/** A Job with several containers waits only if all of them do. */
function byObject(waits: readonly Wait[]): Wait[] {
  const found = new Map<string, Wait>();
  for (const wait of waits) {
    const key = `${wait.namespace}/${wait.object}`;
    const other = found.get(key);
    found.set(key, other ? joined(other, wait) : wait);
  }
  return [...found.values()];
}

const ORDER: readonly Wait['verdict'][] = ['acts', 'unsure', 'waits'];

function joined(one: Wait, other: Wait): Wait {
  const worse = ORDER.indexOf(one.verdict) <= ORDER.indexOf(other.verdict) ? one : other;
  return { ...worse, targets: unique([...one.targets, ...other.targets]) };
}

function judge(container: WaitingContainer): Judged {
  const byEnvironment = entrypointTargets(container);
  if (byEnvironment.length > 0 && startsNothing(container)) {
    return {
      verdict: 'waits',
      because: 'the environment of kubernetes-entrypoint names what it waits for',
      targets: byEnvironment,
    };
  }
  if (container.script !== undefined) {
    const script = readScript(substituted(container.script, container.environment));
    return judgeCommands(
      script,
      script.commands.flatMap((words) => judgeCommand(words)),
      container,
    );
  }
  if (container.words === undefined) {
    return { verdict: 'unsure', because: 'the image decides what it does', targets: [] };
  }
  const words = container.words.map((word) => substituted(word, container.environment));
  return judgeCommands(ONE_COMMAND, judgeCommand(words), container);
}

const ONE_COMMAND: Omit<Script, 'commands'> = { loops: false, writesFile: false, unclear: false };

function judgeCommands(
  script: Omit<Script, 'commands'>,
  commands: readonly JudgedCommand[],
  { namespace }: WaitingContainer,
): Judged {
  const targets = unique(commands.flatMap(({ words }) => targetsOf(words, namespace)));
  const found = (verdict: Wait['verdict'], because: string) => ({ verdict, because, targets });
  const acting = commands.find(({ effect }) => effect === 'acts');
  if (acting) return found('acts', `"${nameOf(acting)}" changes something`);
  if (script.writesFile) return found('acts', 'it writes a file');
  const unknown = commands.find(({ effect }) => effect === 'unknown');
  if (unknown) return found('unsure', `nothing is known of "${nameOf(unknown)}"`);
  if (script.unclear) return found('unsure', 'its script is not understood');
  if (commands.some(({ effect }) => effect === 'waits'))
    return found('waits', 'it waits and changes nothing');
  if (!script.loops && !commands.some(({ inLoop }) => inLoop))
    return found('unsure', 'it neither loops nor waits');
  return targets.length > 0
    ? found('waits', 'it loops until something answers, and changes nothing')
    : found('unsure', 'it loops, and what it waits for is not known');
}

/** The program and its verb, as the reader of a report knows them. */
function nameOf({ words }: JudgedCommand): string {
  const verb = words.slice(1).find((word) => /^[a-z][a-z0-9-]*$/.test(word));
  const program = words[0] ?? '';
  return ['kubectl', 'oc', 'helm', 'vault', 'bao'].includes(program) && verb
    ? `${program} ${verb}`
    : program.slice(0, 60);
}

function withRights(
  judged: Judged,
  container: WaitingContainer,
  { objects }: Pick<ApplicationMaterial, 'objects'>,
): Judged {
  if (judged.verdict !== 'waits' || container.shape === 'init-container') return judged;
  const rights = rightsOf(
    { name: container.serviceAccount, namespace: container.namespace },
    objects,
  );
  if (rights === 'changes') {
    return {
      ...judged,
      verdict: 'unsure',
      because: `ServiceAccount ${container.serviceAccount} may change objects`,
    };
  }
  if (rights === 'unknown') {
    return {
      ...judged,
      verdict: 'unsure',
      because: `the rights of ServiceAccount ${container.serviceAccount} are not in its manifests`,
    };
  }
  return judged;
}

/** $NAME, ${NAME} and ${NAME:-default} of the container's own environment. */
function substituted(text: string, environment: ReadonlyMap<string, string>): string {
  return text.replaceAll(
    /\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)(?::?-([^}$]*))?\})/g,
    (whole, plain, braced, fallback) => environment.get(plain ?? braced) ?? fallback ?? whole,
  );
}

/** kubernetes-entrypoint starts COMMAND in the end; a command of the container itself takes its place. */
function startsNothing({ script, words, environment }: WaitingContainer): boolean {
  if (script !== undefined || (words && !words[0]?.endsWith('kubernetes-entrypoint'))) return false;
  const { commands, writesFile, unclear } = readScript(environment.get('COMMAND') ?? '');
  const judged = commands.flatMap((command) => judgeCommand(command));
  return !writesFile && !unclear && judged.every(({ effect }) => effect === 'reads');
}

/** kubernetes-entrypoint reads what it waits for from these: "namespace:name" or "name", with commas between. */
function entrypointTargets({ environment, namespace }: WaitingContainer): WaitTarget[] {
  const entries = (name: string) =>
    (environment.get(name) ?? '').split(',').filter((one) => one !== '');
  const place = (entry: string): [string, string] => {
    const [first = '', second] = entry.trim().split(':');
    return second === undefined ? [namespace, first] : [first, second];
  };
  return [
    ...entries('DEPENDENCY_SERVICE').flatMap((entry) => {
      const [where, name] = place(entry);
      return serviceOrUrl(name, where);
    }),
    ...(['JOBS', 'DAEMONSET'] as const).flatMap((kind) =>
      entries(`DEPENDENCY_${kind}`).map((entry): WaitTarget => {
        const [where, name] = place(entry);
        return {
          kind: 'resource',
          resource: kind === 'JOBS' ? 'jobs' : 'daemonsets',
          namespace: where,
          name,
        };
      }),
    ),
  ];
}

function unique(targets: readonly WaitTarget[]): WaitTarget[] {
  return [...new Map(targets.map((target) => [JSON.stringify(target), target])).values()];
}
