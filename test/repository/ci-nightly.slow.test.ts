// `.ci/nightly` must fail whenever it cannot say that everything passed. What its commands print is made by their own code.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderBudgets } from '../../bench/report.ts';
import { type Fate, type Judged, renderRow, rows } from '../mutation/report.ts';
import { PARTS } from '../mutation/scope.ts';
import { renderCrashPoints } from '../simulation/crash-points.ts';
import { Summary } from '../simulation/summary.ts';
import { type Left, runCi } from './ci-program.ts';

const PROGRAM = '.ci/nightly';
const FLOORS = new Map(
  [...readFileSync(PROGRAM, 'utf8').matchAll(/^counted (\S+) (\d+) (.+)$/gm)].map(
    ([, kind = '', floor, command = '']) => {
      return [command.replace(/ --from \S+/, ''), { kind, floor: Number(floor) }] as const;
    },
  ),
);

const RESULT = {
  ...{ applications: 4, seconds: 1, lives: 1, operations: 4, requests: 9, deceived: 0, busiest: 1 },
  ...{ excused: 0, isBreakable: false, violations: [], finished: true, met: {} },
  facts: { isLarge: false, argocd: '3.2', nestedHealth: 'none' },
};

const WRONG = { violations: 1, unfinished: 2 };

function worlds(count: number, { violations = 0, unfinished = 0 } = {}): string {
  const summary = new Summary();
  for (let at = 0; at < count; at++) summary.add({ result: RESULT, processor: 0 } as never);
  Object.assign(summary, { violations, unfinished });
  return `${summary.lines(1).join('\n')}\n`;
}

const crashes = (covered: number, wrong = 0, all = covered): string =>
  `100 of ${all}\n${renderCrashPoints({ writes: Math.ceil(all / 3), covered, all, seconds: 9, wrong })}\n`;

const budgets = (count: number, over = 0): string =>
  renderBudgets(
    Array.from({ length: count }, (_, at) => {
      return { what: `makespan ${at}`, value: at < over ? 1.06 : 0.5, limit: 1.05, unit: ' times' };
    }),
  );

/** So many killed mutants in all, and in the parts named some that survived. */
function mutants(killed: number, weak: readonly string[] = [], parts = Object.keys(PARTS)): string {
  const of = (part: string, fate: Fate, count: number) =>
    Array.from({ length: count }, () => ({ file: PARTS[part]?.[0] ?? '', fate }) as Judged);
  const judged = parts.flatMap((part, at) => [
    ...of(part, 'killed', Math.floor(killed / parts.length) + (at < killed % parts.length ? 1 : 0)),
    ...of(part, 'survived', weak.includes(part) ? killed : 0),
  ]);
  return `src/a.ts:1:1 survived: X -> y\n${rows(judged).map(renderRow).join('\n')}\n`;
}

const log = (passed: number, failed = 0): string => `lines\n${passed} passed, ${failed} failed\n`;
const PRINT: Readonly<Record<string, (count: number) => string>> = {
  ...{ log, seeds: worlds, 'crash-points': crashes, budgets, mutants },
};

const GOOD: Readonly<Record<string, Left>> = Object.fromEntries(
  [...FLOORS].map(([command, { kind, floor }]) => {
    return [command, { text: PRINT[kind]?.(floor), status: 0 }];
  }),
);
const ALL = [...FLOORS.values()].reduce((sum, { floor }) => sum + floor, 0);

test('it has all that is too slow for every change, each with a floor', () => {
  expect([...FLOORS.keys()]).toEqual([
    'test:stack -- --full',
    'simulate -- --seeds 20000',
    'simulate -- --seeds 5000 --teardown',
    'simulate -- --seeds 5000 --workflow',
    'simulate -- --crash-points',
    'fuzz',
    ...['bench', 'bench:lua', 'bench:stack', 'bench:workflows'],
    'mutate',
  ]);
  for (const [command, { floor }] of FLOORS) {
    const [, seeds] = / --seeds (\d+)/.exec(command) ?? [];
    if (seeds) expect(floor).toBe(Number(seeds));
    else expect(floor).toBeGreaterThan(0);
  }
});

test('everything passed', () => {
  const good = { last: `${ALL} passed, 0 failed`, status: 0, stderr: '' };
  expect(runCi(PROGRAM, GOOD)).toEqual(good);
});

test('packages that cannot be installed stop it', () => {
  const { last, status } = runCi(PROGRAM, { ...GOOD, ci: { text: undefined, status: 1 } });
  expect({ last, status }).toEqual({ last: '0 passed, 1 failed', status: 1 });
});

describe('of every command,', () => {
  const each = (left: (command: string, kind: string, floor: number) => Left) =>
    Object.fromEntries(
      [...FLOORS].map(([command, { kind, floor }]) => [command, left(command, kind, floor)]),
    );
  test.each<[string, Readonly<Record<string, Left>>, number]>([
    ['no output', each(() => ({ text: undefined, status: 0 })), 0],
    ['other output', each(() => ({ text: 'bye\n', status: 0 })), 0],
    [
      'too little',
      each((_, kind, floor) => ({ text: PRINT[kind]?.(floor - 1), status: 0 })),
      ALL - FLOORS.size,
    ],
    [
      'a failed command with good output',
      each((command) => ({ text: GOOD[command]?.text, status: 1 })),
      ALL,
    ],
  ])('%s is a failure', (_, commands, passed) => {
    const { last, status } = runCi(PROGRAM, commands);
    expect({ last, status }).toEqual({
      last: `${passed} passed, ${FLOORS.size} failed`,
      status: 1,
    });
  });
});

describe('what a command calls wrong is a failure, also where it ends with status 0:', () => {
  test.each<[string, string, string, string]>([
    ['a test', 'log', log(40, 2), '40 2'],
    ['a violation, and worlds without an end', 'seeds', worlds(40, WRONG), '37 3'],
    ['a summary without its end', 'seeds', worlds(40).split('\n').slice(0, -2).join('\n'), '0 1'],
    ['a crash point', 'crash-points', crashes(40, 1), '39 1'],
    ['crash points that were not tried', 'crash-points', crashes(40, 0, 49), '40 9'],
    ['a budget', 'budgets', budgets(40, 2), '38 2'],
    ['a score', 'mutants', mutants(40, ['gate', 'hold']), '40 2'],
    ['a part without mutants', 'mutants', mutants(40, [], ['gate', 'node']), '40 5'],
  ])('%s', (_, kind, text, counts) => {
    const folder = mkdtempSync(join(tmpdir(), 'tiphys-count-'));
    try {
      const file = join(folder, 'log');
      writeFileSync(file, text);
      const args = ['.ci/count.mjs', kind, '30', '0', file];
      expect(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout.trim()).toBe(counts);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
