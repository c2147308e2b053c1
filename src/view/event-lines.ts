// The lines of a run, one per fact: skips are summed up by their cause, since one failure may skip dozens of applications.
import { shortName } from '../plan/platform-graph.ts';
import { type Cause, isOfTheRun, type Outcome, type RunEvent, THE_RUN } from '../run/events.ts';
import { renderEvent } from './event-text.ts';
import { printable, type Text, type Tone } from './lines.ts';

const NAMES_MAX = 3;

export class EventLines {
  readonly #isShown: (event: RunEvent) => boolean;
  /** The nodes that were skipped since the last line, by cause. */
  readonly #skipped = new Map<string, string[]>();
  #skippedAt = '';
  readonly #closed = new Set<string>();

  constructor(isShown: (event: RunEvent) => boolean = () => true) {
    this.#isShown = isShown;
  }

  add(event: RunEvent): Text[] {
    if (event.type === 'node.finished' && event.outcome === 'skipped' && event.cause) {
      this.#skip(event.node, event.cause, event.time);
      return [];
    }
    const line = this.#isShown(event) ? this.#lineOf(event) : undefined;
    return [...this.flush(), ...(line === undefined ? [] : [withTone(line, toneOf(event))])];
  }

  /** The skips that have no line yet. */
  flush(): Text[] {
    const lines = [...this.#skipped].map(([why, ids]) =>
      withTone(`${this.#skippedAt.slice(11, 19)} ${renderSkips(why, ids)}`, 'faint'),
    );
    this.#skipped.clear();
    return lines;
  }

  #skip(node: string, cause: Cause, time: string): void {
    const why = skipReason(node, cause);
    if (this.#skipped.size === 0) this.#skippedAt = time;
    this.#skipped.set(why, [...(this.#skipped.get(why) ?? []), node]);
  }

  /** A gate that opens for the first time, and the last attempt that fails, have their line when the node finishes. */
  #lineOf(event: RunEvent): string | undefined {
    if (event.type === 'node.attempt-failed' && event.attempt > 0 && !event.retry) return undefined;
    if (event.type === 'gate.closed') this.#closed.add(event.node);
    if (event.type !== 'gate.opened' || !this.#closed.delete(event.node)) return renderEvent(event);
    return printable(`${event.time.slice(11, 19)} ${shortName(event.node)}: healthy again`);
  }
}

const CLOCK = '07:42:00 '.length;

const withTone = (line: string, tone: Tone | undefined): Text =>
  tone === undefined ? line : [line.slice(0, CLOCK), { text: line.slice(CLOCK), tone }];

function toneOf(event: RunEvent): Tone | undefined {
  switch (event.type) {
    case 'node.finished':
      return event.cause && isOfTheRun(event.cause) && event.outcome === 'failed'
        ? 'busy'
        : OUTCOMES[event.outcome];
    case 'gate.opened':
      return 'good';
    case 'node.attempt-failed':
    case 'gate.closed':
    case 'run.warning':
      return 'busy';
    case 'node.waiting':
    case 'hold.changed':
      return 'faint';
    default:
      return undefined;
  }
}

const OUTCOMES: Readonly<Record<Outcome, Tone>> = {
  ...{ healthy: 'good', unchanged: 'good', removed: 'good' },
  ...{ failed: 'bad', skipped: 'faint' },
};

export function skipReason(node: string, { node: failed, message }: Cause): string {
  return failed === THE_RUN || failed === node ? message : `${shortName(failed)} failed`;
}

/** Stacks are named only if none of their applications is. */
function renderSkips(why: string, ids: readonly string[]): string {
  const applications = ids.filter((id) => id.startsWith('app:'));
  const names = [...new Set((applications.length > 0 ? applications : ids).map(shortName))];
  const more = names.length > NAMES_MAX ? ', ...' : '';
  return `${names.length} skipped: ${why} (${names.slice(0, NAMES_MAX).join(', ')}${more})`;
}
