// RFC 3.2.1: the programs that bootstrap calls, and the command that installs each.

import type { ProgramEnd } from './preflight-context.ts';
import { failure, type Prerequisite, pass, prerequisitesOf, type Verdict } from './row.ts';
import { isAtLeast, renderVersion, type Version, versionIn } from './tool-version.ts';
import type { Wanted } from './wanted.ts';

interface Tool {
  /** The command that prints its version. */
  readonly call: string;
  readonly least: Version;
  readonly install: string;
  /** What is wrong with a version that is new enough. */
  readonly unfit?: (version: Version) => string | undefined;
}

const { must } = prerequisitesOf('3.2.1');
const HELM_3_ONLY = 'Helm 4 does not work with the module kubernetes.core.helm: use Helm 3';

const toolsFor = ({ requirements }: Wanted): readonly Tool[] => [
  {
    call: 'ansible-playbook --version',
    least: [2, 15],
    install: `python3 -m pip install -r ${requirements}`,
  },
  {
    call: 'kubectl version --client',
    least: [1, 28],
    install:
      'curl -fsSLo kubectl "https://dl.k8s.io/release/$(curl -fsSL https://dl.k8s.io/release/stable.txt)/bin/linux/amd64/kubectl" && sudo install kubectl /usr/local/bin/',
  },
  {
    call: 'helm version --short',
    least: [3, 12],
    install:
      'curl -fsSL https://raw.githubusercontent.com/helm/helm/main/scripts/get-helm-3 | bash',
    unfit: ([major = 0]) => (major >= 4 ? HELM_3_ONLY : undefined),
  },
  {
    call: 'kubeseal --version',
    least: [0, 24],
    install: 'go install github.com/bitnami-labs/sealed-secrets/cmd/kubeseal@latest',
  },
  { call: 'jq --version', least: [1, 6], install: 'sudo apt-get install -y jq' },
  // Debian's yq is a different program, version 3 or older.
  {
    call: 'yq --version',
    least: [4, 0],
    install: 'go install github.com/mikefarah/yq/v4@latest',
  },
];

export const toolPrerequisites = (wanted: Wanted): readonly Prerequisite[] =>
  toolsFor(wanted).map((tool) => {
    const [name = '', ...args] = tool.call.split(' ');
    const what = `${name} ${renderVersion(tool.least)} or newer`;
    return must(`tool:${name}`, what, async ({ run }) => judgeTool(tool, await run(name, ...args)));
  });

function judgeTool({ call, install, least, unfit }: Tool, end: ProgramEnd): Verdict {
  const bad = (seen: string) => failure('tool-missing', seen, `Install it: ${install}`);
  if (end.kind === 'missing') return bad('not on PATH');
  const broken = (seen: string) => {
    const remedy = `Run it manually, or reinstall it: ${install}`;
    return failure('tool-missing', `${call} ${seen}`, remedy);
  };
  const printed = printedBy(end);
  if ('problem' in printed) return broken(printed.problem);
  const version = versionIn(printed.text);
  if (!version) return broken(`printed no version: ${firstLine(printed.text)}`);
  const seen = renderVersion(version);
  if (!isAtLeast(version, least)) return bad(`${seen} is too old`);
  const why = unfit?.(version);
  return why ? bad(`${seen}: ${why}`) : pass(seen);
}

/** The output of a program, or why there is none. */
export function printedBy(
  end: ProgramEnd,
): { readonly text: string } | { readonly problem: string } {
  if (end.kind === 'missing') return { problem: 'not on PATH' };
  if (end.kind === 'late') return { problem: 'did not finish in time' };
  return end.status === 0 ? { text: end.stdout } : { problem: `failed: ${firstLine(end.stderr)}` };
}

export function firstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 120 ? `${line.slice(0, 117)}...` : line || 'nothing was printed';
}
