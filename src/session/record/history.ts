// The runs that the cluster remembers. To show, and for estimates: nothing is ever decided by it.
import { compareText } from '../../model/names.ts';
import type { LeaseView } from '../../ports/lease-store.ts';
import type { Store, StoredText, StoreReads } from '../../ports/record-store.ts';
import type { RunEvent } from '../../run/events.ts';
import type { StartedBy } from '../../run/started-by.ts';
import { runOf } from '../lease/lease-data.ts';
import { type ChunkHead, eventsOf, headOf, LABEL } from './chunk.ts';

export interface RunSummary {
  readonly run: string;
  /** The plan's hash. */
  readonly plan: string;
  /** ISO 8601. */
  readonly started: string;
  /** Who started it first. Absent: its record does not say it. */
  readonly startedBy?: StartedBy;
  /** Undefined: it is still going on, or was killed. */
  readonly exitStatus: number | undefined;
  /** Its beginning or its end is not what its events say: nothing is known of how it ended. */
  readonly isDamaged?: true;
}

export interface RunHistory extends RunSummary {
  /** In their order, from the first one on. */
  readonly events: readonly RunEvent[];
  /** What is not there or not readable, in words. Nothing after it is shown. */
  readonly problem: string | undefined;
  /** Those of the run's own record, as they were written: by clocks that may differ, and be set. */
  readonly own: readonly RunEvent[];
  /** Those that its processes wrote beside it, as each wrote them. */
  readonly loose: readonly RunEvent[];
}

interface Chunk {
  readonly head: ChunkHead;
  readonly stored: StoredText;
}

/** Newest first; those that are damaged after all others, whatever they say of their time. */
export async function listRuns(
  store: StoreReads,
  platform: string,
): Promise<readonly RunSummary[]> {
  const chunks = chunksOf(await store.list(new Map([[LABEL.platform, platform]])));
  return byRun(chunks).map(summaryOf).sort(newestFirst);
}

/** The run that had the Lease last, else the newest: a record alone does not prove that its run had the Lease. */
export function lastOf(
  runs: readonly RunSummary[],
  lease: LeaseView | undefined,
): RunSummary | undefined {
  const leased = lease && runOf(lease)?.run;
  return runs.find(({ run }) => run === leased) ?? runs[0];
}

/** Undefined if the cluster knows nothing of it. */
export async function readRun(
  store: StoreReads,
  platform: string,
  run: string,
): Promise<RunHistory | undefined> {
  const labels = new Map([
    [LABEL.platform, platform],
    [LABEL.run, run],
  ]);
  const chunks = chunksOf(await store.list(labels));
  if (chunks.length === 0) return undefined;
  return { ...summaryOf(chunks), ...prefixOf(chunks) };
}

/** What its processes wrote and its own record does not have yet, by time. */
export function unrecorded(history: RunHistory | undefined): readonly RunEvent[] {
  if (!history) return [];
  const known = new Set(history.own.map((event) => JSON.stringify(event)));
  return inOrder(history.loose.filter((event) => !known.has(JSON.stringify(event))));
}

/** Removes what the processes of a run wrote beside its own record, once that has it all, as long as it may write. */
export async function removeParts(
  store: Store,
  platform: string,
  run: string,
  mayWrite: () => boolean,
): Promise<void> {
  const labels = new Map([
    [LABEL.platform, platform],
    [LABEL.run, run],
  ]);
  const parts = chunksOf(await store.list(labels)).filter(({ head }) => head.part !== '');
  for (const { stored } of parts) if (mayWrite()) await store.remove(stored.name);
}

/** Removes all but the newest runs. What cannot be removed now is removed after a later run. */
export async function pruneRuns(store: Store, platform: string, keep: number): Promise<void> {
  const chunks = chunksOf(await store.list(new Map([[LABEL.platform, platform]])));
  const runs = byRun(chunks).sort((a, b) => newestFirst(summaryOf(a), summaryOf(b)));
  for (const { stored } of runs.slice(keep).flat()) await store.remove(stored.name);
}

