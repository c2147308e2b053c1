// A probe: a request from inside the cluster before a gate opens.
import { z } from 'zod';

/** A probe in a plan: every default filled in. Exactly one of http, tcp and job. */
export interface Probe {
  readonly http?: string | undefined;
  /** The one expected status; undefined: 200 to 399. */
  readonly status?: number | undefined;
  /** HOST:PORT. */
  readonly tcp?: string | undefined;
  readonly job?: { readonly image: string; readonly command: readonly string[] } | undefined;
  /** Seconds for one try. */
  readonly timeout: number;
}

export const PROBE_KINDS = ['http', 'tcp', 'job'] as const;

/** The input of a probe's pod, as JSON. A probe with `job` runs its own program. */
const question = z.strictObject({
  http: z.string().optional(),
  status: z.number().optional(),
  tcp: z.string().optional(),
  timeout: z.number().positive(),
});

export type ProbeQuestion = z.output<typeof question>;

export function parseQuestion(text: string): ProbeQuestion | undefined {
  try {
    return question.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Time to pull the image first. */
const START_SECONDS = 60;

/** The longest time of one try, including its start. */
export const secondsOf = ({ timeout }: Probe): number => timeout + START_SECONDS;

export const isGoodStatus = (status: number, wanted: number | undefined): boolean =>
  wanted === undefined ? status >= 200 && status < 400 : status === wanted;

/** The target of the probe, in a few words. */
export function probeTarget({ http, tcp, job }: Omit<Probe, 'timeout'>): string {
  return http ?? tcp ?? job?.image ?? '';
}
