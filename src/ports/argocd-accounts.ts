// The accounts of Tiphys in Argo CD: one for each kind of work, so that no process can do more than its work needs.

/** As in bootstrap/inventory/group_vars/all.yml. Each token is in its own Secret, in Argo CD's namespace. */
export const ACCOUNTS = {
  validate: { account: 'tiphys-validate', secret: 'tiphys-argocd-token-validate' },
  deploy: { account: 'tiphys', secret: 'tiphys-argocd-token' },
  teardown: { account: 'tiphys-teardown', secret: 'tiphys-argocd-token-teardown' },
} as const;

/** What is done with the cluster: `validate` stands for everything that only reads. */
export type AccountUse = keyof typeof ACCOUNTS;

export const TOKEN_SECRETS: readonly string[] = Object.values(ACCOUNTS).map(({ secret }) => secret);

/** Whose token is used, for messages. */
export interface TokenHolder {
  /** Undefined: the token does not name one. */
  readonly account: string | undefined;
  /** Undefined: the token is from a file. */
  readonly secret: string | undefined;
  /** The Secret that was looked for first. */
  readonly insteadOf: string | undefined;
}
