// RFC 3.2.2 and 3.2.3: the Python packages and collections that Ansible finds.

import type { PreflightContext, ProgramEnd } from './preflight-context.ts';
import { failure, type Prerequisite, pass, prerequisitesOf, type Verdict } from './row.ts';
import { isAtLeast, renderVersion, type Version, versionIn } from './tool-version.ts';
import { firstLine, printedBy } from './tools.ts';
import type { Wanted } from './wanted.ts';

const PACKAGES: readonly (readonly [name: string, purpose: string])[] = [
  ['kubernetes', 'for the collection kubernetes.core'],
  ['openshift', 'for OpenShift'],
  ['pyyaml', 'to read YAML'],
  ['jsonpatch', 'for JSON patches'],
];

const COLLECTIONS: readonly (readonly [name: string, least: Version])[] = [
  ['kubernetes.core', [4, 0, 0]],
  ['community.general', [4, 0, 0]],
  ['ansible.posix', [1, 0, 0]],
  ['ansible.utils', [5, 0, 0]],
];

export const ansiblePrerequisites = ({ requirements }: Wanted): readonly Prerequisite[] => [
  ...PACKAGES.map(([name, purpose]) =>
    prerequisitesOf('3.2.2').must(
      `python:${name}`,
      `Python package ${name}, ${purpose}`,
      async (world) => {
        const python = await pythonOfAnsible(world);
        const remedy = `Install it: ${python} -m pip install -r ${requirements}`;
        return judgePackage(name, python, await world.run(python, '-c', LIST_PACKAGES), remedy);
      },
    ),
  ),
  ...COLLECTIONS.map(([name, least]) =>
    prerequisitesOf('3.2.3').must(
      `collection:${name}`,
      `Ansible collection ${name} ${renderVersion(least)} or newer`,
      async ({ run }) =>
        judgeCollection(name, least, await run('ansible-galaxy', ...LIST_COLLECTIONS)),
    ),
  ),
];

const LIST_COLLECTIONS = ['collection', 'list', '--format', 'json'];

/** Normalized names of the package index. */
const LIST_PACKAGES = [
  'import importlib.metadata as m, json, re',
  "print(json.dumps({re.sub(r'[-_.]+', '-', d.metadata['Name']).lower(): d.version for d in m.distributions() if d.metadata['Name']}))",
].join('\n');

/** Modules run in the Python of Ansible itself. Without Ansible, in the one that it would be installed for. */
async function pythonOfAnsible({ run }: PreflightContext): Promise<string> {
  for (const program of ['ansible-playbook', 'ansible-galaxy']) {
    const end = await run(program, '--version');
    const [, python] =
      /^ *python version = .*\((\/[^()]+)\)\s*$/m.exec(end.kind === 'ended' ? end.stdout : '') ??
      [];
    if (python) return python;
  }
  return 'python3';
}

function judgePackage(name: string, python: string, end: ProgramEnd, remedy: string): Verdict {
  const bad = (seen: string) => failure('tool-missing', seen, remedy);
  const found = jsonOf(end);
  if ('problem' in found) return bad(`${python}: ${found.problem}`);
  const version = (found.value as Readonly<Record<string, unknown>> | null)?.[name];
  return typeof version === 'string' ? pass(version) : bad(`not in ${python}`);
}

function judgeCollection(name: string, least: Version, end: ProgramEnd): Verdict {
  const remedy = `Install it: ansible-galaxy collection install '${name}:>=${renderVersion(least)}'`;
  const bad = (seen: string) => failure('tool-missing', seen, remedy);
  const found = jsonOf(end);
  if ('problem' in found) return bad(`ansible-galaxy: ${found.problem}`);
  // Folder -> collection -> version. Ansible searches the folders in this order.
  const folders = Object.values((found.value ?? {}) as Record<string, Record<string, unknown>>);
  const first = folders.map((folder) => folder[name]).find((one) => one !== undefined);
  const text = String((first as { readonly version?: unknown } | undefined)?.version ?? '');
  if (first === undefined) return bad('not installed');
  const version = versionIn(text);
  // A collection under development has no version ("*"): its owner is responsible for it.
  if (!version) return pass(`without a version: ${text}`);
  return isAtLeast(version, least) ? pass(text) : bad(`${text} is too old`);
}

function jsonOf(end: ProgramEnd): { readonly value: unknown } | { readonly problem: string } {
  const printed = printedBy(end);
  if ('problem' in printed) return printed;
  try {
    return { value: JSON.parse(printed.text) };
  } catch {
    return { problem: `printed no JSON: ${firstLine(printed.text)}` };
  }
}
