// Where the API server serves which kinds. What is served is remembered; what is not is asked for again each time, for
// definitions come and go while a platform does.
import { z } from 'zod';
import { TiphysError } from '../../errors.ts';
import type { ResourceName } from '../../ports/application-view.ts';
import { fields, list } from '../application/schema.ts';
import type { KubernetesApi } from './api.ts';
import { parsed } from './errors.ts';

const { text } = fields;

const groups = z.object({
  groups: list(z.object({ name: text, versions: list(z.object({ groupVersion: text })) })),
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

type KindName = Pick<ResourceName, 'group' | 'kind'>;

export class Discovery {
  readonly #api: KubernetesApi;
  readonly #known = new Map<string, ServedKind>();

  constructor(api: KubernetesApi) {
    this.#api = api;
  }

  /** Undefined: nobody serves it. */
  async find({ group, kind }: KindName): Promise<ServedKind | undefined> {
    const known = this.#known.get(keyOf({ group, kind }));
    if (known) return known;
    for (const root of await this.#roots(group)) {
      for (const found of await this.#at(group, root)) {
        const key = keyOf(found);
        if (!this.#known.has(key)) this.#known.set(key, found);
      }
    }
    return this.#known.get(keyOf({ group, kind }));
  }

  forget(kind: KindName): void {
    this.#known.delete(keyOf(kind));
  }

  /** Every kind that lives in namespaces and can be listed and deleted. */
  async namespaced(): Promise<ServedKind[]> {
    const { groups: all } = parsed(groups, await this.#api.get('/apis'));
    const roots = [
      ['', '/api/v1'],
      ...all.map(({ name, versions }) => [name, `/apis/${versions[0]?.groupVersion}`]),
    ] as const;
    const found = await Promise.all(roots.map(([group = '', root = '']) => this.#at(group, root)));
    return found
      .flat()
      .filter(
        ({ namespaced, verbs }) => namespaced && verbs.includes('list') && verbs.includes('delete'),
      );
  }

  async #roots(group: string): Promise<string[]> {
    if (group === '') return ['/api/v1'];
    const all = parsed(groups, await this.#api.get('/apis')).groups;
    const found = all.find(({ name }) => name === group);
    return (found?.versions ?? []).map(({ groupVersion }) => `/apis/${groupVersion}`);
  }

  async #at(group: string, root: string): Promise<ServedKind[]> {
    const given = await this.#api.get(root);
    if (given === undefined) return [];
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
    const code = error instanceof TiphysError ? error.diagnostics[0]?.code : undefined;
    if (code === 'cluster-forbidden') return 'unknown';
    throw error;
  }
}
