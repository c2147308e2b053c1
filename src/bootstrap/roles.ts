// What can be installed, and how: static, because the options of every command need it.

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
