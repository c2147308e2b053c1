// What is read of an Application, checked where it comes in. Unknown fields are dropped. Absent and null are the same.
// A field of the wrong type is an error and never "absent": an error condition that is overlooked would open a gate.
import { z } from 'zod';
import { flag, list, optional, parsedOften, seconds, text, texts } from '../../model/foreign.ts';
import { foreignText } from '../foreign-text.ts';

export { list, optional } from '../../model/foreign.ts';

/** What is shown to people. */
const message = text.transform((value) => foreignText(value));

export const fields = { text, message, flag, texts };

/** What names an object of a cluster. */
export const resourceName = { group: text, kind: text, namespace: text, name: text };

const anything = z.record(z.string(), z.unknown());

/** What tells which one it is, and which state of it. */
export const place = z.object({
  name: z.string().min(1),
  namespace: text,
  resourceVersion: z.string().min(1),
});

const metadata = place.extend({
  uid: z.string().min(1),
  creationTimestamp: optional(seconds),
  deletionTimestamp: optional(z.string()),
  annotations: texts,
  labels: texts,
  ownerReferences: list(z.object({ kind: text, name: text })),
  finalizers: list(z.string()),
});

const health = z.object({ status: text, message });
const initiator = z.object({ username: text, automated: flag });
const operation = z.object({
  info: list(z.object({ name: text, value: text })),
  initiatedBy: optional(initiator),
});

const result = z.object({
  ...resourceName,
  status: text,
  message,
  hookType: text,
  hookPhase: text,
});

const revisions = { revision: text, revisions: list(z.string()) };

const deployment = z.object({
  id: optional(z.number()),
  deployStartedAt: optional(seconds),
  deployedAt: optional(seconds),
  initiatedBy: optional(initiator),
  ...revisions,
});

const operationState = z.object({
  phase: z.enum(['Running', 'Terminating', 'Succeeded', 'Failed', 'Error']),
  message,
  startedAt: optional(seconds),
  finishedAt: optional(seconds),
  operation: optional(operation),
  syncResult: optional(z.object({ ...revisions, resources: list(result) })),
});

const resource = z.object({
  ...resourceName,
  status: text,
  hook: flag,
  requiresPruning: flag,
  health: optional(health),
});

const compared = {
  source: optional(anything),
  sources: list(anything),
  destination: optional(anything),
  ignoreDifferences: list(anything),
};

const status = z.object({
  operationState: optional(operationState),
  history: list(deployment),
  sync: optional(
    z.object({ status: text, ...revisions, comparedTo: optional(z.object(compared)) }),
  ),
  health: optional(health.extend({ lastTransitionTime: optional(z.string()) })),
  reconciledAt: optional(seconds),
  conditions: list(z.object({ type: text, message, lastTransitionTime: optional(seconds) })),
  resources: list(resource),
});

export const application = z.object({
  metadata,
  spec: z.object({
    project: text,
    ...compared,
    sourceHydrator: optional(
      z.object({
        drySource: z.object({ repoURL: text }),
        syncSource: z.object({ repoURL: text, targetBranch: text, path: text }),
      }),
    ),
    syncPolicy: optional(
      z.object({
        automated: optional(
          z.object({ prune: flag, selfHeal: flag, enabled: optional(z.boolean()) }),
        ),
        syncOptions: list(z.string()),
      }),
    ),
  }),
  operation: optional(operation),
  status: optional(status),
});

/** Throws zod's error where it is not an Application. */
export const parseApplication = parsedOften(application);

export type RawApplication = z.output<typeof application>;
export type RawOperation = z.output<typeof operation>;
export type RawOperationState = z.output<typeof operationState>;
export type RawResult = z.output<typeof result>;
export type RawResource = z.output<typeof resource>;
