// Worlds that are not as they should be: the cases that are about it must find out, or they prove nothing.
import { describe, expect, test } from 'vitest';
import { CASES } from './all-cases.ts';
import { belongsTo } from './case.ts';
import { Lab } from './lab.ts';
import { answers } from './lies/answers.ts';
import { applications } from './lies/applications.ts';
import { deeds } from './lies/deeds.ts';
import { type Lies, lying } from './lies/lie.ts';
import { rehearsalWorld } from './rehearsal-world.ts';

const LIES: Lies = { ...answers, ...applications, ...deeds };
/** What waits in vain looks less often than where it waits for something. */
const PAUSE = 1_000;

const found = (prefix: string) => CASES.filter(({ title }) => title.startsWith(prefix));

describe.each(Object.entries(LIES))('a world in which %s', (_, lie) => {
  test.each(lie.foundBy)('%s …: finds out', async (prefix) => {
    const finders = found(prefix);
    expect(finders).toHaveLength(1);
    for (const finder of finders) {
      const version = belongsTo(finder, '3.2') ? '3.2' : '3.5';
      const { world, until } = await rehearsalWorld(1, version, (way) => lying(lie, way));
      const told = lie.world?.(world) ?? world;
      await expect(until(finder.check(new Lab(told, PAUSE)))).rejects.toThrow();
    }
  });
});

test('every case was seen to fail', () => {
  const proved = new Set(
    Object.values(LIES)
      .flatMap(({ foundBy }) => foundBy)
      .flatMap(found),
  );
  expect(CASES.filter((one) => !proved.has(one)).map(({ title }) => title)).toEqual([]);
});
