// What every refusal has in common: exit status 3, every error with its code and place, nothing else, quickly.
import { expect, it } from 'vitest';
import { CATALOGUE, EXIT } from '../../../src/errors.ts';
import { type Input, type Outcome, plan } from './measured-command.ts';
import { application, applications, times } from './text.ts';

interface Bounds {
  /** Times the processor time of planning 10,000 good applications, on this machine and at the same load. */
  readonly cpu: number;
  /** Megabytes. */
  readonly memory: number;
}

const BOUNDS: Bounds = { cpu: 2, memory: 256 };

/** Seconds of processor time that need no comparison, on any machine. */
const CHEAP = 0.5;
/** What else the machine does can only slow one of the two down: one try within the bound is enough. */
const TRIES = 4;

const PEER = applications(times(10_000, (at) => application(at)));

interface Refusal {
  /** `LINE:COLUMN CODE` of every error, in the order of the report. With `more`, of the first ones. */
  readonly errors: readonly string[];
  /** How many errors there are beside those. */
  readonly more?: number;
  /** What the report has to say somewhere. */
  readonly says?: readonly string[];
  readonly bounds?: Bounds;
}

export function refuses(title: string, input: Input | (() => Input), refusal: Refusal): void {
  it.concurrent(title, async ({ annotate }) => {
    const given = typeof input === 'function' ? input() : input;
    const outcome = await plan(given);
    const { cpu, wall, memory } = outcome;
    await annotate(`${cpu.toFixed(2)} s CPU, ${wall.toFixed(2)} s, ${memory.toFixed(0)} MB`);
    expectRefusal(outcome, refusal);
    const most = boundsOf(refusal).cpu;
    if (cpu > CHEAP) expect(await timesThePeer(given, most)).toBeLessThanOrEqual(most);
  });
}

/** What it costs, in units of the peer beside it. The best of some tries, or the first one within the bound. */
async function timesThePeer(input: Input, most: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let left = TRIES; left > 0 && best > most; left--) {
    const [{ cpu }, peer] = await Promise.all([plan(input), plan(PEER)]);
    expect(peer.status).toBe(EXIT.ok);
    best = Math.min(best, cpu / peer.cpu);
  }
  return best;
}

const boundsOf = ({ bounds }: Refusal): Bounds => bounds ?? BOUNDS;

function expectRefusal(outcome: Outcome, refusal: Refusal): void {
  const { errors, more, says } = refusal;
  const { stdout, stderr } = outcome;
  const found = errorsIn(stderr);
  expect(found.slice(0, more === undefined ? undefined : errors.length)).toEqual(errors);
  if (more !== undefined) expect(stderr).toContain(`\n${errors.length + more} errors\n`);
  expect(outcome.status).toBe(EXIT.invalid);
  expect(stdout).toBe('');
  for (const text of says ?? []) expect(stderr).toContain(text);
  // Whatever a file holds, nothing invisible and no escape sequence gets to the terminal.
  expect(stderr).toMatch(/^[ -~\n]*$/);
  expect(outcome.memory).toBeLessThanOrEqual(boundsOf(refusal).memory);
}

function errorsIn(stderr: string): string[] {
  const heads = stderr.matchAll(/^.*?(?::(\d+):(\d+))?: error\[([-a-z0-9]+)\]: /gm);
  return [...heads].map(([, line, column, code = '']) => {
    expect(CATALOGUE).toHaveProperty(code);
    return line === undefined ? code : `${line}:${column} ${code}`;
  });
}
