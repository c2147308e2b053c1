// Argo Workflows: Workflows, and the task sets that a Workflow leaves to its agent.
import type { WriteResult } from './write-result.ts';

interface WorkflowNode {
  readonly name: string;
  readonly phase: string;
  readonly message: string;
}

/** A Workflow of Argo Workflows, as far as one follows it. */
export interface WorkflowView {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly annotations: ReadonlyMap<string, string>;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Empty until the controller has seen it. */
  readonly phase: string;
  readonly message: string;
  /** The output `run` of one of its pods, once there is one. */
  readonly run: string | undefined;
  /** By the names of their tasks. */
  readonly nodes: readonly WorkflowNode[];
  /** They are too many to be told one by one, and none is. */
  readonly isPacked: boolean;
}

/** Calls at each change of that one, until the signal is given. False where that right is missing. */
type WatchOne = (
  namespace: string,
  name: string,
  changed: () => void,
  signal: AbortSignal,
) => Promise<boolean>;

export interface WorkflowReads {
  readonly get: (namespace: string, name: string) => Promise<WorkflowView | undefined>;
  /** Undefined where the cluster does not know Workflows. */
  readonly list: (
    namespace: string,
    labels: ReadonlyMap<string, string>,
  ) => Promise<readonly WorkflowView[] | undefined>;
  readonly watch: WatchOne;
  /**
   * Calls at each change of its agent's pod with what keeps that from starting, as Kubernetes says it; empty where nothing
   * does. False where pods may not be seen.
   */
  readonly watchAgent: (
    namespace: string,
    name: string,
    changed: (trouble: string) => void,
    signal: AbortSignal,
  ) => Promise<boolean>;
}

/** Workflows are Tiphys' own objects, as a Lease and a record are. */
export interface Workflows extends WorkflowReads {
  /** With the ConfigMap that its pods read, which may be there already. */
  readonly create: (namespace: string, files: object, workflow: object) => Promise<WriteResult>;
  /** What runs is ended, and then its exit handler runs. */
  readonly stop: (namespace: string, name: string) => Promise<WriteResult>;
}

/** What a Workflow leaves to its agent, by the ids of its nodes. */
export interface TaskSetView {
  /** The Workflow has ended. */
  readonly isOver: boolean;
  /** What the template of each task gives the agent; undefined where it is for another one. */
  readonly tasks: ReadonlyMap<string, Readonly<Record<string, string>> | undefined>;
  /** Those of them whose result is there, and was not read yet. */
  readonly reported: ReadonlySet<string>;
}

export interface TaskResult {
  readonly phase: 'Succeeded' | 'Failed';
  readonly message: string;
  /** Output parameters. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** WorkflowTaskSets of Argo Workflows. */
export interface TaskSetReads {
  readonly get: (namespace: string, name: string) => Promise<TaskSetView | undefined>;
  readonly watch: WatchOne;
}

export interface TaskSets extends TaskSetReads {
  /** Only for tasks that are still there, and only if there was no other write meanwhile: `conflict` otherwise. */
  readonly report: (
    namespace: string,
    name: string,
    results: ReadonlyMap<string, TaskResult>,
  ) => Promise<WriteResult>;
}
