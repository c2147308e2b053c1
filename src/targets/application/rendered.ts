// What an Application deploys, as objects: from its managed resources, and as its source renders it.
import { z } from 'zod';
import { parseJson } from '../../model/parse-json.ts';
import { type ReadObject, readObject } from '../../ports/read-object.ts';
import { managedResources } from './live.ts';
import { list } from './schema.ts';

export const manifestsAnswer = z.object({ manifests: list(z.string()) });

/**
 * What is wanted, and hooks that are in the cluster. Where nothing is wanted, since Argo CD cannot render it, what is live.
 * Throws zod's error, or JSON's, where it is not what Argo CD answers.
 */
export function wantedObjects(given: unknown): readonly ReadObject[] {
  const items = managedResources.parse(given).items.map(({ targetState, liveState, hook }) => ({
    target: objectIn(targetState),
    live: objectIn(liveState),
    hook,
  }));
  const isRendered = items.some(({ target }) => target !== undefined);
  return items.flatMap(
    ({ target, live, hook }) => target ?? (hook || !isRendered ? live : undefined) ?? [],
  );
}

export function renderedObjects(given: unknown): readonly ReadObject[] {
  return manifestsAnswer.parse(given).manifests.flatMap((text) => objectIn(text) ?? []);
}

/** Argo CD writes nothing, or null, where there is none. */
const objectIn = (text: string): ReadObject | undefined =>
  text === '' ? undefined : readObject(parseJson(text));
