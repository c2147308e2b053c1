// A parent that prunes, and an ApplicationSet that is no longer in its Git: its Applications, and all that they deployed, would go with it.
import { expect } from 'vitest';
import { child, memberName } from '../kit/family.ts';
import { holdFromBefore, QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { Tiphys } from '../kit/tiphys.ts';
import { operationsOf } from '../kit/traces.ts';
import { configMap } from '../kit/workloads.ts';

/** An ApplicationSet that makes one Application, `made`, which syncs only when it is asked to. */
function applicationSet(scratch: Scratch) {
  const { metadata, spec } = child(scratch, 'made');
  const { syncPolicy: _, ...rest } = spec;
  return {
    ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet' },
    metadata: { name: memberName(scratch, 'set'), namespace: 'argocd' },
    spec: {
      generators: [{ list: { elements: [{}] } }],
      template: { metadata: { name: metadata.name }, spec: rest },
    },
  };
}

test('a sync of a parent that prunes takes no ApplicationSet along, and the run names it', async ({
  stack,
  scratch,
}) => {
  await scratch.repository.commit({
    'parent/one.yaml': child(scratch, 'one'),
    'parent/set.yaml': applicationSet(scratch),
    'parent/map.yaml': configMap('kept', {}),
    'one/map.yaml': configMap('one', {}),
    'made/map.yaml': configMap('made', {}),
  });
  await holdFromBefore(scratch, 'parent', 'one', 'made');
  const automated = { prune: true, selfHeal: true };
  const application = await scratch.application('parent', { path: 'parent', automated });
  // Before the Applications, which it would make again.
  scratch.afterwards(() => stack.remove(applicationSet(scratch)));
  const tiphys = new Tiphys(scratch);
  const applications = ['one', 'made'].map((suffix) => ({ name: memberName(scratch, suffix) }));
  await tiphys.platform({ ...QUICK, stacks: [{ name: 's', application, applications }] });
  const first = await tiphys.deploy();
  expect([first.status, first.report.counts.healthy], first.stdout).toEqual([0, 2]);

  await holdFromBefore(scratch, 'parent', 'one', 'made');
  await scratch.repository.commit({
    'parent/set.yaml': null,
    'parent/map.yaml': configMap('kept', { version: '2' }),
  });
  const mark = await stack.audit.mark();
  const second = await tiphys.deploy();
  expect(second.status, second.stdout).not.toBe(0);
  const parent = second.report.nodes.find(({ cause }) => cause);
  expect(parent?.cause?.message).toContain(
    `its sync would prune ApplicationSet ${memberName(scratch, 'set')}`,
  );
  expect(await operationsOf(scratch, mark)).toEqual([]);
  const removed = await stack.audit.since(mark, { verb: 'delete', name: new RegExp(scratch.name) });
  expect(removed.map(({ resource, name }) => `${resource} ${name}`)).toEqual([]);
  expect(await stack.read(applicationSet(scratch))).toBeDefined();
});
