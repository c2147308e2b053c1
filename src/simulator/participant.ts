// A participant in the simulation, as a process would be: its own clock and its own connection. It can be killed, put to sleep, and its calendar
// be set, without the others noticing.
import type { Clock } from '../ports/clock.ts';
import type { Transport } from '../targets/transport.ts';
import type { Random } from './random.ts';
import { type Endpoint, simulatedTransport } from './simulated-transport.ts';
import type { VirtualTime } from './virtual-time.ts';

export class Participant {
  readonly name: string;
  readonly clock: Clock;
  readonly transport: Transport;
  readonly random: () => number;
  readonly #time: VirtualTime;
  #isDead = false;
  #sleepsUntil = 0;
  #calendarOffset = 0;

  constructor(name: string, time: VirtualTime, random: Random, endpoint: Endpoint) {
    this.name = name;
    this.#time = time;
    this.random = random.next;
    this.clock = {
      now: () => time.calendar + this.#calendarOffset,
      monotonic: () => time.now,
      sleep: (ms, signal) => this.#sleep(ms, signal),
    };
    this.transport = this.to(endpoint);
  }

  /** Its own connection to another server. */
  to(endpoint: Endpoint): Transport {
    const deliver = (act: () => void) => this.#deliver(act);
    return simulatedTransport(endpoint, { time: this.#time, deliver });
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Nothing of it happens any more. What it has sent is on its way. */
  kill(): void {
    this.#isDead = true;
  }

  /** It does nothing for so long, and then continues as if nothing had happened. */
  pause(ms: number): void {
    this.#sleepsUntil = this.#time.now + ms;
  }

  /** Its calendar is set. */
  jump(ms: number): void {
    this.#calendarOffset += ms;
  }

  #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      void this.#time.sleep(ms, signal).then(() => this.#deliver(resolve));
    });
  }

  #deliver(act: () => void): void {
    if (this.#isDead) return;
    const left = this.#sleepsUntil - this.#time.now;
    if (left > 0) this.#time.after(left, () => this.#deliver(act));
    else act();
  }
}
