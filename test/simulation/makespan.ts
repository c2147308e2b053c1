// How long a deployment takes against its critical path, by the times that its nodes took: from the first sync request to the gate, dwell included.
import { readFileSync } from 'node:fs';
import { generatePlatform } from '../../bench/platforms.ts';
import { buildPlan } from '../../src/plan/build-plan.ts';
import { compile } from '../../src/plan/compile.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { Rehearsal } from '../../src/rehearsal/rehearsal.ts';
import { populate } from '../../src/rehearsal/scenario.ts';
import type { RunEvent } from '../../src/run/events.ts';
import { deploying } from './deployment.ts';
import { type End, Life } from './life.ts';
import { NAMESPACE } from './shape.ts';

const REFERENCE = 'examples/reference/platform.yaml';

const DAY = 86_400;
const LIMIT = 1.01;

export interface Makespan {
  readonly applications: number;
  readonly makespan: number;
  readonly criticalPath: number;
  readonly end: End;
}

/** 43: the reference platform; otherwise one that is made up. */
export async function measureMakespan(applications: number): Promise<Makespan> {
  const text =
    applications === 43 ? readFileSync(REFERENCE, 'utf8') : generatePlatform(applications).yaml;
  const compiled = compile({ file: REFERENCE, text });
  const whole = buildPlan(compiled, { action: 'deploy' });
  // As many at once as there are, and as long as it takes.
  const plan: Plan = { ...whole, concurrency: whole.nodes.length, runTimeout: DAY };
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const start = Date.UTC(2026, 0, 1);
  const rehearsal = new Rehearsal({
    ...{ seed: 1, faults: [], start, namespace: NAMESPACE, pace: { settle } },
  });
  populate(rehearsal, compiled.platform);
  const times = new Times(() => rehearsal.time.now / 1000);
  const life = new Life(rehearsal, 't1', deploying(plan), {
    sent: () => {},
    happened: (_, event) => times.add(event),
    left: () => {},
  });
  const end = await rehearsal.time.until(life.end);
  return {
    applications: plan.nodes.filter(({ kind }) => kind === 'application').length,
    makespan: times.whole,
    criticalPath: longest(plan, (id) => times.of(id)),
    end,
  };
}

class Times {
  readonly #now: () => number;
  readonly #asked = new Map<string, number>();
  readonly #opened = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  add(event: RunEvent): void {
    // The close of a parent sends no request of its own: it goes on with that of its open.
    const isClose = event.type === 'node.started' && event.node.startsWith('close:');
    if ((event.type === 'node.sync-requested' || isClose) && !this.#asked.has(event.node))
      this.#asked.set(event.node, this.#now());
    if (event.type === 'gate.opened' && !this.#opened.has(event.node))
      this.#opened.set(event.node, this.#now());
  }

  of(id: string): number {
    const asked = this.#asked.get(id);
    return asked === undefined ? 0 : (this.#opened.get(id) ?? asked) - asked;
  }

  get whole(): number {
    return Math.max(...this.#opened.values()) - Math.min(...this.#asked.values());
  }
}

/** Every node of a plan comes after its dependencies. */
function longest({ nodes }: Plan, took: (id: string) => number): number {
  const ends = new Map<string, number>();
  for (const { id, dependsOn } of nodes) {
    const before = Math.max(0, ...dependsOn.map((other) => ends.get(other) ?? 0));
    ends.set(id, before + took(id));
  }
  return Math.max(...ends.values());
}

/** True: none is beyond the limit. */
export async function runMakespans(print: (line: string) => void): Promise<boolean> {
  let isGood = true;
  for (const size of [43, 1_000]) {
    const { applications, makespan, criticalPath, end } = await measureMakespan(size);
    const isDone = end.kind === 'report' && end.report.exitStatus === 0;
    const ratio = makespan / criticalPath;
    isGood &&= isDone && ratio <= LIMIT;
    const seconds = [makespan, criticalPath].map((value) => value.toFixed(1));
    print(
      `${applications} applications: ${seconds[0]} s, critical path ${seconds[1]} s, ${ratio.toFixed(4)} of ${LIMIT}${isDone ? '' : ': not deployed'}`,
    );
  }
  return isGood;
}
