// A probe: a question that the cluster itself is asked at a gate.
import { z } from 'zod';

/** As a plan has it: every default filled in. Exactly one of http, tcp and job. */
export interface Probe {
  readonly http?: string | undefined;
  /** The one status that is good; undefined: 200 to 399. */
  readonly status?: number | undefined;
  /** HOST:PORT. */
  readonly tcp?: string | undefined;
  readonly job?: { readonly image: string; readonly command: readonly string[] } | undefined;
  /** Seconds for one try. */
  readonly timeout: number;
}

export const PROBE_KINDS = ['http', 'tcp', 'job'] as const;

/** What the pod of a probe is told, as JSON. A probe with `job` has a program of its own. */
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

/** An image may have to be fetched first. */
const START_SECONDS = 60;

/** What one try can take, with its start. */
export const secondsOf = ({ timeout }: Probe): number => timeout + START_SECONDS;

export const isGoodStatus = (status: number, wanted: number | undefined): boolean =>
  wanted === undefined ? status >= 200 && status < 400 : status === wanted;

/** What is asked, in a few words. */
export function probeTarget({ http, tcp, job }: Omit<Probe, 'timeout'>): string {
  return http ?? tcp ?? job?.image ?? '';
}
