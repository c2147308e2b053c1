// What every refusal has in common: exit status 3, every error with its code and place, nothing else, quickly.
import { expect, it } from 'vitest';
import { CATALOGUE, EXIT } from '../../../src/errors.ts';
import { type Input, type Outcome, plan } from './measured-command.ts';

interface Bounds {
  /** Seconds of CPU time. */
  readonly cpu: number;
  /** Megabytes. */
  readonly memory: number;
}

const BOUNDS: Bounds = { cpu: 1, memory: 256 };

interface Refusal {
  /** `LINE:COLUMN CODE` of every error, in the order of the report. With `more`, of the first ones. */
  readonly errors: readonly string[];
  /** How many errors there are beside those. */
  readonly more?: number;
  /** What the report has to say somewhere. */
  readonly says?: readonly string[];
  readonly bounds?: Bounds;
  /** A good file of the same size, in place of seconds: the errors may cost twice as much as its plan, on whatever machine. */
  readonly peer?: Input;
}

export function refuses(title: string, input: Input | (() => Input), refusal: Refusal): void {
  it.concurrent(title, async ({ annotate }) => {
    const given = typeof input === 'function' ? input() : input;
    const outcome = await plan(given);
    const { cpu, wall, memory } = outcome;
    await annotate(`${cpu.toFixed(2)} s CPU, ${wall.toFixed(2)} s, ${memory.toFixed(0)} MB`);
    const most = await cpuBound(refusal);
    expectRefusal(outcome, refusal);
    expect(cpu).toBeLessThanOrEqual(most);
  }, 60_000);
}

async function cpuBound({ bounds, peer }: Refusal): Promise<number> {
  if (peer === undefined) return (bounds ?? BOUNDS).cpu;
  const { status, cpu } = await plan(peer);
  expect(status).toBe(EXIT.ok);
  return 2 * cpu;
}

function expectRefusal(outcome: Outcome, { errors, more, says, bounds }: Refusal): void {
  const { stdout, stderr } = outcome;
  const found = errorsIn(stderr);
  expect(found.slice(0, more === undefined ? undefined : errors.length)).toEqual(errors);
  if (more !== undefined) expect(stderr).toContain(`\n${errors.length + more} errors\n`);
  expect(outcome.status).toBe(EXIT.invalid);
  expect(stdout).toBe('');
  for (const text of says ?? []) expect(stderr).toContain(text);
  // Whatever a file holds, nothing invisible and no escape sequence gets to the terminal.
  expect(stderr).toMatch(/^[ -~\n]*$/);
  expect(outcome.memory).toBeLessThanOrEqual((bounds ?? BOUNDS).memory);
}

function errorsIn(stderr: string): string[] {
  const heads = stderr.matchAll(/^.*?(?::(\d+):(\d+))?: error\[([-a-z0-9]+)\]: /gm);
  return [...heads].map(([, line, column, code = '']) => {
    expect(CATALOGUE).toHaveProperty(code);
    return line === undefined ? code : `${line}:${column} ${code}`;
  });
}
