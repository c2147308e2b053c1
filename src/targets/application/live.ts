// The managed resources of an Application, as far as they tell whether their controllers have looked at them.
import { z } from 'zod';
import { parseJson } from '../../model/parse-json.ts';
import type { LiveResource } from '../../ports/application-view.ts';
import { fields, list, optional, resourceName } from './schema.ts';

const { text, flag } = fields;

const states = {
  targetState: text,
  liveState: text,
  normalizedLiveState: text,
  predictedLiveState: text,
};

export const managedResources = z.object({
  items: list(z.object({ ...resourceName, ...states, hook: flag })),
});

/** Some controllers write it as text, some as something else altogether: that says nothing. */
const generation = z
  .unknown()
  .optional()
  .transform((value) => {
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    return typeof number === 'number' ? number : undefined;
  });

const condition = z.object({
  type: text.catch(''),
  status: text.catch(''),
  observedGeneration: generation,
});

/** Kinds give their status any form. What does not look like the usual one is none of ours to judge. */
const none = { observedGeneration: undefined, completionTime: undefined, conditions: [] };
const liveObject = z.object({
  metadata: z.object({ generation: optional(z.number()) }),
  status: z
    .object({
      observedGeneration: generation,
      completionTime: optional(z.string()).catch(undefined),
      conditions: list(condition).catch([]),
    })
    .optional()
    .catch(none),
});

type LiveObject = z.output<typeof liveObject>;

/** Conditions that sum up. Others may rightly speak of the generation in which they last changed. */
const READY: ReadonlySet<string> = new Set([
  'Ready',
  'Available',
  'Healthy',
  'Reconciled',
  'Synced',
  'Accepted',
  'Programmed',
]);

/** Throws zod's error, or JSON's, where it is not what Argo CD answers. */
export function liveResources(given: unknown): readonly LiveResource[] {
  const { items } = managedResources.parse(given);
  return items
    .filter(({ hook }) => !hook)
    .map(({ liveState, group, kind, namespace, name }) => {
      const state: unknown = liveState === '' ? null : parseJson(liveState);
      const live = state === null ? undefined : liveObject.parse(state);
      return {
        ...{ group, kind, namespace, name },
        present: live !== undefined,
        generation: live?.metadata.generation,
        observedGeneration: live && observed(live),
        unfinishedJob: live !== undefined && group === 'batch' && kind === 'Job' && !finished(live),
      };
    });
}

function observed({ status }: LiveObject): number | undefined {
  const ready = (status?.conditions ?? []).filter(({ type }) => READY.has(type));
  const all = [status, ...ready].flatMap((part) => part?.observedGeneration ?? []);
  return all.length === 0 ? undefined : Math.min(...all);
}

function finished({ status }: LiveObject): boolean {
  const ended = ({ type, status: holds }: { type: string; status: string }) =>
    (type === 'Complete' || type === 'Failed') && holds === 'True';
  return status?.completionTime !== undefined || (status?.conditions ?? []).some(ended);
}
