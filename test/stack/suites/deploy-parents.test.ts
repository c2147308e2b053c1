// Applications that make others in sync waves, where Argo CD waits for the health of one wave before it makes the next.
import { describe, expect } from 'vitest';
import { child, memberName } from '../kit/family.ts';
import { full } from '../kit/full.ts';
import { nestedHealth } from '../kit/nested-health.ts';
import { holdFromBefore, QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { expectInOrder, expectInReverse, expectUnchanged, threeDeep } from '../kit/three-deep.ts';
import { Tiphys } from '../kit/tiphys.ts';
import { operationsOf } from '../kit/traces.ts';
import { configMap } from '../kit/workloads.ts';

/** A parent with two members, `first` in wave 0 and `second` in wave 1, and the platform file of them. */
async function inWaves(
  scratch: Scratch,
  dependsOn: { readonly [suffix: string]: readonly string[] },
  timeouts = QUICK.timeouts,
): Promise<Tiphys> {
  await nestedHealth(scratch);
  await scratch.repository.commit({
    'first/map.yaml': configMap('first', {}),
    'second/map.yaml': configMap('second', {}),
    'parent/first.yaml': child(scratch, 'first', 0),
    'parent/second.yaml': child(scratch, 'second', 1),
  });
  const name = (suffix: string) => memberName(scratch, suffix);
  const applications = ['first', 'second'].map((suffix) => ({
    name: name(suffix),
    dependsOn: (dependsOn[suffix] ?? []).map(name),
  }));
  const tiphys = new Tiphys(scratch);
  const stacks = [{ name: 's', application: name('parent'), applications }];
  await tiphys.platform({ ...QUICK, timeouts, stacks });
  return tiphys;
}

describe('children in waves', () => {
  test('an operation of their parent itself that waits for them is let go on', async ({
    stack,
    scratch,
  }) => {
    const tiphys = await inWaves(scratch, { second: ['first'] });
    await holdFromBefore(scratch, 'first', 'second');
    const options = { path: 'parent', automated: { selfHeal: true } };
    const parent = await scratch.application('parent', options);
    await stack.application(parent, 'waiting for its first child', ({ status }) =>
      /Application\/.*-first/.test(status?.operationState?.message ?? ''),
    );
    const mark = await stack.audit.mark();
    const run = await tiphys.deploy();
    expect(run.stderr).toBe('');
    expect(run.status).toBe(0);
    const made = await operationsOf(scratch, mark);
    const ours = made.filter(({ automated }) => !automated);
    expect(ours.map(({ application }) => application)).toEqual(['first', 'second']);
  });

  // What is told is in the tests of both engines, too.
  test.runIf(full)(
    'one that is made only after another that waits for it is told as what it is',
    async ({ stack, scratch }) => {
      const short = { sync: '60s', health: '60s' };
      const tiphys = await inWaves(scratch, { first: ['second'] }, short);
      await scratch.application('parent', { path: 'parent' });
      const mark = await stack.audit.mark();
      const run = await tiphys.deploy();
      expect(run.status).toBe(1);
      const second = run.report.nodes.find(
        ({ id }) => id === `app:${memberName(scratch, 'second')}`,
      );
      expect(second?.outcome).toBe('failed');
      expect(second?.cause?.message).toContain(`than "${memberName(scratch, 'first')}"`);
      expect(second?.cause?.message).toContain('contradict the graph');
      const made = await operationsOf(scratch, mark);
      expect(made.map(({ application }) => application)).toEqual(['parent']);
    },
  );
});

describe('parents inside of parents', () => {
  for (const [checked, waves] of [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ] as const) {
    const title = `${checked ? 'with' : 'without'} the check for nested Applications, ${waves ? 'with' : 'without'} waves`;
    test.runIf(full || (checked && waves))(`three deep, ${title}`, async ({ scratch }) => {
      if (checked) await nestedHealth(scratch);
      const tiphys = await threeDeep(scratch, waves);
      await expectInOrder(scratch, tiphys);
      await expectUnchanged(scratch, tiphys);
      await expectInReverse(scratch, tiphys);
    });
  }
});
