// RFC 3.2.1: the programs that bootstrap calls, and the command that installs each.
import { failure, type Prerequisite, pass, type Verdict } from './row.ts';
import type { ProgramEnd } from './surroundings.ts';
import { isAtLeast, renderVersion, type Version, versionIn } from './tool-version.ts';
import type { Wanted } from './wanted.ts';

interface Tool {
  readonly name: string;
  readonly args: readonly string[];
  readonly least: Version;
  readonly install: string;
  /** What is wrong with a version that is not too old. */
  readonly unfit?: (version: Version) => string | undefined;
}

const HELM_3_ONLY = 'Helm 4 does not work with the module kubernetes.core.helm: Helm 3 is needed';

const toolsFor = ({ requirements }: Wanted): readonly Tool[] => [
  {
    name: 'ansible-playbook',
    args: ['--version'],
    least: [2, 15],
    install: `python3 -m pip install -r ${requirements}`,
  },
  {
    name: 'kubectl',
    args: ['version', '--client'],
    least: [1, 28],
    install:
      'curl -fsSLo kubectl "https://dl.k8s.io/release/$(curl -fsSL https://dl.k8s.io/release/stable.txt)/bin/linux/amd64/kubectl" && sudo install kubectl /usr/local/bin/',
  },
  {
    name: 'helm',
    args: ['version', '--short'],
    least: [3, 12],
    install:
      'curl -fsSL https://raw.githubusercontent.com/helm/helm/main/scripts/get-helm-3 | bash',
    unfit: ([major = 0]) => (major >= 4 ? HELM_3_ONLY : undefined),
  },
  {
    name: 'kubeseal',
    args: ['--version'],
    least: [0, 24],
    install: 'go install github.com/bitnami-labs/sealed-secrets/cmd/kubeseal@latest',
  },
  { name: 'jq', args: ['--version'], least: [1, 6], install: 'sudo apt-get install -y jq' },
  {
    name: 'yq',
    args: ['--version'],
    least: [4, 0],
    // Debian's yq is another program, of version 3 and less.
    install: 'go install github.com/mikefarah/yq/v4@latest',
  },
];

export const toolPrerequisites = (wanted: Wanted): readonly Prerequisite[] =>
  toolsFor(wanted).map((tool) => ({
    id: `tool:${tool.name}`,
    section: '3.2.1',
    what: `${tool.name} ${renderVersion(tool.least)} or newer`,
    judge: async ({ run }) => judgeTool(tool, await run(tool.name, ...tool.args)),
  }));

function judgeTool(tool: Tool, end: ProgramEnd): Verdict {
  const remedy = `Install it: ${tool.install}`;
  const bad = (seen: string) => failure('tool-missing', seen, remedy);
  if (end.kind === 'missing') return bad('not on PATH');
  const broken = (seen: string) =>
    failure(
      'tool-missing',
      `${callOf(tool)} ${seen}`,
      `Try it by hand, or install it anew: ${tool.install}`,
    );
  if (end.kind === 'late') return broken('did not end in time');
  if (end.status !== 0) return broken(`failed: ${firstLine(end.stderr)}`);
  const version = versionIn(end.stdout);
  if (!version) return broken(`names no version: ${firstLine(end.stdout)}`);
  const seen = renderVersion(version);
  if (!isAtLeast(version, tool.least)) return bad(`${seen} is too old`);
  const unfit = tool.unfit?.(version);
  return unfit ? bad(`${seen}: ${unfit}`) : pass(seen);
}

const callOf = ({ name, args }: Tool): string => [name, ...args].join(' ');

export function firstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 120 ? `${line.slice(0, 117)}...` : line || 'nothing was printed';
}
