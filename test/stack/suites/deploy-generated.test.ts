// Applications that an ApplicationSet makes, and that sync by themselves, as members of a platform: held by the pattern of their names.
import { describe, expect } from 'vitest';
import { generator, memberName } from '../kit/family.ts';
import { full } from '../kit/full.ts';
import { holdFromBefore, QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { Tiphys } from '../kit/tiphys.ts';
import { changesSince, operationsOf } from '../kit/traces.ts';
import { allowRuns, BY_WORKFLOW, environmentFor, loadExecutor } from '../kit/workflow-runs.ts';
import { configMap, deployment } from '../kit/workloads.ts';

const setOf = (scratch: Scratch, ...folders: readonly string[]) =>
  generator(scratch, 'set', folders);

/** `base`, then whatever the set has made, then `last`. All of them sync by themselves. */
async function platform(scratch: Scratch, member: object): Promise<Tiphys> {
  await scratch.repository.commit({
    'base/map.yaml': deployment({ name: 'base', readyAfter: '10s' }),
    ...Object.fromEntries(
      ['gen-a', 'gen-b', 'gen-c'].map((name) => [`${name}/map.yaml`, configMap(name, {})]),
    ),
    'last/map.yaml': configMap('last', {}),
  });
  const name = (suffix: string) => memberName(scratch, suffix);
  await holdFromBefore(scratch, 'base', 'last', 'gen-*');
  for (const suffix of ['base', 'last'])
    await scratch.application(suffix, { path: suffix, automated: { selfHeal: true } });
  const tiphys = new Tiphys(scratch);
  const applications = [
    { name: name('base') },
    { name: 'made', names: name('gen-*'), ...member, dependsOn: [name('base')] },
    { name: name('last'), dependsOn: ['made'] },
  ];
  await tiphys.platform({ ...QUICK, stacks: [{ name: 's', applications }] });
  return tiphys;
}

const GENERATED = ['gen-a', 'gen-b', 'gen-c'];

describe('what an ApplicationSet has made', () => {
  test('is deployed after what it depends on and before what depends on it, one that comes meanwhile included', async ({
    stack,
    scratch,
  }) => {
    const set = memberName(scratch, 'set');
    const tiphys = await platform(scratch, { applicationSet: set, atLeast: 2 });
    await scratch.apply(setOf(scratch, 'gen-a', 'gen-b') as never);
    await stack.application(memberName(scratch, 'gen-b'), 'compared', ({ status }) =>
      Boolean(status?.sync?.status),
    );
    const mark = await stack.audit.mark();
    const deploying = tiphys.deploy();
    await stack.application(memberName(scratch, 'base'), 'in work', ({ status }) =>
      Boolean(status?.operationState),
    );
    await scratch.apply(setOf(scratch, ...GENERATED) as never);
    const run = await deploying;
    expect(run.stderr).toBe('');
    expect(run.status).toBe(0);
    expect(run.report.held).toEqual([]);
    const made = await operationsOf(scratch, mark);
    expect(made.filter(({ automated }) => automated)).toEqual([]);
    const order = made.map(({ application }) => application);
    expect([order[0], order.slice(1, 4).sort(), order.slice(4)]).toEqual([
      'base',
      GENERATED,
      ['last'],
    ]);
    const again = await stack.audit.mark();
    expect((await tiphys.deploy()).status).toBe(0);
    const changes = await changesSince(scratch, again);
    expect(changes.filter((change) => / (?:applications|appprojects)\./.test(change))).toEqual([]);
  });

  // In whole-platform.test.ts, too.
  test.runIf(full)('is deployed by a Workflow in the same order', async ({ stack, scratch }) => {
    await loadExecutor(scratch);
    await allowRuns(scratch);
    const selector = { matchLabels: { team: scratch.name } };
    const tiphys = await platform(scratch, { selector, atLeast: 3 });
    await environmentFor(scratch);
    await scratch.apply(setOf(scratch, ...GENERATED) as never);
    const mark = await stack.audit.mark();
    const run = await tiphys.deploy(...BY_WORKFLOW);
    expect(run.status).toBe(0);
    const made = await operationsOf(scratch, mark);
    expect(made.filter(({ automated }) => automated)).toEqual([]);
    const order = made.map(({ application }) => application);
    expect([order[0], order.slice(1, 4).sort(), order.slice(4)]).toEqual([
      'base',
      GENERATED,
      ['last'],
    ]);
  });
});
