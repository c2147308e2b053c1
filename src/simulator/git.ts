// Git as Argo CD sees it: repositories whose folders hold manifests, and a branch that moves.
import type { KubeObject } from './cluster/object-store.ts';

interface Version {
  readonly number: number;
  readonly manifests: readonly KubeObject[];
}

const HEX = 16;
const DIGITS = 40;

export class Git {
  /** Repository and folder -> what it held, newest last. */
  readonly #folders = new Map<string, Version[]>();
  readonly #heads = new Map<string, { readonly number: number; readonly revision: string }>();
  /** False while it cannot be reached. */
  reachable = true;

  /** Replaces what a folder holds. Returns the new revision of the repository. */
  commit(repository: string, folder: string, manifests: readonly KubeObject[]): string {
    const next = this.move(repository);
    const key = keyOf(repository, folder);
    const version = { number: numberOf(next), manifests };
    this.#folders.set(key, [...(this.#folders.get(key) ?? []), version]);
    return next;
  }

  /** A commit that changes nothing here. */
  move(repository: string): string {
    const number = (this.#heads.get(repository)?.number ?? 0) + 1;
    this.#heads.set(repository, { number, revision: revisionOf(repository, number) });
    return this.head(repository);
  }

  head(repository: string): string {
    return this.#heads.get(repository)?.revision ?? revisionOf(repository, 0);
  }

  /** Undefined: there is no such folder at that revision. */
  read(repository: string, folder: string, at: string): readonly KubeObject[] | undefined {
    const number = numberOf(at);
    return this.#folders
      .get(keyOf(repository, folder))
      ?.findLast((version) => version.number <= number)?.manifests;
  }
}

const keyOf = (repository: string, folder: string) =>
  `${repository} ${folder.replace(/^\.?\/|\/$/g, '')}`;

/** Looks like one of Git's, and says which it is. */
function revisionOf(repository: string, number: number): string {
  let value = number;
  for (const letter of repository) value = (Math.imul(value, 31) + letter.charCodeAt(0)) >>> 0;
  const tail = number.toString(HEX).padStart(DIGITS / 2, '0');
  return `${value.toString(HEX).padStart(8, '0').repeat(3)}`.slice(0, DIGITS / 2) + tail;
}

function numberOf(text: string): number {
  return Number.parseInt(text.slice(-DIGITS / 2), HEX);
}
