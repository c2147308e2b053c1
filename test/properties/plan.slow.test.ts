// Plans of random platforms, against the oracle.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildPlan } from '../../src/plan/build-plan.ts';
import type { Plan, PlanNode } from '../../src/plan/plan.ts';
import {
  closure,
  heaviest,
  prerequisites,
  relation,
  relationOf,
  restrict,
  waitsFor,
} from './oracle.ts';
import { type Case, cases, compileData, expectedOrder, scopeNodes } from './plan-cases.ts';
import { ownOf, ROOT } from './platforms.ts';
import { holds, repeatable } from './repeatable.ts';

repeatable(20_260_102, 300);

const idsOf = (plan: Plan) => plan.nodes.map(({ id }) => id);
const dependencies = (plan: Plan) =>
  new Map(plan.nodes.map(({ id, dependsOn }) => [id, dependsOn] as const));
const total = (nodes: readonly PlanNode[]) =>
  nodes.reduce((sum, { expectedDuration }) => sum + expectedDuration, 0);

/** Holds for the plan of every case. */
function forEachPlan(check: (plan: Plan, of: Case) => void): void {
  holds(fc.property(cases, (of) => check(buildPlan(compileData(of.data), of), of)));
}

describe('the plan of a random platform', () => {
  test('has what is in the scope, and with dependencies all that this waits for', () => {
    forEachPlan((plan, of) => {
      const order = expectedOrder(of);
      const inside = scopeNodes(of, order.ids);
      const along = of.withDependencies ? prerequisites(order, inside) : [];
      expect(idsOf(plan).sort()).toEqual([...new Set([...inside, ...along])].sort());
    });
  });

  test('requires what it waits for outside of the scope, where that has a state', () => {
    forEachPlan((plan, of) => {
      const order = expectedOrder(of);
      const own = of.data.stacks.filter((stack) => stack.own).map(({ name }) => `stack:${name}`);
      const parents = [...own, ...(of.data.root ? ['platform'] : [])];
      // A parent is up when its close is done, and gone when its open is.
      const ends = parents.map((name) => `${of.action === 'deploy' ? 'close' : 'open'}:${name}`);
      const outside = prerequisites(order, idsOf(plan)).filter((id) => !idsOf(plan).includes(id));
      const judged = outside.filter((id) => id.startsWith('app:') || ends.includes(id));
      expect(plan.requires).toEqual(judged.sort());
    });
  });

  test('keeps every order between its nodes, through others too, and invents none', () => {
    forEachPlan((plan, of) => {
      const edges = dependencies(plan);
      for (const dependsOn of edges.values()) {
        expect(dependsOn).toEqual([...new Set(dependsOn)].filter((id) => edges.has(id)).sort());
      }
      const expected = restrict(expectedOrder(of), edges.keys());
      expect(restrict(closure(relationOf(edges)), edges.keys())).toEqual(expected);
    });
  });

  test('lists each node once, after all that it waits for', () => {
    forEachPlan((plan, of) => {
      const order = expectedOrder(of);
      const ids = idsOf(plan);
      expect(new Set(ids).size).toBe(ids.length);
      const early = ids.filter((id, at) =>
        ids.slice(at).some((later) => waitsFor(order, id, later)),
      );
      expect(early).toEqual([]);
    });
  });

  test('opens before the members and closes after them, the platform first and last', () => {
    forEachPlan((plan, { data, action }) => {
      const ids = action === 'deploy' ? idsOf(plan) : idsOf(plan).reverse();
      const places = (names: readonly string[]) =>
        names.filter((id) => ids.includes(id)).map((id) => ids.indexOf(id));
      const ascending = (numbers: number[]) =>
        expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
      for (const { name, applications } of data.stacks) {
        for (const member of applications) {
          ascending(places([`open:stack:${name}`, `app:${member.name}`, `close:stack:${name}`]));
        }
        ascending(
          places(['open:platform', `open:stack:${name}`, `close:stack:${name}`, 'close:platform']),
        );
      }
      for (const at of places(['open:platform'])) expect(at).toBe(0);
      for (const at of places(['close:platform'])) expect(at).toBe(ids.length - 1);
    });
  });

  test('counts the applications of the longest chain before each node, and lists by that', () => {
    forEachPlan((plan, of) => {
      const order = restrict(expectedOrder(of), idsOf(plan));
      const weight = (id: string) => Number(id.startsWith('app:'));
      const counts = heaviest(order, weight);
      const expected = plan.nodes.map(({ id }) => [id, (counts.get(id) ?? 0) - weight(id)]);
      expect(plan.nodes.map(({ id, layer }) => [id, layer])).toEqual(expected);
      const layers = plan.nodes.map(({ layer }) => layer);
      expect(layers).toEqual([...layers].sort((a, b) => a - b));
    });
  });

  test('has a critical path: a chain whose durations add up, and none is longer', () => {
    forEachPlan((plan, of) => {
      const byId = new Map(plan.nodes.map((node) => [node.id, node]));
      const path = plan.criticalPath.flatMap((id) => byId.get(id) ?? []);
      expect(path.length).toBe(plan.criticalPath.length);
      for (const [at, { dependsOn }] of path.slice(1).entries()) {
        expect(dependsOn).toContain(path[at]?.id);
      }
      const order = restrict(expectedOrder(of), idsOf(plan));
      const sums = heaviest(order, (id) => byId.get(id)?.expectedDuration ?? 0);
      expect(total(path)).toBe(plan.expectedDuration);
      expect(plan.expectedDuration).toBe(Math.max(...sums.values()));
    });
  });

  test('says for each node which Application it acts on, if any', () => {
    forEachPlan((plan, { data, action }) => {
      const stacks = new Map(data.stacks.map((stack) => [stack.name, stack]));
      for (const { id, kind, application, stack, expectedDuration } of plan.nodes) {
        const owner = stacks.get(stack ?? '');
        const member = owner?.applications.find(({ name }) => id === `app:${name}`);
        if (member) {
          expect([kind, application]).toEqual(['application', member.name]);
          expect(expectedDuration).toBe(member.seconds ?? expectedDuration);
          continue;
        }
        expect(id).toBe(`${kind}:${owner ? `stack:${owner.name}` : 'platform'}`);
        const acts =
          (owner ?? { own: data.root }).own && !(action === 'teardown' && kind === 'close');
        expect(application).toBe(acts ? (owner ? ownOf(owner.name) : ROOT) : null);
        if (!acts) expect(expectedDuration).toBe(0);
      }
    });
  });

  test('is for a teardown the deployment with every edge turned round', () => {
    holds(
      fc.property(cases, ({ data, scope }) => {
        const compiled = compileData(data);
        const there = relationOf(dependencies(buildPlan(compiled, { action: 'deploy', scope })));
        const back = relationOf(dependencies(buildPlan(compiled, { action: 'teardown', scope })));
        const turned = relation(there.ids, (a, b) => waitsFor(there, b, a));
        expect(restrict(back, back.ids)).toEqual(restrict(turned, turned.ids));
      }),
    );
  });
});
