// What an import takes of the status of an Application.
import { z } from 'zod';
import { flag, list, optional, seconds, text } from '../model/foreign.ts';

const resource = z.object({
  group: text,
  kind: text,
  namespace: text,
  name: text,
  hook: flag,
  syncWave: optional(z.number()),
});

const operationState = z.object({
  phase: text,
  startedAt: optional(seconds),
  finishedAt: optional(seconds),
  syncResult: optional(z.object({ resources: list(z.object({ hookType: text })) })),
});

export const applicationStatus = z.object({
  operationState: optional(operationState),
  history: list(z.object({ deployStartedAt: optional(seconds), deployedAt: optional(seconds) })),
  health: optional(z.object({ status: text, lastTransitionTime: optional(seconds) })),
  resources: list(resource),
});

export type RawStatus = z.output<typeof applicationStatus>;
