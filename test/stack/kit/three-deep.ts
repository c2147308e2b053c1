// Applications of Applications, three levels deep, and what must come of such a platform by every engine.
import { expect } from 'vitest';
import { child, memberName } from './family.ts';
import { QUICK } from './platform.ts';
import type { Scratch } from './scratch.ts';
import { Tiphys } from './tiphys.ts';
import { changesSince, operationsOf } from './traces.ts';
import { configMap } from './workloads.ts';

/** `outer` makes `first` and `inner`, that one `second` and `deep`, and that one `leaf`. All but `outer` sync by themselves. */
export async function threeDeep(scratch: Scratch, waves: boolean): Promise<Tiphys> {
  const wave = (number: number) => (waves ? number : undefined);
  await scratch.repository.commit({
    'first/map.yaml': configMap('first', {}),
    'second/map.yaml': configMap('second', {}),
    'leaf/map.yaml': configMap('leaf', {}),
    'outer/first.yaml': child(scratch, 'first', wave(0)),
    'outer/inner.yaml': child(scratch, 'inner', wave(1)),
    'inner/second.yaml': child(scratch, 'second', wave(0)),
    'inner/deep.yaml': child(scratch, 'deep', wave(1)),
    'deep/leaf.yaml': child(scratch, 'leaf', wave(0)),
  });
  const name = (suffix: string) => memberName(scratch, suffix);
  const member = (suffix: string, ...dependsOn: string[]) => ({
    ...{ name: name(suffix), dependsOn: dependsOn.map(name) },
  });
  const stacks = [
    { name: 'o', application: name('outer'), applications: [member('first')] },
    {
      name: 'i',
      parent: 'o',
      application: name('inner'),
      applications: [member('second', 'first')],
    },
    { name: 'd', parent: 'i', application: name('deep'), applications: [member('leaf', 'second')] },
  ];
  const tiphys = new Tiphys(scratch);
  const retries = { maxAttempts: 3, backoff: '1s' };
  await tiphys.platform({ ...QUICK, retries, stacks });
  await scratch.application('outer', { path: 'outer' });
  return tiphys;
}

/** In order. `by`: the arguments that choose an engine. */
export async function expectInOrder(
  scratch: Scratch,
  tiphys: Tiphys,
  by: readonly string[] = [],
): Promise<void> {
  const { stack } = scratch;
  const mark = await stack.audit.mark();
  const run = await tiphys.deploy(...by);
  expect(run.stderr).toBe('');
  expect(run.status).toBe(0);
  const made = (await operationsOf(scratch, mark)).map(({ application }) => application);
  expect(made.filter((one) => ['outer', 'inner', 'deep'].includes(one))).toEqual([
    ...['outer', 'inner', 'deep'],
  ]);
  expect(made.filter((one) => ['first', 'second', 'leaf'].includes(one))).toEqual([
    ...['first', 'second', 'leaf'],
  ]);
}

/** Again, nothing is done. */
export async function expectUnchanged(
  scratch: Scratch,
  tiphys: Tiphys,
  by: readonly string[] = [],
): Promise<void> {
  const again = await scratch.stack.audit.mark();
  expect((await tiphys.deploy(...by)).status).toBe(0);
  expect(await operationsOf(scratch, again)).toEqual([]);
  const changes = await changesSince(scratch, again);
  expect(changes.filter((change) => change.includes('applications.argoproj.io'))).toEqual([]);
}

export async function expectInReverse(
  scratch: Scratch,
  tiphys: Tiphys,
  by: readonly string[] = [],
): Promise<void> {
  const torn = await tiphys.teardown(await tiphys.inventory(), ...by);
  expect(torn.status).toBe(0);
  const asked = torn.events.flatMap((event) =>
    event.type === 'node.delete-requested' ? [event.node] : [],
  );
  const app = (suffix: string) => `app:${memberName(scratch, suffix)}`;
  const [o, i, d] = ['open:stack:o', 'open:stack:i', 'open:stack:d'];
  for (const chain of [
    [app('leaf'), d, i, o],
    [app('leaf'), app('second'), i],
    [app('second'), app('first'), o],
  ]) {
    expect(asked.filter((id) => chain.includes(id))).toEqual(chain);
  }
  expect(asked).toHaveLength(6);
}
