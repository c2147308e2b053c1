// A run's record in the cluster: events as JSON lines, compressed, in numbered chunks with checksums.
import { createHash } from 'node:crypto';
import { parseJson } from '../../model/parse-json.ts';
import type { StoredText } from '../../ports/record-store.ts';
import type { RunEvent } from '../../run/events.ts';
import { isRunId } from '../lease/lease-data.ts';
import { eventOf } from './event-shape.ts';
import { packed, unpacked } from './packed.ts';

export const LABEL = {
  platform: 'tiphys.dev/platform',
  run: 'tiphys.dev/run',
  plan: 'tiphys.dev/plan',
} as const;

const FILE = 'events.jsonl.gz';
const CHUNK = 'tiphys.dev/chunk';
const CHECKSUM = 'tiphys.dev/sha256';
const STARTED = 'tiphys.dev/started';
const EXIT_STATUS = 'tiphys.dev/exit-status';
const CUT = 'tiphys.dev/cut';
const PART = 'tiphys.dev/part';

export interface RecordedRun {
  readonly platform: string;
  readonly run: string;
  /** The plan's hash. */
  readonly plan: string;
  /** For one of several processes of the run, each with its own chunks: a short word for an object's name. */
  readonly part?: string;
}

/** What can be read of a chunk without its events. */
export interface ChunkHead {
  readonly run: string;
  readonly plan: string;
  readonly number: number;
  /** Empty for the run's own. */
  readonly part: string;
  /** When the run started; ISO 8601. */
  readonly started: string;
  /** Set if the end of the run is in this chunk. */
  readonly exitStatus: number | undefined;
  /** Events were left out because the record grew too large. */
  readonly cut: boolean;
}

/** Concatenated they are one file: gzip allows that, so only new data is compressed. */
export function compress(events: readonly RunEvent[]): Uint8Array {
  return packed(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
}

export function chunkOf(
  { platform, run, plan, part = '' }: RecordedRun,
  head: Omit<ChunkHead, 'run' | 'plan' | 'part'>,
  bytes: Uint8Array,
  isSealed = false,
): StoredText {
  const { number, started, exitStatus, cut } = head;
  return {
    name: [
      'tiphys-run',
      platform,
      run,
      ...(part ? [part] : []),
      ...(number === 0 ? [] : [number]),
    ].join('-'),
    labels: new Map([
      [LABEL.platform, platform],
      [LABEL.run, run],
      [LABEL.plan, planLabel(plan)],
    ]),
    annotations: new Map([
      [LABEL.plan, plan],
      [CHUNK, String(number)],
      ...(part ? ([[PART, part]] as const) : []),
      [CHECKSUM, checksum(bytes)],
      [STARTED, started],
      ...(exitStatus === undefined ? [] : ([[EXIT_STATUS, String(exitStatus)]] as const)),
      ...(cut ? ([[CUT, 'true']] as const) : []),
    ]),
    data: new Map([[FILE, bytes]]),
    ...(isSealed && { isSealed }),
  };
}

/** Undefined if it is not a chunk. */
export function headOf({ labels, annotations }: StoredText): ChunkHead | undefined {
  const run = labels.get(LABEL.run) ?? '';
  const number = Number(annotations.get(CHUNK) ?? Number.NaN);
  if (!isRunId(run) || !Number.isSafeInteger(number) || number < 0) return undefined;
  const exitStatus = annotations.get(EXIT_STATUS);
  return {
    run,
    plan: annotations.get(LABEL.plan) ?? '',
    number,
    part: annotations.get(PART) ?? '',
    started: annotations.get(STARTED) ?? '',
    exitStatus: exitStatus === undefined ? undefined : Number(exitStatus),
    cut: annotations.get(CUT) === 'true',
  };
}

/** The events; undefined if the checksum does not match, or the content is not events. */
export function eventsOf({ annotations, data }: StoredText): readonly RunEvent[] | undefined {
  const bytes = data.get(FILE);
  if (!bytes || checksum(bytes) !== annotations.get(CHECKSUM)) return undefined;
  try {
    // Empty if all its events were left out.
    const text = bytes.length === 0 ? '' : unpacked(bytes);
    return text
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => eventOf(parseJson(line)) ?? []);
  } catch {
    return undefined;
  }
}

/** A label allows 63 characters and no colon. */
function planLabel(plan: string): string {
  return plan.replace('sha256:', '').slice(0, 32);
}

function checksum(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
