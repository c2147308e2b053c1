import { expect, test } from 'vitest';
import type { Plan, PlanNode } from '../plan/plan.ts';
import { type Random, seeded } from '../simulator/random.ts';
import { Schedule } from './schedule.ts';

const CAUSE = { node: 'x', message: 'failed' };
const COUNT = 20;

/** In random order, with a dependency on some of those made before. */
function nodesOf(random: Random): PlanNode[] {
  const made: PlanNode[] = [];
  for (let number = 0; number < COUNT; number++) {
    made.push({
      id: random.id(),
      kind: random.pick(['application', 'application', 'open', 'close']),
      dependsOn: made.filter(() => random.chance(2 / COUNT)).map(({ id }) => id),
      expectedDuration: random.whole(0, 3),
    } as unknown as PlanNode);
  }
  const places = new Map(made.map((node) => [node, random.next()]));
  return made.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
}

/** By a walk over the whole graph. `soon`: these count as open. */
function oracle(nodes: readonly PlanNode[], schedule: Schedule, soon: ReadonlySet<string>) {
  const isThrough = (id: string): boolean => {
    if (schedule.state(id) !== 'open' && !soon.has(id)) return false;
    return schedule.node(id).kind === 'application' || isFree(schedule.node(id));
  };
  const isFree = ({ dependsOn }: PlanNode): boolean => dependsOn.every(isThrough);
  const waiting = nodes.filter(({ id }) => schedule.state(id) === 'waiting');
  return { isFree, ready: idsOf(waiting.filter(isFree)) };
}

const idsOf = (nodes: readonly PlanNode[]) => nodes.map(({ id }) => id).sort();

/** What can happen to a node in its state. */
function happens(schedule: Schedule, { id }: PlanNode, random: Random): void {
  const state = schedule.state(id);
  if (state === 'open' && random.chance(0.4)) schedule.shut(id);
  else if ((state === 'running' || state === 'shut') && random.chance(0.7)) schedule.open(id);
  else if (state !== 'waiting' && state !== 'skipped' && random.chance(0.05))
    schedule.fail(id, CAUSE);
  else if (random.chance(0.005)) schedule.stop(CAUSE);
}

test.each(['longest-first', 'first-come'] as const)(
  'what may start, %s, is what a walk over the graph finds, after anything that can happen',
  (rank) => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = seeded(seed);
      const nodes = nodesOf(random);
      const schedule = new Schedule({ nodes } as unknown as Plan, rank);
      for (let step = 0; step < 150; step++) {
        const [first] = schedule.ready();
        if (first && random.chance(0.4)) schedule.start(first.id);
        happens(schedule, random.pick(nodes), random);
        const soon = new Set(idsOf(nodes.filter(() => random.chance(0.3))));
        expect(idsOf(schedule.nearlyReady(soon))).toEqual(oracle(nodes, schedule, soon).ready);
        const { ready, isFree } = oracle(nodes, schedule, new Set());
        expect(idsOf(schedule.ready())).toEqual(ready);
        const open = nodes.filter(({ id }) => schedule.dependencies(id) === 'open');
        expect(open).toEqual(nodes.filter(isFree));
        const states = new Set(nodes.map(({ id }) => schedule.state(id)));
        const isOver = !(['waiting', 'running', 'shut'] as const).some((one) => states.has(one));
        expect(schedule.isOver()).toBe(isOver);
      }
    }
  },
);
