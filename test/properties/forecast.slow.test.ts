// What a forecast says of random platforms, against brute force: every what-if is worked out again from the beginning.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildPlan } from '../../src/plan/build-plan.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { type Forecast, forecast } from '../../src/report/forecast.ts';
import { rankFor } from '../../src/report/makespan.ts';
import { closure, heaviest, type Relation, relationOf, waitsFor } from './oracle.ts';
import { cases, compileData } from './plan-cases.ts';
import { holds, repeatable } from './repeatable.ts';

repeatable(20_260_103, 300);

type Times = ReadonlyMap<string, number>;

interface Forecasted {
  readonly plan: Plan;
  readonly far: Relation;
  readonly times: Times;
  readonly slots: number;
  readonly made: Forecast;
}

function forEachForecast(check: (of: Forecasted) => void): void {
  const inputs = fc.record({
    of: cases,
    seconds: fc.array(fc.nat(6), { minLength: 20, maxLength: 20 }),
    slots: fc.integer({ min: 1, max: 2 }),
  });
  holds(
    fc.property(inputs, ({ of, seconds, slots }) => {
      const plan = buildPlan(compileData(of.data), of);
      const times = new Map(
        plan.nodes.map(({ id, application }, at) => {
          return [id, application === null ? 0 : (seconds[at % seconds.length] ?? 0)] as const;
        }),
      );
      const far = closure(relationOf(new Map(plan.nodes.map((n) => [n.id, n.dependsOn]))));
      check({ plan, far, times, slots, made: forecast(plan, times, slots) });
    }),
  );
}

const longest = (far: Relation, times: Times) =>
  Math.max(0, ...heaviest(far, (id) => times.get(id) ?? 0).values());
const applications = (plan: Plan) =>
  plan.nodes.filter(({ kind }) => kind === 'application').map(({ id }) => id);

describe('a forecast', () => {
  test('takes as long as its heaviest chain, which is a chain', () => {
    forEachForecast(({ far, times, made }) => {
      expect(made.duration).toBe(longest(far, times));
      const path = made.criticalPath.map(({ id }) => id);
      expect(path.reduce((sum, id) => sum + (times.get(id) ?? 0), 0)).toBe(made.duration);
      for (const [at, id] of path.slice(1).entries()) {
        expect(waitsFor(far, id, path[at] ?? '')).toBe(true);
      }
    });
  });

  test('says of every application what it would win if it were faster', () => {
    let won = 0;
    forEachForecast(({ plan, far, times, made }) => {
      expect(made.gains.map(({ id }) => id).sort()).toEqual(applications(plan).sort());
      for (const { id, duration, slack, ifTwiceAsFast, ifInstant } of made.gains) {
        const whole = (seconds: number) => longest(far, new Map([...times, [id, seconds]]));
        expect(duration).toBe(times.get(id));
        expect(ifTwiceAsFast).toBe(made.duration - whole(duration / 2));
        expect(ifInstant).toBe(made.duration - whole(0));
        expect(whole(duration + slack)).toBe(made.duration);
        expect(whole(duration + slack + 1)).toBe(made.duration + 1);
        if (ifTwiceAsFast > 0) won++;
      }
      const halves = made.gains.map(({ ifTwiceAsFast }) => ifTwiceAsFast);
      expect(halves).toEqual([...halves].sort((a, b) => b - a));
    });
    expect(won).toBeGreaterThan(200);
  });

  test('says of every application what its failure would block', () => {
    forEachForecast(({ plan, far, made }) => {
      expect(made.blasts.map(({ id }) => id).sort()).toEqual(applications(plan).sort());
      for (const { id, blocks } of made.blasts) {
        const waiting = applications(plan).filter((other) => waitsFor(far, other, id));
        expect(blocks).toEqual(waiting.sort());
      }
      const counts = made.blasts.map(({ blocks }) => blocks.length);
      expect(counts).toEqual([...counts].sort((a, b) => b - a));
    });
  });

  test('with few at once takes what playing it second by second takes', () => {
    let longer = 0;
    forEachForecast(({ plan, far, times, slots, made }) => {
      // Where that is expected to take less, the plan is done as it comes: this oracle plays the longest way first.
      if (rankFor(plan, slots) !== 'longest-first') return;
      expect(made.durationAtConcurrency).toBe(played(plan, far, times, slots));
      if (made.durationAtConcurrency > made.duration) longer++;
    });
    expect(longer).toBeGreaterThan(50);
  });
});

/** Looks again at every node in every second. */
function played(plan: Plan, far: Relation, times: Times, slots: number): number {
  const weights = new Map(plan.nodes.map(({ id, expectedDuration }) => [id, expectedDuration]));
  const back = {
    ids: far.ids,
    waits: far.ids.map((_, a) => far.waits.map((row) => row[a] === true)),
  };
  const left = heaviest(back, (id) => weights.get(id) ?? 0);
  const done = new Set<string>();
  const ends = new Map<string, number>();
  const joins = new Set(plan.nodes.filter((n) => n.application === null).map(({ id }) => id));
  const ready = () =>
    [...plan.nodes]
      .map(({ id }) => id)
      .sort()
      .filter((id) => !done.has(id) && !ends.has(id))
      .filter((id) => far.ids.every((other) => !waitsFor(far, id, other) || done.has(other)))
      .sort((a, b) => (left.get(b) ?? 0) - (left.get(a) ?? 0));
  for (let now = 0; ; now++) {
    for (let again = true; again; ) {
      again = false;
      for (const [id, end] of [...ends]) if (end === now) [done.add(id), ends.delete(id)];
      for (let joined = true; joined; ) {
        joined = false;
        for (const id of ready()) {
          if (joins.has(id)) [joined] = [true, done.add(id)];
          else if (ends.size < slots) ends.set(id, now + (times.get(id) ?? 0));
        }
      }
      again = [...ends.values()].includes(now);
    }
    if (done.size === plan.nodes.length) return now;
  }
}
