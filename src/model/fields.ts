// The fields that both files share. The JSON Schemas are generated from the same source.
import { z } from 'zod';
import { DURATION, LONGEST_DURATION, parseDuration, renderDuration } from './duration.ts';
import { AT_LEAST_MAX, DEPENDENCIES_MAX } from './limits.ts';
import {
  ADDRESS_WITHOUT_CREDENTIALS,
  APPLICATION_NAME,
  HTTP_ADDRESS,
  IMAGE_REFERENCE,
  LABEL_KEY,
  LABEL_NAME,
  LABEL_VALUE,
  LONGEST_APPLICATION_NAME,
  LONGEST_LABEL,
  LONGEST_LABEL_KEY,
  LONGEST_QUESTION,
  LONGEST_SETTING,
  NAME_PATTERN,
  ONE_LINE,
  REFERENCE,
  TCP_ADDRESS,
} from './names.ts';

// Zod would otherwise compile validators with `new Function`.
z.config({ jitless: true });

export const DURATION_TEXT = 'Hours, minutes and seconds: 90s, 5m, 1h30m.';

export const labelName = z.string().regex(LABEL_NAME).max(LONGEST_LABEL);
export const applicationName = z.string().regex(APPLICATION_NAME).max(LONGEST_APPLICATION_NAME);
export const duration = durationFrom(0);
export const time = durationFrom(1);
/** Not less than the timeout of any write; a run that takes over from a crashed one may have to wait this long. */
export const requestTime = durationFrom(5, 300);

const reference = z.string().regex(REFERENCE);
const optionalDependency = z.strictObject({
  name: reference,
  optional: z.literal(true).describe('Ignored if the environment does not have it.'),
});
// Nearly all dependencies are strings, so try that form first.
const dependency = z.union([reference, optionalDependency]);

export const dependsOn = z
  .array(dependency)
  .max(DEPENDENCIES_MAX)
  .describe('What must be Healthy first: NAME or app:NAME, stack:NAME.');

export type Dependency = z.output<typeof dependency>;

/** The name in a dependency, in either form. */
export const dependencyName = (written: Dependency): string =>
  typeof written === 'string' ? written : written.name;

export const environments = z
  .array(labelName)
  .min(1)
  .describe('The environments that have it, by the `name` in their files; default: all.');

export const nodeTimeouts = z.strictObject({
  sync: time.optional().describe('Timeout of one sync attempt.'),
  health: time.optional().describe('Timeout for becoming Healthy, once per application.'),
});

export const retries = z.strictObject({
  maxAttempts: z.int().min(1).max(100).optional(),
  backoff: duration
    .optional()
    .describe('Delay before the second attempt; it doubles with every attempt, up to 5m.'),
});

export const gateTimes = z.strictObject({
  dwell: duration
    .optional()
    .describe('How long the Application must stay Healthy before the gate opens.'),
  degradedGrace: duration
    .optional()
    .describe('How long Degraded is tolerated before the attempt fails.'),
});

export const gate = gateTimes.extend({
  allowSuspended: z.boolean().optional().describe('Treat Suspended as Healthy.'),
  allowEmpty: z
    .boolean()
    .optional()
    .describe('Allow an Application without resources to count as Healthy.'),
  ignoreOutOfSync: z
    .array(z.string().regex(/^[A-Za-z0-9.]+\/[^/]+$/))
    .optional()
    .describe('Resources that may be OutOfSync, as KIND/NAME.'),
});

const probeJob = z.strictObject({
  image: z.string().max(LONGEST_SETTING).regex(IMAGE_REFERENCE),
  command: z
    .array(z.string().max(4096))
    .min(1)
    .max(50)
    .describe('The command, run without a shell. Exit status 0 means success.'),
});

/** Exactly one of the three; references.ts checks it. */
const probe = z.strictObject({
  http: z
    .string()
    .max(LONGEST_SETTING)
    .regex(HTTP_ADDRESS)
    .regex(ADDRESS_WITHOUT_CREDENTIALS)
    .optional()
    .describe('A URL that must answer.'),
  status: z
    .int()
    .min(100)
    .max(599)
    .optional()
    .describe('With http: the expected status; default: 200 to 399.'),
  tcp: z
    .string()
    .max(LONGEST_SETTING)
    .regex(TCP_ADDRESS)
    .optional()
    .describe('HOST:PORT that must accept a connection.'),
  job: probeJob
    .optional()
    .describe('A program that must succeed. It has no permissions in the cluster.'),
  timeout: durationFrom(1, 300).optional().describe('Timeout of one try.'),
});

export type ProbeEntry = z.output<typeof probe>;

/** Per Application only: a class would ask for the approval at every one of its members. */
const questions = {
  approval: z
    .string()
    .max(LONGEST_QUESTION)
    .regex(ONE_LINE)
    .optional()
    .describe('What a person must confirm with `tiphys approve` once it is Healthy.'),
  probe: probe
    .optional()
    .describe('A check from inside the cluster that must succeed before the gate opens.'),
};
export const applicationGate = gate.extend(questions);
export const stackGate = gateTimes.extend(questions);

const labelKey = z.string().regex(LABEL_KEY).max(LONGEST_LABEL_KEY);
const labelValue = z.string().regex(LABEL_VALUE).max(LONGEST_LABEL);

/** The keys that make a member represent all Applications of a generator. */
export const generator = {
  selector: z
    .strictObject({ matchLabels: z.record(labelKey, labelValue) })
    .optional()
    .describe('Represents every Application with these labels.'),
  applicationSet: applicationName
    .optional()
    .describe('Represents every Application that the ApplicationSet of this name generated.'),
  names: z
    .string()
    .regex(NAME_PATTERN)
    .optional()
    .describe('The pattern of the names of these Applications: PREFIX*SUFFIX; default: *.'),
  atLeast: z
    .int()
    .min(0)
    .max(AT_LEAST_MAX)
    .optional()
    .describe('The minimum number of Applications; default: 1.'),
};

export const argocd = z.strictObject({
  namespace: labelName.optional(),
  project: applicationName.optional(),
});

function durationFrom(shortest: number, longest = LONGEST_DURATION) {
  const range = `between ${renderDuration(shortest)} and ${renderDuration(longest)}`;
  const inRange = (text: string) => {
    const seconds = parseDuration(text);
    return seconds >= shortest && seconds <= longest;
  };
  return z
    .string()
    .regex(DURATION, { abort: true })
    .refine(inRange, { params: { range } })
    .transform(parseDuration)
    .describe(DURATION_TEXT);
}
