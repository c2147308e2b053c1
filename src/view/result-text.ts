// Results of one sentence, for the command line and for the log of the executor.

interface SubmittedWorkflow {
  readonly namespace: string;
  readonly workflow: string;
  /** The Workflow that must end first. */
  readonly waitsFor: string | null;
}

export function submittedText({ namespace, workflow, waitsFor }: SubmittedWorkflow): string {
  return `submitted ${namespace}/${workflow}${waitsFor ? `, which waits for ${waitsFor}` : ''}`;
}

export function nothingToDoText({ platform }: { readonly platform: string }): string {
  return `Nothing of "${platform}" is in the cluster: there is nothing to do.`;
}
