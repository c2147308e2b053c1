// Which Applications a generated member stands for, and that nothing else of a plan changes.
import { describe, expect, test } from 'vitest';
import { application } from '../../test/fakes/application.ts';
import { planFrom } from '../../test/fakes/run-world.ts';
import { childOf, isCovered, isSelected, isStray, selectedOf, tooFew } from './generated.ts';
import type { PlanNode } from './plan.ts';

const plan = (member: object) =>
  planFrom({ stacks: [{ name: 's', applications: [{ name: 'shop', ...member }] }] });
const nodeOf = (member: object): PlanNode =>
  plan(member).nodes.find(({ kind }) => kind === 'application') as PlanNode;

const labelled = nodeOf({
  selector: { matchLabels: { team: 'shop', tier: 'web' } },
  names: 'shop-*',
  argocd: { project: 'platform' },
});
const owned = nodeOf({ applicationSet: 'set', argocd: { project: 'platform' } });
const labels = new Map([
  ['team', 'shop'],
  ['tier', 'web'],
  ['more', 'x'],
]);
const good = application({ name: 'shop-a', labels, applicationSet: 'set' });

describe('an Application belongs to a member', () => {
  test.each([
    ['all of it', {}, [true, true, false]],
    ['another name', { name: 'a' }, [false, false, true]],
    ['another project', { project: 'other' }, [false, false, true]],
    ['another namespace', { namespace: 'other' }, [false, true, false]],
    ['one label missing', { labels: new Map([['team', 'shop']]) }, [false, true, false]],
    ['another label', { labels: new Map([...labels, ['team', 'x']]) }, [false, true, false]],
  ])('by labels: %s', (_, part, expected) => {
    const view = { ...good, ...part };
    const found = [isSelected, isCovered, isStray].map((is) => is(labelled, view));
    expect(found).toEqual(expected);
  });

  test.each([
    ['of the set', {}, [true, true, false]],
    ['of another set', { applicationSet: 'other' }, [false, true, false]],
    ['of none', { applicationSet: undefined }, [false, true, false]],
    ['in another project', { project: 'other' }, [false, false, true]],
  ])('by owner: %s', (_, part, expected) => {
    const view = { ...good, ...part };
    expect([isSelected, isCovered, isStray].map((is) => is(owned, view))).toEqual(expected);
  });

  test('nothing belongs to an ordinary node', () => {
    const plain = nodeOf({});
    const view = { ...good, name: 'shop' };
    expect([isSelected, isCovered, isStray].map((is) => is(plain, view))).toEqual([
      false,
      false,
      false,
    ]);
    expect(selectedOf(labelled, [good, { ...good, name: 'x' }])).toEqual([good]);
  });
});

test('one of its Applications is a node like any other, held by the pattern', () => {
  expect(childOf(labelled, 'shop-a')).toEqual({
    ...labelled,
    id: 'app:shop:shop-a',
    application: 'shop-a',
    generated: undefined,
    heldAs: 'shop-*',
  });
});

test.each([
  [1, 0, 'none of its Applications exist'],
  [3, 2, '2 of at least 3 Applications exist'],
  [3, 3, undefined],
  [0, 0, undefined],
])('at least %i, and %i are there: %s', (atLeast, there, expected) => {
  const node = nodeOf({ applicationSet: 'set', atLeast });
  expect(tooFew(node, there)).toBe(expected);
});

test('a plan names what is generated, and a node that is not has no such field', () => {
  expect(labelled).toMatchObject({
    application: 'shop-*',
    generated: { matchLabels: { team: 'shop', tier: 'web' }, atLeast: 1 },
  });
  expect(nodeOf({})).not.toHaveProperty('generated');
  expect(plan({ applicationSet: 'set' }).hash).not.toBe(plan({ applicationSet: 'other' }).hash);
});
