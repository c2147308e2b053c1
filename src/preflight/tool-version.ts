// Versions of programs, as far as "at least" needs.

export type Version = readonly number[];

/** The first one in a text: `ansible-playbook [core 2.19.14]`, `jq-1.6`, `v3.22.0+g1`. */
export function versionIn(text: string): Version | undefined {
  const [, found] = /(?:^|[^\d.])v?(\d+(?:\.\d+)+)/.exec(text) ?? [];
  return found?.split('.').map(Number);
}

export function isAtLeast(version: Version, least: Version): boolean {
  const at = least.findIndex((wanted, place) => wanted !== (version[place] ?? 0));
  return at === -1 || (version[at] ?? 0) > (least[at] ?? 0);
}

export const renderVersion = (version: Version): string => version.join('.');
