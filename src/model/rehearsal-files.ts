// The schemas of the files that a rehearsal reads besides platform.yaml.
import { z } from 'zod';
import { applicationName, time } from './fields.ts';

/** One fault per line, in the syntax of `--fault`. */
export const faultFile = z.array(z.string());

export const profileFile = z.strictObject({
  applications: z.record(applicationName, time),
});

/** The fields of a report's node or a run's event that show how long an application took. */
export const deployedNode = z.object({
  id: z.string(),
  outcome: z.literal('healthy'),
  /** None: it was synced before that run. */
  attempts: z.number().min(1),
  durations: z.object({
    sync: z.number().min(0),
    health: z.number().min(0),
    dwell: z.number().min(0),
  }),
});
