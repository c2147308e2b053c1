import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../src/run/events.ts';
import type { Life } from '../life.ts';
import { worldOf } from '../seeded-world.ts';
import { Track } from '../truth.ts';
import { Operations } from './operations.ts';

/** What is said of so many nodes that were asked for, in a world in which two may be in progress. */
function checked() {
  const said: string[] = [];
  const made = worldOf(1, { mean: 4 });
  const { spec } = made.platform;
  const world = { ...made, platform: { ...made.platform, spec: { ...spec, concurrency: 2 } } };
  const truth = {
    of: () => ({ inTruth: new Track(), asShown: new Track() }),
    application: () => undefined,
  };
  const git = { head: () => 'head', wantedAt: () => 'it' };
  const accuse = (invariant: string) => said.push(invariant);
  const operations = new Operations({ world, truth, ...git, accuse });
  const life = {} as Life;
  const ask = (node: string) =>
    operations.happened(life, {
      ...{ type: 'node.sync-requested', node, operation: `run/${node}/1`, attempt: 1 },
    } as RunEvent);
  return { said, operations, life, ask };
}

describe('S6', () => {
  test('is broken by one more node in progress than is allowed', () => {
    const { said, ask } = checked();
    for (const node of ['app:a', 'app:b', 'app:c']) ask(node);
    expect(said).toEqual(['S6']);
  });

  test('does not count a node whose pod was lost', () => {
    const { said, ask, operations, life } = checked();
    for (const node of ['app:a', 'app:b']) ask(node);
    operations.left(life, 'app:a');
    ask('app:c');
    expect(said).toEqual([]);
    ask('app:a');
    expect(said).toEqual(['S6']);
  });
});
