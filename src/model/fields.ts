// The pieces that both files are made of. The JSON Schemas are generated from the same source.
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
/** Not less than any write has; and who takes over from a run that died may have to wait for so long. */
export const requestTime = durationFrom(5, 300);

const reference = z.string().regex(REFERENCE);
const optionalDependency = z.strictObject({
  name: reference,
  optional: z.literal(true).describe('Not waited for where the environment does not have it.'),
});
// Nearly all are texts, so that is tried first.
const dependency = z.union([reference, optionalDependency]);

export const dependsOn = z
  .array(dependency)
  .max(DEPENDENCIES_MAX)
  .describe('What must be Healthy first: NAME or app:NAME, stack:NAME.');

export type Dependency = z.output<typeof dependency>;

/** What a dependency names, however it is written. */
export const dependencyName = (written: Dependency): string =>
  typeof written === 'string' ? written : written.name;

export const environments = z
  .array(labelName)
  .min(1)
  .describe('The environments that have it, by the `name` of their files; all, unless it is said.');

export const nodeTimeouts = z.strictObject({
  sync: time.optional().describe('For one sync attempt.'),
  health: time.optional().describe('For becoming Healthy, once per application.'),
});

export const retries = z.strictObject({
  maxAttempts: z.int().min(1).max(100).optional(),
  backoff: duration.optional().describe('Before the second attempt; doubles, at most 5m.'),
});

export const gateTimes = z.strictObject({
  dwell: duration.optional().describe('How long health must last before the gate opens.'),
  degradedGrace: duration.optional().describe('How long Degraded is waited out.'),
});

export const gate = gateTimes.extend({
  allowSuspended: z.boolean().optional().describe('Suspended counts as Healthy.'),
  allowEmpty: z.boolean().optional().describe('An Application without resources may be Healthy.'),
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
    .describe('What is run, without a shell. Exit status 0 is good.'),
});

/** Exactly one of the three: references.ts says so. */
const probe = z.strictObject({
  http: z
    .string()
    .max(LONGEST_SETTING)
    .regex(HTTP_ADDRESS)
    .regex(ADDRESS_WITHOUT_CREDENTIALS)
    .optional()
    .describe('An address that must answer.'),
  status: z
    .int()
    .min(100)
    .max(599)
    .optional()
    .describe('With http: the status that is good; 200 to 399, unless it is said.'),
  tcp: z
    .string()
    .max(LONGEST_SETTING)
    .regex(TCP_ADDRESS)
    .optional()
    .describe('HOST:PORT that must take a connection.'),
  job: probeJob.optional().describe('A program that must succeed, without rights in the cluster.'),
  timeout: durationFrom(1, 300).optional().describe('For one try.'),
});

export type ProbeEntry = z.output<typeof probe>;

/** Of one Application: what a class said would be asked of all its members. */
const questions = {
  approval: z
    .string()
    .max(LONGEST_QUESTION)
    .regex(ONE_LINE)
    .optional()
    .describe('What somebody must confirm with `tiphys approve`, once it is Healthy.'),
  probe: probe.optional().describe('What is tried from inside the cluster before it opens.'),
};
export const applicationGate = gate.extend(questions);
export const stackGate = gateTimes.extend(questions);

const labelKey = z.string().regex(LABEL_KEY).max(LONGEST_LABEL_KEY);
const labelValue = z.string().regex(LABEL_VALUE).max(LONGEST_LABEL);

/** What makes a member stand for all Applications that a generator has made. */
export const generator = {
  selector: z
    .strictObject({ matchLabels: z.record(labelKey, labelValue) })
    .optional()
    .describe('Stands for every Application with these labels.'),
  applicationSet: applicationName
    .optional()
    .describe('Stands for every Application that the ApplicationSet of this name has made.'),
  names: z
    .string()
    .regex(NAME_PATTERN)
    .optional()
    .describe(
      'What the names of these Applications look like: PREFIX*SUFFIX; *, unless it is said.',
    ),
  atLeast: z
    .int()
    .min(0)
    .max(AT_LEAST_MAX)
    .optional()
    .describe('So many must be there; 1, unless it is said.'),
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
