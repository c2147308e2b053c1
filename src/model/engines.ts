/** What executes a plan; `auto`: Argo Workflows where it is installed. */
export const ENGINES = ['embedded', 'argo-workflows', 'auto'] as const;
