// What a plan is made of: a random platform without a cycle, an action and a scope; and what the oracle says of it.
import fc from 'fast-check';
import { compile } from '../../src/plan/compile.ts';
import type { Action } from '../../src/plan/plan.ts';
import {
  closure,
  isCyclic,
  isIn,
  platformRelation,
  type Relation,
  relation,
  waitsFor,
} from './oracle.ts';
import { type PlatformData, platforms, render, scopesOf } from './platforms.ts';

export const compileData = (data: PlatformData) =>
  compile({ file: 'platform.yaml', text: render(data) });

export interface Case {
  readonly data: PlatformData;
  readonly action: Action;
  readonly scope: readonly string[];
  readonly withDependencies: boolean;
}

export const cases: fc.Arbitrary<Case> = platforms
  .filter((data) => !isCyclic(platformRelation(data)))
  .chain((data) =>
    fc.record({
      data: fc.constant(data),
      action: fc.constantFrom<Action>('deploy', 'teardown'),
      scope: scopesOf(data),
      withDependencies: fc.boolean(),
    }),
  );

/** Who comes after whom in the end, in the direction of the action. */
export function expectedOrder({ data, action }: Pick<Case, 'data' | 'action'>): Relation {
  const far = closure(platformRelation(data));
  if (action === 'deploy') return far;
  return relation(far.ids, (a, b) => waitsFor(far, b, a));
}

export function scopeNodes({ data, scope }: Case, all: readonly string[]): readonly string[] {
  if (scope.length === 0 || scope.includes('platform')) return all;
  return all.filter((id) =>
    scope.some((reference) => {
      const outer = /^stack:(.*)$/.exec(reference)?.[1];
      if (outer === undefined) return id === reference;
      return data.stacks.some(({ name, applications }) => {
        const members = applications.map((member) => `app:${member.name}`);
        const its = [`open:stack:${name}`, ...members, `close:stack:${name}`];
        return its.includes(id) && isIn(data.stacks, name, outer);
      });
    }),
  );
}
