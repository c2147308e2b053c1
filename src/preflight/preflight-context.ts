// All that phase 0 looks at: the programs of this machine, the cluster, the network, the secrets that were handed over.
import type { ClusterRight } from '../ports/target.ts';

export type ProgramEnd =
  | {
      readonly kind: 'ended';
      readonly status: number | null;
      readonly stdout: string;
      readonly stderr: string;
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'late' };

/** What a server said, or why it said nothing. */
export type Answer =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'silent'; readonly reason: string };

/** What a pod is to ask. */
export type PodQuestion = { readonly id: string } & (
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'file' }
);

/** Answers by the id of the question. `left`: the pod, where it could not be removed. */
export type PodRun = { readonly left?: string } & (
  | { readonly kind: 'ran'; readonly answers: ReadonlyMap<string, Answer> }
  | { readonly kind: 'not-run'; readonly reason: string }
);

export interface NodeView {
  readonly name: string;
  readonly ready: boolean;
  /** Why it is not ready. */
  readonly message: string;
  readonly cordoned: boolean;
  /** Taints that keep ordinary pods away. */
  readonly taints: readonly string[];
  readonly controlPlane: boolean;
  readonly version: string;
  readonly runtime: string;
  /** Cores, bytes, pods that it has to give. */
  readonly allocatable: { readonly cpu: number; readonly memory: number; readonly pods: number };
}

/** What the metadata of an object tell. */
export interface ObjectView {
  readonly name: string;
  readonly namespace: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly annotations: ReadonlyMap<string, string>;
  readonly deleting: boolean;
}

export interface PodView {
  readonly name: string;
  readonly ready: boolean;
}

export interface StorageClassView {
  readonly name: string;
  readonly isDefault: boolean;
}

/** Reads only. Each rejects with a TiphysError where it cannot be known. */
export interface ClusterReader {
  readonly version: () => Promise<string>;
  /** As the argocd-server of that namespace says it; undefined where there is none. */
  readonly argocdVersion: (
    namespace: string,
    rootPath: string | undefined,
  ) => Promise<string | undefined>;
  readonly may: (right: ClusterRight) => Promise<boolean>;
  /** Whether there is this kind of GROUP/VERSION. */
  readonly serves: (groupVersion: string, kind: string) => Promise<boolean>;
  readonly nodes: () => Promise<readonly NodeView[]>;
  readonly dnsPods: () => Promise<readonly PodView[]>;
  readonly storageClasses: () => Promise<readonly StorageClassView[]>;
  readonly namespaces: () => Promise<readonly ObjectView[]>;
  /** CustomResourceDefinitions; the name of one is PLURAL.GROUP. */
  readonly definitions: () => Promise<readonly ObjectView[]>;
  /** Of all namespaces, with this label. */
  readonly deployments: (label: string) => Promise<readonly ObjectView[]>;
  /** Metadata only: what is in them is not read. */
  readonly secrets: (label: string) => Promise<readonly ObjectView[]>;
}

export interface PreflightContext {
  /** Runs a program to its end, found on PATH. The same call is made once. */
  readonly run: (program: string, ...args: readonly string[]) => Promise<ProgramEnd>;
  /** Rejects where there is no kubeconfig that can be used. */
  readonly cluster: () => Promise<ClusterReader>;
  /** Where the kubeconfig's cluster is. */
  readonly server: () => Promise<string>;
  /** One request from this machine. */
  readonly request: (url: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  /** Whether something listens there. */
  readonly connect: (host: string, port: number) => Promise<Answer>;
  /** Makes a pod that asks, and removes it. */
  readonly askFromCluster: (questions: readonly PodQuestion[]) => Promise<PodRun>;
  /** Seconds. */
  readonly now: () => number;
  readonly exists: (path: string) => boolean;
  /** The names in a folder; none where it is not there. */
  readonly list: (folder: string) => readonly string[];
  /** The text of a file that was handed over; undefined where there is none. */
  readonly secret: (name: SecretName) => string | undefined;
}

/** Files of the folder of secrets. */
export const SECRETS = {
  gitToken: 'git-token',
  gitKey: 'git-ssh-key',
  registry: 'registry.json',
  dns: 'dns-credentials',
} as const;
type SecretName = (typeof SECRETS)[keyof typeof SECRETS];
