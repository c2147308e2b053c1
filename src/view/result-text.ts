// Results of one sentence, for the command line and the executor's log.

interface SubmittedWorkflow {
  readonly namespace: string;
  readonly workflow: string;
  /** The Workflow that must end first. */
  readonly waitsFor: string | null;
}

export function submittedText({ namespace, workflow, waitsFor }: SubmittedWorkflow): string {
  return `submitted Workflow ${namespace}/${workflow}${waitsFor ? `, which waits for ${waitsFor}` : ''}`;
}

export function nothingToDoText({ platform }: { readonly platform: string }): string {
  return `Nothing to delete: the cluster has no Applications of "${platform}".`;
}
