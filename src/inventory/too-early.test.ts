import { expect, test } from 'vitest';
import { application, managedObject as object } from '../../test/fakes/application.ts';
import { planOf } from '../../test/fakes/run-world.ts';
import { type Found, placeWithout } from './fate.ts';
import { tooEarly } from './too-early.ts';

const found = (name: string, ...children: string[]): Found => ({
  ...{ id: `app:${name}`, instance: name, problem: undefined, deleteOption: undefined },
  ...{ view: application({ name, uid: `uid-${name}` }), place: placeWithout(undefined) },
  objects: children.map((child) => object('Application', child, { group: 'argoproj.io' })),
});

/** In the plan of a teardown a node waits for what depends on it. */
const PLAN = planOf('first:', 'second: first', 'third: second');
const nodes = (...all: Found[]) => tooEarly(PLAN, all).map(({ node }) => node);

test('an Application must be gone before the one that has it', () => {
  expect(nodes(found('first', 'third'), found('third'))).toEqual(['app:third']);
  expect(nodes(found('first'), found('third', 'first'))).toEqual([]);
  expect(tooEarly(PLAN, [found('first', 'third'), found('third')])[0]?.message).toBe(
    'Application "third" is in the Git of "first" and would be deleted with it, but the plan does not delete "third" before "first".',
  );
});

test('neither itself, nor one that is gone, nor one that is kept is too early', () => {
  expect(nodes(found('first', 'first'))).toEqual([]);
  expect(nodes(found('first', 'third'))).toEqual([]);
  const kept = found('first', 'third');
  const objects = kept.objects?.map((one) => ({ ...one, syncOptions: ['Delete=false'] }));
  expect(nodes({ ...kept, objects }, found('third'))).toEqual([]);
});
