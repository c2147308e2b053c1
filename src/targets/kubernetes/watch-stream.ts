// One stream of a watch, until it ends, breaks, falls silent or is too old.
import { z } from 'zod';
import { parseJson } from '../../model/parse-json.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KubernetesApi } from './api.ts';
import { withQuery } from './paths.ts';

/** Kubernetes sends a bookmark every minute, even when nothing happens. */
const SILENCE = 90_000;
const LIFETIME_SECONDS = '300';
const GONE = 410;

export interface StreamEnd {
  /** `expired`: the version is too old to continue from. */
  readonly kind: 'ended' | 'broken' | 'expired';
  /** Where to continue. */
  readonly version: string;
  /** Something came: the connection was good. */
  readonly heard: boolean;
}

export interface StreamEvents {
  readonly observe: (object: unknown) => void;
  readonly remove: (object: unknown) => void;
}

const event = z.object({
  type: z.string(),
  object: z.looseObject({
    metadata: z.looseObject({ resourceVersion: z.string().optional() }).optional(),
    code: z.number().optional(),
  }),
});

export async function followStream(
  api: KubernetesApi,
  path: string,
  from: string,
  events: StreamEvents,
  signal: AbortSignal,
): Promise<StreamEnd> {
  const { clock } = api.world;
  const stop = new AbortController();
  const giveUp = () => stop.abort();
  signal.addEventListener('abort', giveUp);
  if (signal.aborted) giveUp();
  let lastHeard = clock.monotonic();
  void watchdog(clock, () => lastHeard, stop);
  let version = from;
  let heard = false;
  const end = (kind: StreamEnd['kind']) => ({ kind, version, heard });
  try {
    const { status, lines } = await api.stream(streamPath(path, from), stop.signal);
    if (status !== 200) return end(status === GONE ? 'expired' : 'broken');
    for await (const line of lines) {
      lastHeard = clock.monotonic();
      const { type, object } = event.parse(parseJson(line));
      if (type === 'ERROR') return end(object.code === GONE ? 'expired' : 'broken');
      heard = true;
      version = object.metadata?.resourceVersion ?? version;
      if (type === 'DELETED') events.remove(object);
      else if (type !== 'BOOKMARK') events.observe(object);
    }
    return end('ended');
  } catch {
    // After any problem, the next stream or the next list starts from what is known for sure.
    return end('broken');
  } finally {
    stop.abort();
    signal.removeEventListener('abort', giveUp);
  }
}

function streamPath(path: string, resourceVersion: string): string {
  return withQuery(path, {
    watch: '1',
    allowWatchBookmarks: 'true',
    resourceVersion,
    timeoutSeconds: LIFETIME_SECONDS,
  });
}

async function watchdog(clock: Clock, lastHeard: () => number, stop: AbortController) {
  while (!stop.signal.aborted) {
    const left = lastHeard() + SILENCE - clock.monotonic();
    if (left <= 0) stop.abort();
    else await clock.sleep(left, stop.signal);
  }
}
