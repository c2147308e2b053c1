// `npm start` on a terminal of a fixed size: the program itself, with a clock that moves only when it waits. So two recordings
// are equal, and take no longer than the work.
import { runCli } from '../../src/cli/run-cli.ts';
import { processIo } from '../../src/process.ts';
import { type Row, Terminal } from './terminal.ts';

export const COLUMNS = 124;
export const ROWS = 35;
const SIZE = { columns: COLUMNS, rows: ROWS };
const FRAME_MS = 500;
/** Shorter waits are the ticks of the rehearsal, which let time pass; longer ones are woken by them. */
const TICK_MS = 100;
const START = Date.UTC(2026, 0, 1);

export interface Frame {
  /** Milliseconds since the command was typed. */
  readonly at: number;
  readonly rows: readonly Row[];
}

export interface Recording {
  readonly frames: readonly Frame[];
  readonly exitStatus: number;
}

export async function record(args: readonly string[]): Promise<Recording> {
  const terminal = new Terminal(COLUMNS);
  const frames: Frame[] = [];
  const clock = new TickClock((at) => {
    if (at % FRAME_MS === 0) frames.push({ at, rows: terminal.screen(ROWS) });
  });
  terminal.write('\u001b[1m$ npm start\u001b[0m\n');
  const write = (text: string) => terminal.write(text);
  const exitStatus = await runCli(args, {
    ...processIo,
    stdout: write,
    stderr: write,
    clock,
    terminal: () => SIZE,
    screen: () => SIZE,
    environment: (name) => (name === 'npm_lifecycle_event' ? 'start' : undefined),
    random: () => 0,
    randomId: () => 'recording',
    processName: () => 'recording/1',
  });
  frames.push({ at: clock.monotonic() + FRAME_MS, rows: terminal.screen(ROWS) });
  return { frames, exitStatus };
}

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

class TickClock {
  readonly #ticked: (at: number) => void;
  readonly #sleepers = new Set<Sleeper>();
  #now = 0;

  constructor(ticked: (at: number) => void) {
    this.#ticked = ticked;
  }

  readonly now = () => START + this.#now;
  readonly monotonic = () => this.#now;

  readonly sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    if (ms <= TICK_MS) return await this.#tick(ms);
    await new Promise<void>((resolve) => {
      const sleeper = { due: this.#now + ms, wake: resolve };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers.delete(sleeper);
        resolve();
      });
    });
  };

  async #tick(ms: number): Promise<void> {
    this.#now += ms;
    for (const sleeper of [...this.#sleepers]) {
      if (sleeper.due > this.#now) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
    await processIo.turn();
    this.#ticked(this.#now);
  }
}
