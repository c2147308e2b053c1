// What there is to install, and how: known without anything else, since every command's options are.

/** In the order in which they run. */
export const ROLES = [
  'argocd',
  'argo-workflows',
  'argo-events',
  'sealed-secrets',
  'gitops-handoff',
] as const;
export type Role = (typeof ROLES)[number];

/** Of every role. */
export const PHASES = ['pre-check', 'apply', 'test', 'validate', 'rollback', 'result'] as const;
export type Phase = (typeof PHASES)[number];
