// The recorded runs. For display and estimates: no decision depends on them.
import { compareText } from '../../model/names.ts';
import type { Action } from '../../plan/plan.ts';
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
  /** Absent: its record does not say it. */
  readonly action?: Action;
  /** ISO 8601. */
  readonly started: string;
  /** Who started it first. Absent: its record does not say. */
  readonly startedBy?: StartedBy;
  /** Undefined: it is still running, or was killed. */
  readonly exitStatus: number | undefined;
  /** Its start or end contradicts its events: how it ended is unknown. */
  readonly isDamaged?: true;
}

export interface RunHistory extends RunSummary {
  /** In order, from the first event. */
  readonly events: readonly RunEvent[];
  /** What is missing or unreadable. Nothing after it is shown. */
  readonly problem: string | undefined;
  /** The events of the run's own record, as written: by clocks that may differ, and be set. */
  readonly own: readonly RunEvent[];
  /** The events that its processes wrote separately, as each wrote them. */
  readonly loose: readonly RunEvent[];
}

interface Chunk {
  readonly head: ChunkHead;
  readonly stored: StoredText;
}

/** Newest first; damaged runs last, with any time that they claim. */
export async function listRuns(
  store: StoreReads,
  platform: string,
): Promise<readonly RunSummary[]> {
  const chunks = chunksOf(await store.list(new Map([[LABEL.platform, platform]])));
  return byRun(chunks).map(summaryOf).sort(newestFirst);
}

/** The run that had the Lease last, otherwise the newest: a record alone does not prove that its run had the Lease. */
export function lastOf(
  runs: readonly RunSummary[],
  lease: LeaseView | undefined,
): RunSummary | undefined {
  const leased = lease && runOf(lease)?.run;
  return runs.find(({ run }) => run === leased) ?? runs[0];
}

/** Undefined if the cluster has no record of it. */
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

/** The events of each run, newest first. Damaged records are left out. */
export async function readRuns(
  store: StoreReads,
  platform: string,
): Promise<readonly (readonly RunEvent[])[]> {
  const chunks = chunksOf(await store.list(new Map([[LABEL.platform, platform]])));
  const runs = byRun(chunks).map((own) => ({ ...summaryOf(own), own }));
  const sound = runs.filter(({ isDamaged }) => !isDamaged).sort(newestFirst);
  return sound.map(({ own }) => prefixOf(own).events);
}

/** Events that its processes wrote and its own record does not have yet, by time. */
export function unrecorded(history: RunHistory | undefined): readonly RunEvent[] {
  if (!history) return [];
  const known = new Set(history.own.map((event) => JSON.stringify(event)));
  return inOrder(history.loose.filter((event) => !known.has(JSON.stringify(event))));
}

/** Removes the separate records of a run's processes once its own record has everything, as long as it may write. */
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

/** Merges the records of several processes of a run by time; each one is in order. */
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

/** By time, for display. */
function inOrder(events: readonly RunEvent[]): readonly RunEvent[] {
  return [...events].sort((a, b) => compareText(a.time, b.time));
}

/** A record with a gap is shown up to the gap: what follows could mislead. */
function partOf(chunks: readonly Chunk[]): Pick<RunHistory, 'events' | 'problem'> {
  const parts: (readonly RunEvent[])[] = [];
  let problem: string | undefined;
  for (const { head, stored } of chunks) {
    const events = head.number === parts.length ? eventsOf(stored) : undefined;
    if (!events) {
      const what = head.number === parts.length ? 'damaged' : 'missing';
      problem = `part ${parts.length + 1} of the record is ${what}; later events are not shown`;
      break;
    }
    parts.push(events);
    if (head.cut) problem = 'the record grew too large; some events before its end were left out';
  }
  return { events: parts.flat(), problem };
}

/** Sorted by number. */
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

/** For the chunks of one run. A resumed run ended when its last part did. */
function summaryOf(chunks: readonly Chunk[]): RunSummary {
  const own = chunks.filter(({ head }) => head.part === '');
  const [first = chunks[0]] = own;
  const last = own.at(-1);
  const isDamaged = !isBegun(first) || !isEnded(last);
  return {
    run: first?.head.run ?? '',
    plan: first?.head.plan ?? '',
    started: first?.head.started ?? '',
    ...beginIn(first),
    exitStatus: isDamaged ? undefined : last?.head.exitStatus,
    ...(isDamaged && { isDamaged }),
  };
}

function beginIn(chunk: Chunk | undefined): Pick<RunSummary, 'action' | 'startedBy'> {
  const event = chunk && eventsOf(chunk.stored)?.find(({ type }) => type === 'run.started');
  if (event?.type !== 'run.started') return {};
  const { action, startedBy } = event;
  return { action, ...(startedBy && { startedBy }) };
}

/** Its stated start must be the time of its first event. If events were left out, that event may be among them. */
function isBegun(chunk: Chunk | undefined): boolean {
  const events = chunk && eventsOf(chunk.stored);
  if (!events) return false;
  return chunk.head.cut || events[0]?.time === chunk.head.started;
}

/** Its stated end must be the last event of that type. */
function isEnded(chunk: Chunk | undefined): boolean {
  if (chunk?.head.exitStatus === undefined) return true;
  const end = eventsOf(chunk.stored)?.findLast(({ type }) => type === 'run.finished');
  return end?.type === 'run.finished' && end.exitStatus === chunk.head.exitStatus;
}

function newestFirst(a: RunSummary, b: RunSummary): number {
  const damaged = Number(a.isDamaged ?? false) - Number(b.isDamaged ?? false);
  return damaged || compareText(b.started, a.started) || compareText(b.run, a.run);
}
