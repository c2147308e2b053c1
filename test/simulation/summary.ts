// What came of many seeds, in lines.
import { Distribution } from './distribution.ts';
import type { Answer } from './worker.ts';

interface ClassCount {
  seeds: number;
  met: number;
  violations: number;
  unfinished: number;
  readonly slower: number[];
  readonly requests: number[];
}

export class Summary {
  readonly #classes = new Map<string, ClassCount>();
  readonly #distribution = new Distribution();
  #seeds = 0;
  #applications = 0;
  #seconds = 0;
  #processor = 0;
  #lives = 0;
  #operations = 0;
  #requests = 0;
  #deceived = 0;
  #busiest = 0;
  #excused = 0;
  #breakable = 0;
  #broken = 0;
  #seen = 0;
  violations = 0;
  unfinished = 0;

  add({ result, without, processor }: Answer): void {
    this.#seeds++;
    this.#distribution.add(result.facts, result.applications, result.met);
    this.#applications += result.applications;
    this.#seconds += result.seconds;
    this.#processor += processor;
    this.#lives += result.lives;
    this.#operations += result.operations;
    this.#requests += result.requests;
    this.#deceived += result.deceived;
    this.#busiest = Math.max(this.#busiest, result.busiest);
    this.#excused += result.excused;
    if (result.isBreakable) this.#breakable++;
    const { violations } = result;
    if (result.isBreakable && violations.length > 0) this.#broken++;
    if (result.isBreakable && violations.some(({ invariant }) => invariant === 'order'))
      this.#seen++;
    this.violations += result.violations.length;
    if (!result.finished) this.unfinished++;
    for (const [name, met] of Object.entries(result.met)) {
      const count = this.#of(name);
      count.seeds++;
      if (met > 0) count.met++;
      count.violations += result.violations.length;
      if (!result.finished) count.unfinished++;
      if (!without) continue;
      count.slower.push(result.seconds / without.seconds);
      count.requests.push(result.requests / without.requests);
    }
  }

  /** Classes of faults that were there in so many worlds and had an effect in none. */
  idle(seeds: number): string[] {
    const idle = [...this.#classes].filter(([, { met, ...of }]) => met === 0 && of.seeds >= seeds);
    return idle.map(([name]) => name);
  }

  /** Those of them that had no effect, or were in no world. */
  missing(classes: readonly string[]): string[] {
    return classes.filter((name) => (this.#classes.get(name)?.met ?? 0) === 0);
  }

  /** Worlds in which Argo CD would break the order if nobody held anything, and those of them in which it was seen. */
  get order(): { readonly breakable: number; readonly broken: number; readonly seen: number } {
    return { breakable: this.#breakable, broken: this.#broken, seen: this.#seen };
  }

  lines(realSeconds: number): string[] {
    const classes = [...this.#classes].sort(([a], [b]) => (a < b ? -1 : 1));
    const speed = `${(this.#seeds / realSeconds).toFixed(1)} seeds a second`;
    const times = Math.round(this.#seconds / realSeconds);
    const mean = (this.#applications / this.#seeds).toFixed(1);
    const spent = `${Math.round(this.#processor)} s of a processor`;
    const days = (this.#seconds / 86_400).toFixed(1);
    return [
      'class of faults            seeds    met  violations  unfinished  makespan p50 / p99  requests p50',
      ...classes.map(([name, count]) => lineOf(name, count)),
      '',
      ...this.#distribution.lines(),
      '',
      `${this.#seeds} seeds in ${Math.round(realSeconds)} s (${spent}): ${speed}, ${days} virtual days, virtual to real time ${times}:1`,
      `${mean} applications on average; ${this.#lives} lives of the process, ${this.#operations} operations, ${this.#requests} requests`,
      `at most ${this.#busiest} requests about one application within a minute in which nothing of it changed`,
      `${this.#deceived} syncs asked for on what Argo CD showed, and was not so in truth`,
      `${this.#excused} changes out of order that nobody could prevent; ${this.#breakable} worlds in which Argo CD would break the order if nobody held it, ${this.#broken} of them with a violation`,
      `${this.violations} violations, ${this.unfinished} unfinished`,
    ];
  }

  #of(name: string): ClassCount {
    const known = this.#classes.get(name);
    if (known) return known;
    const none = { seeds: 0, met: 0, violations: 0, unfinished: 0, slower: [], requests: [] };
    this.#classes.set(name, none);
    return none;
  }
}

function lineOf(name: string, count: ClassCount): string {
  const { seeds, met, violations, unfinished, slower, requests } = count;
  const numbers = [seeds, met, violations, unfinished].map(String);
  const widths = [7, 7, 12, 12];
  const columns = numbers.map((text, at) => text.padStart(widths[at] ?? 0)).join('');
  const span = `${times(slower, 0.5)} / ${times(slower, 0.99)}`;
  return `${name.padEnd(25)}${columns}${span.padStart(20)}${times(requests, 0.5).padStart(14)}`;
}

function times(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return value === undefined ? '-' : `${value.toFixed(2)}x`;
}
