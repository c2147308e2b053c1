// A page for each command, as Markdown.
import type { Reference } from './reference.ts';

const NOTE = '<!-- Made by `npm run docs:commands`; changes belong into src/cli/commands/. -->';

/** Where a command is explained at length. */
const MORE: Readonly<Record<string, string>> = {
  approve: '[Approvals](../files.md), [day 2](../guides/day-2.md#approvals)',
  bootstrap: '[Bootstrap](../bootstrap.md)',
  deploy: '[First deployment](../guides/first-deployment.md), [Argo Workflows](../workflows.md)',
  explain: '[Read a failure](../guides/failure.md)',
  health: '[Health](../health.md)',
  import: '[Import](../import.md), [adopt a running platform](../guides/adopt.md)',
  init: '[First deployment](../guides/first-deployment.md), [files](../files.md)',
  lint: '[Lint](../lint.md)',
  plan: '[Files](../files.md), [the inventory of a teardown](../teardown.md)',
  preflight: '[Preflight](../preflight.md)',
  rehearse: '[Rehearsal](../rehearsal.md)',
  release: '[What stays on hold](../guides/failure.md#what-stays-on-hold-and-why)',
  runs: '[Read a failure](../guides/failure.md)',
  schema: '[Files](../files.md)',
  status: '[Read a failure](../guides/failure.md)',
  stop: '[Argo Workflows](../workflows.md)',
  teardown: '[Tear down](../guides/teardown.md), [the inventory](../teardown.md)',
  validate: '[Day 2](../guides/day-2.md#drift)',
};

/** `tiphys health test` is health-test.md. */
export const pageOf = (name: string) =>
  `${name === 'tiphys' ? name : name.split(' ').slice(1).join('-')}.md`;

export function renderPage(reference: Reference): string {
  const { name, usage, description, commands, examples, statuses } = reference;
  const [, group = ''] = name.split(' ');
  const more = MORE[group];
  const links = commands.map((one) => [`[\`${one.name}\`](${pageOf(one.name)})`, one.description]);
  return `${[
    NOTE,
    `# ${name}`,
    escaped(description),
    `    Usage: ${usage}`,
    ...table('Commands', ['command', 'does'], links),
    ...table('Arguments', ['argument', 'meaning'], coded(reference.arguments)),
    ...table('Options', ['option', 'meaning'], coded(reference.options)),
    ...(examples.length > 0 ? ['## Examples', exampleLines(examples).join('\n')] : []),
    ...table('Exit statuses', ['exit status', 'when'], coded(statuses)),
    ...(more ? ['## More', `${more}. All commands: [tiphys](tiphys.md).`] : []),
  ].join('\n\n')}\n`;
}

const exampleLines = (examples: Reference['examples']) =>
  examples.flatMap(([line, purpose]) => [`    # ${purpose}`, `    ${line}`]);

type Rows = readonly (readonly string[])[];

const coded = (rows: Rows): string[][] =>
  rows.map(([term = '', meaning = '']) => [`\`${term}\``, meaning]);

function table(title: string, head: readonly string[], rows: Rows): string[] {
  if (rows.length === 0) return [];
  const lines = [head, head.map(() => '---'), ...rows].map(
    (cells, at) => `| ${cells.map((cell) => (at < 2 ? cell : escaped(cell))).join(' | ')} |`,
  );
  return [`## ${title}`, lines.join('\n').replaceAll('| --- ', '|---').replace('---|\n', '---|\n')];
}

/** Not inside of code: a `<` would begin a tag, and a pipe always ends a cell. */
const escaped = (text: string) =>
  text
    .replaceAll('|', '\\|')
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '\\<')))
    .join('');
