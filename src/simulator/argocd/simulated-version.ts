// Which Argo CD is simulated. What it does differently from some minor version on is asked for here.

/** MAJOR.MINOR of the versions that can be simulated, each with the whole version that it says it is. */
export const VERSIONS = { '3.2': '3.2.11', '3.5': '3.5.1' } as const;
export type SimulatedVersion = keyof typeof VERSIONS;

export interface Versioned {
  /** MAJOR.MINOR.PATCH. */
  readonly version: string;
}

/** Whether it is 3.MINOR or later. */
export function isFrom(minor: number, { version }: Versioned): boolean {
  const [major = 0, found = 0] = version.split('.').map(Number);
  return major > 3 || (major === 3 && found >= minor);
}
