// A whole list, page by page, all pages of one moment.
import { z } from 'zod';
import type { Patience } from '../retry.ts';
import { type KubernetesApi, parsedAnswer } from './api.ts';
import { invalidAnswer, parsed } from './errors.ts';
import { type Query, withQuery } from './paths.ts';

export interface Listed {
  /** Undefined where the cluster does not know the kind. */
  readonly resourceVersion: string | undefined;
  readonly items: readonly unknown[];
}

const PAGE = 500;
/** A server that keeps taking its moments back, or always has one more page, is not listened to for ever. */
const RESTARTS = 10;
const PAGES = 2_000;
const page = z.object({
  metadata: z.object({ resourceVersion: z.string(), continue: z.string().optional() }),
  items: z.array(z.unknown()).nullish(),
});

export async function listAll(
  api: KubernetesApi,
  path: string,
  query: Query = {},
  patience?: Partial<Patience>,
): Promise<Listed> {
  const items: unknown[] = [];
  let next: string | undefined;
  let restarts = 0;
  for (let pages = 0; pages < PAGES; pages++) {
    const url = withQuery(path, { ...query, limit: String(PAGE), continue: next });
    const answer = await api.ask(url, [404, 410], patience);
    if (answer.status === 404) return { resourceVersion: undefined, items: [] };
    if (answer.status === 410) {
      // The moment of the first page is gone: all over again.
      items.length = 0;
      next = undefined;
      if (++restarts > RESTARTS) throw invalidAnswer(`a list expired ${restarts} times: ${path}`);
      continue;
    }
    const { metadata, items: more } = parsed(page, parsedAnswer(answer.text), 'not a list');
    // One by one: a page can have more than a call may have arguments.
    for (const item of more ?? []) items.push(item);
    if (!metadata.continue) return { resourceVersion: metadata.resourceVersion, items };
    if (metadata.continue === next) throw invalidAnswer(`a list repeats a page: ${path}`);
    next = metadata.continue;
  }
  throw invalidAnswer(`a list has more than ${PAGES} pages: ${path}`);
}
