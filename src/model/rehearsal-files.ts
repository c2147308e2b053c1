// The shapes of the files that a rehearsal takes beside platform.yaml.
import { z } from 'zod';
import { applicationName, time } from './fields.ts';

/** Lines as `--fault` takes them. */
export const faultFile = z.array(z.string());

export const profileFile = z.strictObject({
  applications: z.record(applicationName, time),
});

/** What a report's node or a run's event must have to tell how long an application took. */
export const deployedNode = z.object({
  id: z.string(),
  outcome: z.literal('healthy'),
  durations: z.object({
    sync: z.number().min(0),
    health: z.number().min(0),
    dwell: z.number().min(0),
  }),
});
