// What sets defaults, selects, decides and completes: the config file, variables, import.yaml, selectors, names at a prompt.
import fc from 'fast-check';
import { SETTABLE } from '../../../src/cli/commands/config.ts';
import { findDefaults } from '../../../src/cli/defaults/find-defaults.ts';
import type { Io } from '../../../src/cli/io.ts';
import { runCli } from '../../../src/cli/run-cli.ts';
import { parseImportFile } from '../../../src/model/import-file.ts';
import { parseLabelSelector, selectsLabels } from '../../../src/model/label-selector.ts';
import { processIo } from '../../../src/process.ts';
import { renderDefaults } from '../../../src/view/defaults-text.ts';
import { renderDecisions } from '../../../src/view/import/decisions-file.ts';
import { renderJson } from '../../../src/view/lines.ts';
import { type FuzzTarget, fuzzTarget } from '../fuzz.ts';
import { changedText, hostileText } from '../hostile.ts';
import type { Told } from '../properties.ts';

const CONFIG = `file: shop.yaml
environment: production.yaml
context: blue
argocdServer: https://me:secret@argocd.example
engine: auto
image: a:1
quiet: true
`;
const variables = fc.dictionary(
  fc.constantFrom(...SETTABLE.map(({ variable }) => variable), 'KUBECONFIG', 'HTTP_PROXY'),
  hostileText,
);

function ioOf(text: string, found: Readonly<Record<string, string>>, said: string[] = []): Io {
  return {
    ...processIo,
    stdout: (line) => said.push(line),
    stderr: (line) => said.push(line),
    environment: (name) => (Object.hasOwn(found, name) ? found[name] : undefined),
    exists: () => true,
    realPath: (path) => path,
    listFolder: () => [{ name: 'f.yaml', isFolder: false }],
    readFile: () => new TextEncoder().encode(text),
    endWithin: () => {},
  };
}

async function defaults([text, found]: [string, Record<string, string>]): Promise<Told> {
  const all = await findDefaults(ioOf(text, found), SETTABLE, 'c/config.yaml');
  return {
    text: [renderDefaults(all), renderDefaults(all, { columns: 60 })],
    json: [renderJson(all)],
    values: [all],
  };
}

const DECISIONS = `apiVersion: tiphys.dev/v1alpha1
kind: ImportDecisions
accepted:
  - {dependent: web, dependency: db, evidence: dns}
  - {dependent: api, dependency: db}
rejected:
  - {dependent: web, dependency: mail, evidence: "*", reason: "sends again: later # not yet"}
`;

/** What it writes anew says what the file said. */
function decisions(text: string): Told {
  const read = parseImportFile({ file: 'import.yaml', text });
  const anew = renderDecisions(read);
  if (sorted(parseImportFile({ file: 'import.yaml', text: anew })) !== sorted(read))
    throw new Error(`decisions changed: ${anew}`);
  return { text: [anew], values: [read] };
}

/** A pair that was decided on twice is written once. */
const sorted = ({ accepted, rejected }: ReturnType<typeof parseImportFile>) =>
  [accepted, rejected]
    .map((list) => {
      const kinds = list.map((one) => [one.dependent, one.dependency, one.evidence].join(' '));
      return [...new Set(kinds)].sort().join('\n');
    })
    .join('\n\n');

const SELECTORS = ['team=shop,tier!=test', 'tier in (web, api),!old', 'a notin (b),x/y==z'];
const LABELS = new Map([
  ['team', 'shop'],
  ['__proto__', 'x'],
]);

function selected(text: string): Told {
  const selector = parseLabelSelector(text);
  return { values: [selector, selector && selectsLabels(selector, LABELS)] };
}

const NAMES = `spec:
  stacks:
    - {name: data, gate: {approval: Why}, applications: [{name: db}, {name: api-1, gate: {approval: Why}}]}
`;
const KINDS = ['scope', 'reference', 'application', 'approval', 'context', 'fault'];

/** As the shell gets it: nothing in a line may mean something to it. */
async function completed([text, kind, word]: [string, string, string]): Promise<Told> {
  const said: string[] = [];
  const io = ioOf(text, { KUBECONFIG: '/nowhere' }, said);
  const status = await runCli(['__complete', kind, word, 'tiphys', '-f', 'f.yaml'], io);
  const lines = said.join('').split('\n').slice(0, -1);
  const bad = lines.find((line) => !/^[A-Za-z0-9][\w.:@/+ -]*$/.test(line));
  if (status !== 0 || bad !== undefined) throw new Error(`completion: ${status} ${bad}`);
  return { text: said };
}

export const SETTINGS: readonly FuzzTarget[] = [
  fuzzTarget('config file and variables', 3, fc.tuple(changedText([CONFIG]), variables), defaults),
  fuzzTarget('import.yaml', 3, changedText([DECISIONS]), decisions),
  fuzzTarget('selectors', 6, changedText(SELECTORS), selected),
  fuzzTarget(
    'names at a prompt',
    3,
    fc.tuple(
      changedText([NAMES]),
      fc.constantFrom(...KINDS),
      fc.oneof(fc.constantFrom('', 'app:', "'d", '--scope=a'), hostileText),
    ),
    completed,
  ),
];
