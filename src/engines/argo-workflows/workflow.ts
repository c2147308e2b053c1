// The part of Argo Workflows 4's Workflow that Tiphys uses.

export interface Parameter {
  readonly name: string;
  readonly value?: string;
}

export interface Task {
  readonly name: string;
  readonly template: string;
  readonly depends?: string;
  readonly when?: string;
  readonly arguments?: { readonly parameters: readonly Parameter[] };
}

export interface Template {
  readonly name: string;
  readonly inputs?: { readonly parameters: readonly Parameter[] };
  readonly dag?: { readonly tasks: readonly Task[] };
  readonly [key: string]: unknown;
}

export interface Workflow {
  readonly apiVersion: 'argoproj.io/v1alpha1';
  readonly kind: 'Workflow';
  readonly metadata: {
    readonly generateName: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly entrypoint: string;
    readonly templates: readonly Template[];
    readonly [key: string]: unknown;
  };
}

/** The limits of a Workflow and its templates: those of its CRD, and of an object in the cluster. */
export const TASKS_MAX = 200;
export const TEMPLATES_MAX = 200;
export const BYTES_MAX = 1024 * 1024;
