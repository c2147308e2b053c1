// The fields that an event of a record must have before it is used: other clients can write a ConfigMap.
import { z } from 'zod';
import type { RunEvent } from '../../run/events.ts';

const text = z.string();
const texts = z.array(text);
const resource = z.object({ group: text, kind: text, namespace: text, name: text });
const unmet = z.object({ condition: text, message: text, resource: text.optional() });
const cause = z.object({ node: text, message: text, resource: text.optional() });
const object = { resource, cluster: text.optional() };
const durations = z.object({
  ...{ wait: z.number(), sync: z.number(), health: z.number(), dwell: z.number() },
  approval: z.number().optional(),
});
const outcome = z.enum(['healthy', 'unchanged', 'failed', 'skipped', 'removed']);
const evidence = z.record(text, z.unknown()).nullable();
const sync = { by: text, at: z.iso.datetime() };
const syncedBy = z.object(sync).optional();
const bypass = z.object({ ...sync, node: text, application: text, before: texts }).optional();
const startedBy = z.object({
  ...{ trigger: z.enum(['cli', 'workflow', 'event']), event: text.optional() },
  ...{ user: text.optional(), argocdAccount: text.optional(), submittedBy: text.optional() },
});
const member = z.object({
  ...{ application: text, outcome, evidence, cause: cause.optional() },
  ...{ revisions: texts, repositories: texts, syncedBy },
});

/** The fields of an event, by its type. A field that nothing reads may be missing: later versions added it. */
const FIELDS: Readonly<Record<RunEvent['type'], Readonly<Record<string, z.ZodType>>>> = {
  'run.started': {
    ...{ action: z.enum(['deploy', 'teardown']), platform: text, plan: text, engine: text },
    ...{ nodes: z.number(), expectedDuration: z.number(), resumed: z.boolean() },
    ...{ scope: texts, startedBy: startedBy.optional() },
  },
  'run.warning': { message: text, node: text.optional(), bypass },
  'run.waiting': { unmet },
  'hold.changed': { project: text, held: texts },
  'object.delete-requested': object,
  'object.removed': object,
  'object.left': { ...object, why: text, announced: z.boolean(), command: text },
  'run.finished': {
    exitStatus: z.int().min(0).max(4),
    reason: text.optional(),
    counts: z.record(text, z.number()),
    held: texts,
  },
  'node.started': { node: text, application: text.nullable() },
  'node.sync-requested': { node: text, operation: text, attempt: z.number() },
  'node.delete-requested': { node: text, uid: text },
  'node.finalizers-removed': { node: text, resource, finalizers: texts },
  'node.snapshot-requested': { node: text, claim: resource, name: text },
  'node.waiting': { node: text, unmet },
  'node.attempt-failed': {
    ...{ node: text, attempt: z.number(), message: text, resource: text.optional() },
    retry: z.object({ inSeconds: z.int().min(0).max(86_400), attempts: z.int() }).optional(),
  },
  'gate.opened': { node: text, evidence },
  'gate.closed': { node: text, unmet },
  'node.finished': {
    ...{ node: text, outcome, cause: cause.optional(), attempts: z.number(), durations },
    ...{ operations: texts, revisions: texts, repositories: texts },
    ...{ syncedBy, members: z.array(member).optional() },
  },
};

const SHAPES: ReadonlyMap<unknown, z.ZodType> = new Map(
  Object.entries(FIELDS).map(([type, fields]) => [
    type,
    z.object({ time: z.iso.datetime(), run: text, ...fields }),
  ]),
);

const typed = z.object({ type: text });

/** Throws if it is not an event. Undefined: a type that only a later version knows. */
export function eventOf(value: unknown): RunEvent | undefined {
  const shape = SHAPES.get(typed.parse(value).type);
  if (!shape) return undefined;
  shape.parse(value);
  return value as RunEvent;
}