/** What several processes of a run wrote is put together by time; each wrote its own in order. */
function prefixOf(chunks: readonly Chunk[]): Omit<RunHistory, keyof RunSummary> {
  const names = [...new Set(chunks.map(({ head }) => head.part))];
  const parts = names.map((part) => ({
    ...partOf(chunks.filter(({ head }) => head.part === part)),
    isLoose: part !== '',
  }));
  const problem = parts.find((part) => part.problem !== undefined)?.problem;
  const own = parts.filter(({ isLoose }) => !isLoose).flatMap(({ events }) => events);
  const loose = parts.filter(({ isLoose }) => isLoose).flatMap(({ events }) => events);
  const events = loose.length === 0 ? own : inOrder([...own, ...loose]);
  return { events, problem, own, loose };
}

/** By time, for people. */
function inOrder(events: readonly RunEvent[]): readonly RunEvent[] {
  return [...events].sort((a, b) => compareText(a.time, b.time));
}

/** A record with a hole is shown up to the hole: what comes after it could mislead. */
function partOf(chunks: readonly Chunk[]): Pick<RunHistory, 'events' | 'problem'> {
  const parts: (readonly RunEvent[])[] = [];
  let problem: string | undefined;
  for (const { head, stored } of chunks) {
    const events = head.number === parts.length ? eventsOf(stored) : undefined;
    if (!events) {
      const what = head.number === parts.length ? 'damaged' : 'missing';
      problem = `part ${parts.length + 1} of the record is ${what}; what came after it is not shown`;
      break;
    }
    parts.push(events);
    if (head.cut) problem = 'the record grew too large; some events before its end are left out';
  }
  return { events: parts.flat(), problem };
}

/** In the order of their numbers. */
function chunksOf(stored: readonly StoredText[]): Chunk[] {
  return stored
    .flatMap((one) => {
      const head = headOf(one);
      return head ? [{ head, stored: one }] : [];
    })
    .sort((a, b) => a.head.number - b.head.number);
}

function byRun(chunks: readonly Chunk[]): Chunk[][] {
  const runs = new Map<string, Chunk[]>();
  for (const chunk of chunks) {
    const known = runs.get(chunk.head.run);
    if (known) known.push(chunk);
    else runs.set(chunk.head.run, [chunk]);
  }
  return [...runs.values()];
}

/** Of the chunks of one run. A run that was continued ended when its last part did. */
function summaryOf(chunks: readonly Chunk[]): RunSummary {
  const own = chunks.filter(({ head }) => head.part === '');
  const [first = chunks[0]] = own;
  const last = own.at(-1);
  const isDamaged = !isBegun(first) || !isEnded(last);
  return {
    run: first?.head.run ?? '',
    plan: first?.head.plan ?? '',
    started: first?.head.started ?? '',
    ...starterIn(first),
    exitStatus: isDamaged ? undefined : last?.head.exitStatus,
    ...(isDamaged && { isDamaged }),
  };
}

function starterIn(chunk: Chunk | undefined): Pick<RunSummary, 'startedBy'> {
  const event = chunk && eventsOf(chunk.stored)?.find(({ type }) => type === 'run.started');
  const starter = event?.type === 'run.started' ? event.startedBy : undefined;
  return starter ? { startedBy: starter } : {};
}

/** What is said of its beginning is the time of its first event. Where events were left out, that may be one of them. */
function isBegun(chunk: Chunk | undefined): boolean {
  const events = chunk && eventsOf(chunk.stored);
  if (!events) return false;
  return chunk.head.cut || events[0]?.time === chunk.head.started;
}

/** What is said of its end is the last event of that kind. */
function isEnded(chunk: Chunk | undefined): boolean {
  if (chunk?.head.exitStatus === undefined) return true;
  const end = eventsOf(chunk.stored)?.findLast(({ type }) => type === 'run.finished');
  return end?.type === 'run.finished' && end.exitStatus === chunk.head.exitStatus;
}

function newestFirst(a: RunSummary, b: RunSummary): number {
  const damaged = Number(a.isDamaged ?? false) - Number(b.isDamaged ?? false);
  return damaged || compareText(b.started, a.started) || compareText(b.run, a.run);
}
