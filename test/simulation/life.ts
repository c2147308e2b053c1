// One life of a Tiphys process inside a rehearsal: the command from its start to its end or death, with everything that it sends in sight.
import { TiphysError } from '../../src/errors.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Target } from '../../src/ports/target.ts';
import type { Rehearsal } from '../../src/rehearsal/rehearsal.ts';
import type { Report } from '../../src/report/run-report.ts';
import type { RunEvent } from '../../src/run/events.ts';
import type { Participant } from '../../src/simulator/participant.ts';
import { connectOver, type Transports } from '../../src/targets/connect.ts';
import type { Transport, TransportRequest } from '../../src/targets/transport.ts';
import { NAMESPACE } from './shape.ts';

export type End =
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'refused'; readonly error: TiphysError }
  | { readonly kind: 'crashed'; readonly error: unknown }
  | { readonly kind: 'killed' };

/** What a process has to work with. */
interface CommandParts {
  readonly target: Target;
  readonly clock: Clock;
  readonly listen: (event: RunEvent) => void;
  /** A process of its own that worked on this node is gone. */
  readonly left: (node: string) => void;
  readonly runId: string;
  readonly holder: string;
  readonly stop: AbortSignal;
  readonly abort: AbortSignal;
}

export type Command = (parts: CommandParts) => Promise<Report>;

/** Seen from outside, in the order in which it happens. */
export interface LifeListener {
  /** `cluster`: as destinations call it; '' is Argo CD's own. */
  readonly sent: (life: Life, request: TransportRequest, cluster: string) => void;
  readonly happened: (life: Life, event: RunEvent) => void;
  readonly left: (life: Life, node: string) => void;
}

/** Stands between the process and its connection; undefined: the request is swallowed for ever. */
export type Interceptor = (
  request: TransportRequest,
  send: (request: TransportRequest) => ReturnType<Transport['send']>,
) => ReturnType<Transport['send']> | undefined;

export class Life {
  readonly name: string;
  readonly participant: Participant;
  readonly begun: number;
  readonly end: Promise<End>;
  readonly stop = new AbortController();
  /** Whoever was killed waits for ever, and would be kept for ever: so it is told to abort when the world is over. */
  readonly abort = new AbortController();
  /** Asleep from, until; milliseconds. */
  readonly pauses: { readonly from: number; readonly until: number }[] = [];
  jumped = false;
  isOver = false;
  #die: () => void = () => {};
  readonly #rehearsal: Rehearsal;

  constructor(
    rehearsal: Rehearsal,
    name: string,
    command: Command,
    listener: LifeListener,
    intercept: Interceptor = (request, send) => send(request),
    contexts: Iterable<string> = [],
  ) {
    this.#rehearsal = rehearsal;
    this.name = name;
    this.begun = rehearsal.time.now;
    this.participant = rehearsal.join(name);
    const through = ({ send, stream }: Transport, cluster: string): Transport => ({
      stream,
      send: (request) => {
        listener.sent(this, request, cluster);
        return intercept(request, send) ?? new Promise(() => {});
      },
    });
    const transports: Transports = {
      ...{ kubernetes: through(this.participant.transport, ''), argocd: undefined },
      destinations: new Map(
        [...contexts].map((called) => {
          const transport = through(rehearsal.reach(this.participant, called), called);
          return [called, { context: `to ${called}`, transport }];
        }),
      ),
    };
    const dead = new Promise<End>((resolve) => {
      this.#die = () => resolve({ kind: 'killed' });
    });
    const run = this.#run(command, transports, listener);
    this.end = Promise.race([dead, run]);
    void this.end.then(() => {
      this.isOver = true;
    });
  }

  kill(): void {
    this.participant.kill();
    this.#die();
  }

  /** When it has thought about what it has heard. */
  killSoon(): void {
    this.#rehearsal.time.after(0, () => this.kill());
  }

  pause(ms: number): void {
    const { now } = this.#rehearsal.time;
    this.pauses.push({ from: now, until: now + ms });
    this.participant.pause(ms);
  }

  jump(ms: number): void {
    this.jumped = true;
    this.participant.jump(ms);
  }

  async #run(command: Command, transports: Transports, listener: LifeListener): Promise<End> {
    const { clock, random } = this.participant;
    const world = { namespace: NAMESPACE, argocdTokenFile: undefined, clock, random };
    try {
      const target = await connectOver(transports, world);
      const report = await command({
        ...{ target, clock, runId: `r-${this.name}`, holder: this.name },
        listen: (event) => listener.happened(this, event),
        left: (node) => listener.left(this, node),
        ...{ stop: this.stop.signal, abort: this.abort.signal },
      });
      return { kind: 'report', report };
    } catch (error) {
      if (error instanceof TiphysError) return { kind: 'refused', error };
      return { kind: 'crashed', error };
    }
  }
}
