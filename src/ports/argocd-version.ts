// The versions of Argo CD that Tiphys was tried with.

const TRIED = { major: 3, first: 2, last: 5 } as const;

export const TRIED_VERSIONS = `${TRIED.major}.${TRIED.first} to ${TRIED.major}.${TRIED.last}`;

/** `version`: as Argo CD says it, such as v3.2.11+f53c9e4. */
export function isTried(version: string): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)\b/.exec(version) ?? [];
  if (Number(major) !== TRIED.major) return false;
  return TRIED.first <= Number(minor) && Number(minor) <= TRIED.last;
}

export const untried = (version: string): string =>
  `Argo CD ${version} is not one of the versions that Tiphys was tested with, ${TRIED_VERSIONS}`;
