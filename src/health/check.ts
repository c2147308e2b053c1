// A health check: which kind it is for, and its script.

export interface Kind {
  /** Empty for the kinds of Kubernetes' core. */
  readonly group: string;
  readonly kind: string;
}

export interface Check extends Kind {
  /** Where it was read from, for messages. */
  readonly file: string;
  readonly script: string;
  /** Whether it needs more than the language and its tables (Argo CD's useOpenLibs). */
  readonly openLibs: boolean;
}

/** A first line that asks for the libraries of text and mathematics, which Argo CD opens only on request. */
const OPEN_LIBS = /^--\s*useOpenLibs: true\s*$/m;

export function createCheck(kind: Kind, file: string, script: string): Check {
  return { ...kind, file, script, openLibs: OPEN_LIBS.test(script.split('\n')[0] ?? '') };
}

/** As Argo CD and people write it: group/Kind, or Kind alone. */
export function kindName({ group, kind }: Kind): string {
  return group === '' ? kind : `${group}/${kind}`;
}

/** The layout of Argo CD's own checks: GROUP/KIND/health.lua. */
export function kindOfFolder(folder: string): Kind {
  const [kind = '', group = ''] = folder.split(/[\\/]/).filter(Boolean).reverse();
  return { group, kind };
}
