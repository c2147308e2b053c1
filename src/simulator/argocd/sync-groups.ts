// What of an Application is applied together: hooks before, waves one after the other, hooks afterwards.
import { namesOf } from './compare.ts';
import type { Wanted } from './desired.ts';

/** Applied at once, and waited for before the next. */
export interface Group {
  readonly wanted: readonly Wanted[];
  readonly isHooks: boolean;
}

type Chosen = readonly { readonly [key: string]: unknown }[];

/** `only`: the resources of a partial sync, which runs no hooks. */
export function groupsOf(all: readonly Wanted[], only: Chosen | undefined): readonly Group[] {
  const chosen = only ? all.filter((wanted) => isChosen(wanted, only)) : all;
  const phase = (is: (wanted: Wanted) => boolean, isHooks: boolean): Group[] => {
    const members = chosen.filter(is);
    const waves = [...new Set(members.map(({ wave }) => wave))].sort((a, b) => a - b);
    return waves.map((wave) => ({ isHooks, wanted: members.filter((one) => one.wave === wave) }));
  };
  const plain = phase(({ hook }) => hook === undefined || hook === 'Sync', false);
  const after = phase(({ hook }) => hook === 'PostSync', true);
  return [...phase(({ hook }) => hook === 'PreSync', true), ...plain, ...after];
}

function isChosen({ object, hook }: Wanted, only: Chosen): boolean {
  const { kind, name, namespace } = namesOf(object);
  const isIt = (one: Chosen[number]) =>
    one.kind === kind && one.name === name && one.namespace === namespace;
  return !hook && only.some(isIt);
}

/** As Argo CD says what it waits for. */
export function describe({ wanted, isHooks }: Group): string {
  const [first] = wanted;
  const { group, kind, name } = first ? namesOf(first.object) : { group: '', kind: '', name: '' };
  const more =
    wanted.length > 1 ? ` and ${wanted.length - 1} more ${isHooks ? 'hooks' : 'resources'}` : '';
  const what = isHooks ? 'completion of hook' : 'healthy state of';
  return `${what} ${group}/${kind}/${name}${more}`;
}
