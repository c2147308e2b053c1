// The schema of platform.yaml.
import { z } from 'zod';
import { API_VERSION } from './api-version.ts';
import {
  applicationGate,
  applicationName,
  argocd,
  dependsOn,
  duration,
  environments,
  gate,
  gateTimes,
  generator,
  labelName,
  nodeTimeouts,
  retries,
  stackGate,
  time,
} from './fields.ts';
import { KIND_NAME } from './names.ts';

const settingsClass = z.strictObject({
  timeouts: nodeTimeouts.optional(),
  retries: retries.optional(),
  gate: gate.optional(),
  expectedDuration: duration.optional(),
});

const application = z.strictObject({
  name: applicationName.describe(
    'The name of the Argo CD Application; for a generated member, its name in this file.',
  ),
  ...generator,
  class: labelName.optional().describe('A named group of settings, from `classes` or built in.'),
  environments: environments.optional(),
  dependsOn: dependsOn.optional(),
  timeouts: nodeTimeouts.optional(),
  retries: retries.optional(),
  gate: applicationGate.optional(),
  expectedDuration: duration
    .optional()
    .describe('The expected time from the sync request until the gate opens.'),
  argocd: argocd.optional(),
});

const stack = z.strictObject({
  name: labelName,
  parent: labelName.optional().describe('The stack that contains this one.'),
  application: applicationName
    .optional()
    .describe("The stack's own Application (app-of-apps), if it has one."),
  environments: environments.optional(),
  dependsOn: dependsOn.optional(),
  timeouts: nodeTimeouts.optional(),
  retries: retries.optional(),
  gate: stackGate.optional(),
  argocd: argocd.optional(),
  applications: z.array(application),
});

const acceptedKind = z.strictObject({
  kind: z.string().regex(KIND_NAME).describe('GROUP/KIND, or KIND in the core group.'),
  reason: z.string().min(1).describe('Why this kind needs no health check.'),
});

export const platformFile = z.strictObject({
  apiVersion: z.literal(API_VERSION),
  kind: z.literal('Platform'),
  metadata: z.strictObject({ name: labelName }),
  spec: z.strictObject({
    argocd: argocd.optional().describe('The default namespace and AppProject of the Applications.'),
    root: applicationName
      .optional()
      .describe("The app-of-apps that creates the stacks' Applications."),
    timeouts: nodeTimeouts.extend({ run: time.optional() }).optional(),
    retries: retries.optional(),
    gate: gateTimes.optional(),
    concurrency: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe('The maximum number of Applications in progress at the same time.'),
    classes: z.record(labelName, settingsClass).optional(),
    health: z.strictObject({ accepted: z.array(acceptedKind).optional() }).optional(),
    stacks: z.array(stack),
  }),
});

export type PlatformFile = z.output<typeof platformFile>;
export type StackEntry = PlatformFile['spec']['stacks'][number];
export type ApplicationEntry = StackEntry['applications'][number];
export type SettingsClass = z.output<typeof settingsClass>;
