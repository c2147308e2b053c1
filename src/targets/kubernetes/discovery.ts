// Where the API server serves which kinds. What is served is remembered; what is not is asked for again each time, for
// definitions come and go while a platform does.
import { z } from 'zod';
import { codeOf } from '../../errors.ts';
import type { ResourceName } from '../../ports/application-view.ts';
import { fields, list, optional } from '../application/schema.ts';
import type { KubernetesApi } from './api.ts';
import { atPath, invalidAnswer, parsed } from './errors.ts';

const { text } = fields;

const version = z.object({ groupVersion: text });
const groups = z.object({
  groups: list(
    z.object({ name: text, versions: list(version), preferredVersion: optional(version) }),
  ),
});
const resources = z.object({
  resources: list(
    z.object({ name: text, kind: text, namespaced: z.boolean(), verbs: list(z.string()) }),
  ),
});

export interface ServedKind {
  readonly group: string;
  readonly kind: string;
  /** Up to the namespace. */
  readonly root: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** A version of a group, and where it is. */
interface Root {
  readonly group: string;
  readonly root: string;
}

const CORE: Root = { group: '', root: '/api/v1' };

type KindName = Pick<ResourceName, 'group' | 'kind'>;

export class Discovery {
  readonly #api: KubernetesApi;
  readonly #known = new Map<string, ServedKind>();

  constructor(api: KubernetesApi) {
    this.#api = api;
  }

  /** Undefined: it is not served. */
  async find({ group, kind }: KindName): Promise<ServedKind | undefined> {
    const known = this.#known.get(keyOf({ group, kind }));
    if (known) return known;
    const roots = group === '' ? [CORE] : await this.#roots();
    for (const root of roots.filter((one) => one.group === group)) {
      for (const found of (await this.#at(root)) ?? []) {
        const key = keyOf(found);
        if (!this.#known.has(key)) this.#known.set(key, found);
      }
    }
    return this.#known.get(keyOf({ group, kind }));
  }

  forget(kind: KindName): void {
    this.#known.delete(keyOf(kind));
  }

  /**
   * Every kind that lives in namespaces and can be deleted, of all versions that are served: some groups serve kinds at
   * their own versions. Throws where one version does not tell its kinds.
   */
  async namespaced(): Promise<ServedKind[]> {
    const roots = await this.#roots();
    const found = await Promise.all(
      roots.map((one) =>
        atPath(one.root, async () => (await this.#at(one)) ?? (await this.#retired(one))),
      ),
    );
    const kinds = new Map<string, ServedKind>();
    for (const kind of found.flat()) {
      const key = `${kind.group}/${kind.plural}`;
      if (!kinds.has(key)) kinds.set(key, kind);
    }
    return [...kinds.values()].filter(
      ({ namespaced, verbs }) => namespaced && verbs.some((verb) => verb.startsWith('delete')),
    );
  }

  /** A version that was served a moment ago has no kinds, unless it is said to be served still. */
  async #retired({ root }: Root): Promise<ServedKind[]> {
    if ((await this.#roots()).every((one) => one.root !== root)) return [];
    throw invalidAnswer('the API server lists this resource but does not serve it');
  }

  /** Every version that is served, the preferred one of each group first. */
  async #roots(): Promise<Root[]> {
    const all = parsed(groups, await this.#api.get('/apis')).groups;
    return [
      CORE,
      ...all.flatMap(({ name: group, versions, preferredVersion }) => {
        const served = versions.map(({ groupVersion }) => groupVersion);
        const sorted = new Set([
          ...(preferredVersion ? [preferredVersion.groupVersion] : []),
          ...served,
        ]);
        return [...sorted].map((one) => ({ group, root: `/apis/${one}` }));
      }),
    ];
  }

  /** Undefined: there is no such version. */
  async #at({ group, root }: Root): Promise<ServedKind[] | undefined> {
    const given = await this.#api.get(root);
    if (given === undefined) return undefined;
    return parsed(resources, given)
      .resources.filter(({ name }) => !name.includes('/'))
      .map(({ name, kind, namespaced, verbs }) => ({
        ...{ group, kind, root, plural: name, namespaced, verbs },
      }));
  }
}

const keyOf = ({ group, kind }: KindName): string => `${group}/${kind}`;

/** What may not be read is not known, and nothing worse. */
export async function orUnknown<T>(read: () => Promise<T>): Promise<T | 'unknown'> {
  try {
    return await read();
  } catch (error) {
    if (codeOf(error) === 'cluster-forbidden') return 'unknown';
    throw error;
  }
}
