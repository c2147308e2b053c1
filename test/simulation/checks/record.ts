// S8: what a life tells is a legal history at every moment, and what the cluster keeps of it is a beginning of what was told.
import { gunzipSync } from 'node:zlib';
import type { RunEvent } from '../../../src/run/events.ts';
import type { Objects } from '../../../src/simulator/cluster/object-store.ts';
import { kindOf } from '../../../src/simulator/cluster/served-kinds.ts';
import type { Life } from '../life.ts';
import type { World } from '../seeded-world.ts';
import { NAMESPACE } from '../shape.ts';
import type { Accuse, Witness } from '../witness.ts';

interface Told {
  readonly lines: string[];
  readonly started: Set<string>;
  readonly opened: Set<string>;
  readonly finished: Map<string, string>;
  isOver: boolean;
}

export class Records implements Witness {
  readonly #world: World;
  readonly #accuse: Accuse;
  readonly #nodes: ReadonlyMap<string, string>;
  readonly #lives = new Map<Life, Told>();
  /** Run -> the lives that told of it, in order. */
  readonly #runs = new Map<string, Set<Told>>();

  constructor(world: World, accuse: Accuse) {
    this.#world = world;
    this.#accuse = accuse;
    this.#nodes = nodesOf(world);
  }

  happened(life: Life, event: RunEvent): void {
    const told = this.#lives.get(life) ?? {
      ...{ lines: [], started: new Set<string>(), opened: new Set<string>() },
      ...{ finished: new Map<string, string>(), isOver: false },
    };
    this.#lives.set(life, told);
    this.#runs.set(event.run, (this.#runs.get(event.run) ?? new Set()).add(told));
    const problem = this.#problem(told, event);
    if (problem) this.#accuse('S8', `${life.name} told ${event.type}: ${problem}`);
    told.lines.push(JSON.stringify(event));
    if (event.type === 'node.started') told.started.add(event.node);
    if (event.type === 'gate.opened') told.opened.add(event.node);
    if (event.type === 'node.finished') told.finished.set(event.node, event.outcome);
    if (event.type === 'run.finished') told.isOver = true;
  }

  /** Rules that hold of every beginning if they hold of the whole. */
  #problem(told: Told, event: RunEvent): string | undefined {
    const isFirst = told.lines.length === 0;
    if (isFirst !== (event.type === 'run.started')) return 'not in the beginning, or twice';
    if (told.isOver && event.type !== 'run.warning') return 'after the end';
    if (!('node' in event) || event.node === undefined) return undefined;
    const { node } = event;
    switch (event.type) {
      case 'node.started':
        if (told.started.has(node)) return `${node} was started before`;
        return this.#unopened(told, node);
      case 'node.sync-requested':
        if (!told.started.has(node)) return `${node} was not started`;
        return told.finished.has(node) ? `${node} had ended` : undefined;
      case 'node.finished': {
        const good = event.outcome === 'healthy' || event.outcome === 'unchanged';
        if (good && told.finished.has(node)) return `${node} had ended`;
        if (good && !told.opened.has(node)) return `the gate of ${node} had not opened`;
        const before = told.finished.get(node);
        if (before === 'failed' || before === 'skipped') return `${node} had ${before} before`;
        return !good && !event.cause?.message
          ? `${node} ${event.outcome} without a cause`
          : undefined;
      }
      default:
        return undefined;
    }
  }

  #unopened(told: Told, node: string): string | undefined {
    const name = [...this.#nodes].find(([, id]) => id === node)?.[0];
    const gates = [...(this.#world.reading.gates.get(name ?? '') ?? [])];
    const shut = gates.find((gate) => {
      const id = this.#nodes.get(gate) ?? '';
      return !told.opened.has(id.replace(/^open:/, 'close:'));
    });
    return shut === undefined ? undefined : `the gate of ${shut} had not opened before ${node}`;
  }

  /** At the end: everything that is kept. */
  compare(objects: Objects): void {
    for (const [run, lives] of this.#runs) {
      const kept = keptLines(objects, run);
      let at = 0;
      for (const { lines } of lives) {
        let same = 0;
        while (same < lines.length && at < kept.length && kept[at] === lines[same]) {
          same++;
          at++;
        }
      }
      if (at < kept.length)
        this.#accuse('S8', `the record of ${run} has an event that nobody told there: ${kept[at]}`);
      for (const secret of this.#world.secrets) {
        if (kept.some((line) => line.includes(secret)))
          this.#accuse('S9', `a secret is in the record of ${run}`);
      }
    }
  }
}

function keptLines(objects: Objects, run: string): readonly string[] {
  return objects
    .list(kindOf('v1', 'ConfigMap'), NAMESPACE)
    .filter(({ metadata }) => metadata.labels?.['tiphys.dev/run'] === run)
    .sort((a, b) => numberOf(a.metadata.annotations) - numberOf(b.metadata.annotations))
    .flatMap(({ binaryData }) => {
      const bytes = (binaryData as Record<string, string> | undefined)?.['events.jsonl.gz'] ?? '';
      return gunzipSync(Buffer.from(bytes, 'base64')).toString().split('\n');
    })
    .filter((line) => line !== '');
}

const numberOf = (annotations: Readonly<Record<string, string>> | undefined): number =>
  Number(annotations?.['tiphys.dev/chunk'] ?? 0);

/** Application -> the node that its sync is asked for at. */
function nodesOf({ platform, reading }: World): ReadonlyMap<string, string> {
  const nodes = new Map([...reading.gates.keys()].map((name) => [name, `app:${name}`]));
  for (const { name, application } of platform.spec.stacks) {
    if (application !== undefined) nodes.set(application, `open:stack:${name}`);
  }
  if (platform.spec.root !== undefined) nodes.set(platform.spec.root, 'open:platform');
  return nodes;
}
