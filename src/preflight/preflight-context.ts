// Everything that preflight reads: the programs of this machine, the cluster, the network, the given secrets.
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

/** The answer of a server, or why there is none. */
export type Answer =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'silent'; readonly reason: string };

/** What a pod requests. */
export type PodQuestion = { readonly id: string } & (
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'file' }
);

/** Answers by the id of the request. `left`: the pod, if it could not be removed. */
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
  /** Allocatable cores, bytes and pods. */
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

/** Read-only. Each rejects with a TiphysError if it cannot be read. */
export interface ClusterReader {
  readonly version: () => Promise<string>;
  /** The version of the argocd-server in that namespace; undefined if there is none. */
  readonly argocdVersion: (
    namespace: string,
    rootPath: string | undefined,
  ) => Promise<string | undefined>;
  readonly may: (right: ClusterRight) => Promise<boolean>;
  /** Whether the kind of GROUP/VERSION exists. */
  readonly serves: (groupVersion: string, kind: string) => Promise<boolean>;
  readonly nodes: () => Promise<readonly NodeView[]>;
  readonly dnsPods: () => Promise<readonly PodView[]>;
  readonly storageClasses: () => Promise<readonly StorageClassView[]>;
  readonly namespaces: () => Promise<readonly ObjectView[]>;
  /** CustomResourceDefinitions, named PLURAL.GROUP. */
  readonly definitions: () => Promise<readonly ObjectView[]>;
  /** In all namespaces, with this label. */
  readonly deployments: (label: string) => Promise<readonly ObjectView[]>;
  /** Metadata only: their content is not read. */
  readonly secrets: (label: string) => Promise<readonly ObjectView[]>;
}

export interface PreflightContext {
  /** Runs a program found on PATH to its end. The same call runs once. */
  readonly run: (program: string, ...args: readonly string[]) => Promise<ProgramEnd>;
  /** Rejects if there is no usable kubeconfig. */
  readonly cluster: () => Promise<ClusterReader>;
  /** The address of the kubeconfig's cluster. */
  readonly server: () => Promise<string>;
  /** One request from this machine. */
  readonly request: (url: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  /** Whether a port accepts connections. */
  readonly connect: (host: string, port: number) => Promise<Answer>;
  /** Creates a pod with the requests, and removes it. */
  readonly askFromCluster: (questions: readonly PodQuestion[]) => Promise<PodRun>;
  /** Seconds. */
  readonly now: () => number;
  readonly exists: (path: string) => boolean;
  /** The names in a folder; none if it does not exist. */
  readonly list: (folder: string) => readonly string[];
  /** The text of a given file; undefined if there is none. */
  readonly secret: (name: SecretName) => string | undefined;
}

/** Files in the folder of secrets. */
export const SECRETS = {
  gitToken: 'git-token',
  gitKey: 'git-ssh-key',
  registry: 'registry.json',
  dns: 'dns-credentials',
} as const;
type SecretName = (typeof SECRETS)[keyof typeof SECRETS];
