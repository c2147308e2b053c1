// A whole list, page by page, all pages of one moment.
import { z } from 'zod';
import type { Patience } from '../retry.ts';
import { type KubernetesApi, parseJson } from './api.ts';
import { invalidAnswer } from './errors.ts';
import { withQuery } from './paths.ts';

export interface Listed {
  /** Undefined where the cluster does not know the kind. */
  readonly resourceVersion: string | undefined;
  readonly items: readonly unknown[];
}

const PAGE = 500;
const page = z.object({
  metadata: z.object({ resourceVersion: z.string(), continue: z.string().optional() }),
  items: z.array(z.unknown()).nullish(),
});

export async function listAll(
  api: KubernetesApi,
  path: string,
  query: Readonly<Record<string, string>> = {},
  patience?: Partial<Patience>,
): Promise<Listed> {
  const items: unknown[] = [];
  let next: string | undefined;
  for (;;) {
    const url = withQuery(path, { ...query, limit: String(PAGE), continue: next });
    const answer = await api.ask(url, [404, 410], patience);
    if (answer.status === 404) return { resourceVersion: undefined, items: [] };
    if (answer.status === 410) {
      // The moment of the first page is gone: all over again.
      items.length = 0;
      next = undefined;
      continue;
    }
    const { metadata, items: more } = parsePage(answer.text);
    items.push(...(more ?? []));
    if (!metadata.continue) return { resourceVersion: metadata.resourceVersion, items };
    next = metadata.continue;
  }
}

function parsePage(text: string): z.output<typeof page> {
  const result = page.safeParse(parseJson(text));
  if (!result.success) throw invalidAnswer('not a list', { cause: result.error });
  return result.data;
}
