// A health check: which kind it is for, and its script.

export interface Kind {
  /** Empty for the core group of Kubernetes. */
  readonly group: string;
  readonly kind: string;
}

export interface Check extends Kind {
  /** The file it was read from, for messages. */
  readonly file: string;
  readonly script: string;
  /** Whether it needs more than the language and its tables (Argo CD's useOpenLibs). */
  readonly openLibs: boolean;
}

/** A first line that requests the string and math libraries, which Argo CD opens only on request. */
const OPEN_LIBS = /^--\s*useOpenLibs: true\s*$/m;

export function createCheck(kind: Kind, file: string, script: string): Check {
  return { ...kind, file, script, openLibs: OPEN_LIBS.test(script.split('\n')[0] ?? '') };
}

/** The common notation: group/Kind, or Kind alone. */
export function kindName({ group, kind }: Kind): string {
  return group === '' ? kind : `${group}/${kind}`;
}

/** The layout of Argo CD's own checks: GROUP/KIND/health.lua. */
export function kindOfFolder(folder: string): Kind {
  const [kind = '', group = ''] = folder.split(/[\\/]/).filter(Boolean).reverse();
  return { group, kind };
}
