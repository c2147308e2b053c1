// What bootstrap/ must not do: run shells, sleep, ignore errors, show secrets, install what is not pinned.
import { load } from 'js-yaml';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** By the last part of their names: with and without a collection before it. */
const MODULES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['shell', 'command', 'raw', 'script', 'expect', 'k8s_exec'].map((name) => [name, 'a command']),
  ),
  pause: 'a sleep',
  wait_for: 'a sleep',
};

const IGNORING = ['ignore_errors', 'ignore_unreachable'];

/** Of one file with tasks, plays or variables. */
export function forbidden(file: string, text: string): string[] {
  const tasks = tasksIn(load(text));
  const found = [...tasks.flatMap(wrongInTask), ...secretsIn(text), ...delimitersIn(text)];
  return found.map((what) => `${file}: ${what}`);
}

/** Everything that looks like a task, however deep in blocks and plays. */
function tasksIn(value: unknown): Fields[] {
  if (Array.isArray(value)) return value.flatMap(tasksIn);
  if (!isFields(value)) return [];
  const lists = ['block', 'rescue', 'always', 'tasks', 'pre_tasks', 'post_tasks', 'handlers'];
  return [value, ...lists.flatMap((key) => tasksIn(value[key]))];
}

function wrongInTask(task: Fields): string[] {
  const title = `"${String(task.name ?? 'a task without a name')}"`;
  return [
    ...Object.keys(task).flatMap((key) => {
      const [module = ''] = key.split('.').slice(-1);
      const what = MODULES[module];
      return what === undefined ? [] : [`${title} is ${what}: ${module}`];
    }),
    ...IGNORING.filter((key) => key in task).map((key) => `${title} has ${key}`),
    ...(task.failed_when === false ? [`${title} never fails`] : []),
    ...wrongRelease(title, task['kubernetes.core.helm']),
    ...(showsSecret(task) ? [`${title} handles a Secret without no_log`] : []),
  ];
}

function wrongRelease(title: string, release: unknown): string[] {
  if (!isFields(release) || release.state === 'absent') return [];
  const wanted = ['chart_version', 'atomic', 'wait', 'timeout'];
  return wanted.filter((key) => !release[key]).map((key) => `${title} installs without ${key}`);
}

function showsSecret(task: Fields): boolean {
  if (task.no_log === true) return false;
  return ['kubernetes.core.k8s', 'kubernetes.core.k8s_info'].some((module) => {
    const args = task[module];
    if (!isFields(args) || args.state === 'absent') return false;
    return (
      args.kind === 'Secret' || (isFields(args.definition) && args.definition.kind === 'Secret')
    );
  });
}

const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY/, 'a private key'],
  [/\beyJ[\w-]{8,}\.[\w-]+/, 'a token'],
  [
    /^\s*(?:\w*password|\w*token|\w*secret):\s*(?!["']?\{\{|tiphys-)["']?[\w+/=-]{6,}/im,
    'a secret in plain text',
  ],
];

function secretsIn(text: string): string[] {
  return SECRETS.filter(([pattern]) => pattern.test(text)).map(([, what]) => `has ${what}`);
}

/** A header that gives a template other delimiters: nothing that looks for braces would see what it evaluates. */
function delimitersIn(text: string): string[] {
  return text.includes('#jinja2:') ? ['changes the delimiters of templates'] : [];
}

const VERSION = /^v?\d+\.\d+\.\d+$/;

/** Charts, packages and collections that could be another one tomorrow. */
export function unpinned(files: {
  readonly variables: string;
  readonly packages: string;
  readonly collections: string;
}): string[] {
  const { tiphys_releases: releases } = load(files.variables) as Record<string, Fields>;
  const { collections } = load(files.collections) as { collections: Fields[] };
  const packages = files.packages
    .replaceAll('\\\n', '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return [
    ...Object.entries(releases ?? {}).flatMap(([name, release]) =>
      isFields(release) && VERSION.test(String(release.version)) ? [] : [`chart of ${name}`],
    ),
    ...packages
      .filter((line) => !/^[\w-]+==\d+(\.\d+)+(\s+--hash=sha256:[0-9a-f]{64})+$/.test(line))
      .map((line) => `package ${line}`),
    ...collections
      .filter(({ version }) => !VERSION.test(String(version)))
      .map(({ name }) => `collection ${String(name)}`),
  ];
}
