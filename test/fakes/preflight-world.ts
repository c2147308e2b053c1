// A place where every prerequisite is met, as phase 0 sees it. Tests change one thing.

import { checkPrerequisites, prerequisitesFor } from '../../src/preflight/check-prerequisites.ts';
import type {
  Answer,
  ClusterReader,
  NodeView,
  ObjectView,
  PreflightContext,
  ProgramEnd,
} from '../../src/preflight/preflight-context.ts';
import type { Wanted } from '../../src/preflight/wanted.ts';
import { VirtualClock } from './virtual-clock.ts';

export const WANTED: Wanted = {
  argocdNamespace: 'argocd',
  workflowsNamespace: 'argo',
  names: ['shop', 'db', 'external-dns'],
  gitRepository: 'https://git.example.com/platform.git',
  requirements: '/app/bootstrap/requirements.txt',
  charts: undefined,
  images: ['images.example.com'],
  fromCluster: false,
};

export const node = (name: string, more: Partial<NodeView> = {}): NodeView => ({
  ...{ name, ready: true, message: '', cordoned: false, taints: [], controlPlane: false },
  ...{ version: 'v1.36.4', runtime: 'containerd://2.0' },
  allocatable: { cpu: 4, memory: 8 * 2 ** 30, pods: 110 },
  ...more,
});

export const object = (
  name: string,
  more: Partial<Record<'labels' | 'annotations', Record<string, string>>> & {
    readonly namespace?: string;
    readonly deleting?: boolean;
  } = {},
): ObjectView => ({
  ...{ name, namespace: more.namespace ?? '', deleting: more.deleting ?? false },
  labels: new Map(Object.entries(more.labels ?? {})),
  annotations: new Map(Object.entries(more.annotations ?? {})),
});

export const printed = (stdout: string): ProgramEnd => ({
  ...{ kind: 'ended', status: 0, stdout, stderr: '' },
});

const PYTHON = '/opt/ansible/bin/python3';
const about = (program: string) =>
  `${program} [core 2.19.14]\n  python version = 3.11.7 (main, May  9 2026) [GCC 12.2.0] (${PYTHON})\n`;
const collections = {
  '/root/.ansible/collections': { 'kubernetes.core': { version: '6.2.0' } },
  '/usr/share/ansible': {
    'kubernetes.core': { version: '3.0.0' },
    'community.general': { version: '11.4.2' },
    'ansible.posix': { version: '2.1.0' },
    'ansible.utils': { version: '6.0.0' },
  },
};
const packages = { kubernetes: '37.0.2', openshift: '0.13.2', pyyaml: '6.0.3', jsonpatch: '1.33' };

/** By the name of the program; of ansible-galaxy by its first argument. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'ansible-playbook': about('ansible-playbook'),
  'ansible-galaxy --version': about('ansible-galaxy'),
  'ansible-galaxy': JSON.stringify(collections),
  kubectl: 'Client Version: v1.36.4\nKustomize Version: v5.8.1\n',
  helm: 'v3.22.0+g1234567\n',
  kubeseal: 'kubeseal version: v0.40.0\n',
  jq: 'jq-1.6\n',
  yq: 'yq (https://github.com/mikefarah/yq/) version v4.54.1\n',
  [PYTHON]: JSON.stringify(packages),
};

export interface Changes {
  readonly programs?: Readonly<Record<string, ProgramEnd>>;
  readonly cluster?: Partial<ClusterReader>;
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly world?: Partial<PreflightContext>;
}

const GOOD_CLUSTER: ClusterReader = {
  version: async () => 'v1.36.4',
  argocdVersion: async () => undefined,
  may: async () => true,
  serves: async () => true,
  nodes: async () => ['node1', 'node2', 'node3'].map((name) => node(name)),
  dnsPods: async () => [{ name: 'coredns-1', ready: true }],
  storageClasses: async () => [{ name: 'fast', isDefault: true }],
  namespaces: async () => [object('default'), object('kube-system')],
  definitions: async () => [object('things.example.org')],
  deployments: async () => [],
  secrets: async () => [],
};

export function preflightWorld(changes: Changes = {}): PreflightContext {
  const cluster = { ...GOOD_CLUSTER, ...changes.cluster };
  const secrets: Readonly<Record<string, string>> = {
    'registry.json': '{"auths": {"images.example.com": {"auth": "c2VjcmV0"}}}',
    'dns-credentials': 'key',
    ...changes.secrets,
  };
  return {
    run: async (program, ...args) => {
      for (const key of [`${program} ${args[0]}`, program]) {
        const end = changes.programs?.[key];
        if (end) return end;
        const text = PROGRAMS[key];
        if (text !== undefined) return printed(text);
      }
      return { kind: 'missing' };
    },
    cluster: async () => cluster,
    server: async () => 'https://cluster.example.com:6443',
    request: async (url) => {
      const answer = Object.entries(changes.answers ?? {}).find(([part]) => url.includes(part));
      return answer?.[1] ?? { kind: 'answered', status: 200 };
    },
    connect: async () => ({ kind: 'answered', status: 0 }),
    askFromCluster: async (questions) => ({
      kind: 'ran',
      answers: new Map(questions.map(({ id }) => [id, { kind: 'answered', status: 200 }])),
    }),
    now: () => Date.parse('2026-11-15T00:00:00Z') / 1000,
    exists: () => true,
    list: () => ['argo-cd-9.1.0.tgz'],
    secret: (name) => secrets[name],
    ...changes.world,
  };
}

export async function look(changes: Changes = {}, wanted: Partial<Wanted> = {}) {
  const clock = new VirtualClock();
  const all = prerequisitesFor({ ...WANTED, ...wanted });
  return clock.until(checkPrerequisites(all, preflightWorld(changes), clock));
}

/** The rows that do not pass. */
export async function turned(changes: Changes, wanted: Partial<Wanted> = {}) {
  const { rows, exitStatus } = await look(changes, wanted);
  const wrong = rows.filter(({ verdict }) => verdict !== 'pass');
  return { exitStatus, rows: wrong.map(({ id, verdict, seen }) => `${verdict} ${id}: ${seen}`) };
}

export const missing: ProgramEnd = { kind: 'missing' };
export const silent: Answer = { kind: 'silent', reason: 'no route' };
export const answered = (status: number): Answer => ({ kind: 'answered', status });
