import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../src/run/events.ts';
import type { KubeObject } from '../../../src/simulator/cluster/object-store.ts';
import type { Life } from '../life.ts';
import { worldOf } from '../seeded-world.ts';
import { Track } from '../truth.ts';
import { Operations } from './operations.ts';

/** What is said of so many nodes that were asked for, in a world in which two may be in progress. */
function checked(application?: KubeObject) {
  const said: string[] = [];
  const made = worldOf(1, { mean: 4 });
  const { spec } = made.platform;
  const world = { ...made, platform: { ...made.platform, spec: { ...spec, concurrency: 2 } } };
  const truth = {
    of: () => ({ inTruth: application ? GOOD : new Track(), asShown: new Track() }),
    application: () => application,
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

const GOOD = { isGood: true } as Track;
const INFO = [{ name: 'tiphys/op', value: 'run/app:a0/1' }];

function healthy(operationState?: object): KubeObject {
  const status = { health: { status: 'Healthy' }, sync: { status: 'Synced' }, operationState };
  const metadata = { name: 'a0', uid: 'u' };
  return { apiVersion: 'v1', kind: 'Application', metadata, status } as unknown as KubeObject;
}

describe('S3: a sync of what was good all the time', () => {
  const said = (before: KubeObject, meanwhile = before) => {
    const { said, operations } = checked(before);
    operations.begin();
    operations.changed({ type: 'MODIFIED', version: 1, object: meanwhile, before });
    const object = { ...meanwhile, operation: { info: INFO } };
    operations.changed({ type: 'MODIFIED', version: 2, object, before: meanwhile });
    return said;
  };

  test('is told', () => {
    expect(said(healthy())).toEqual(['S3']);
  });

  test('is not one where somebody gave up a sync', () => {
    const failed = healthy({ phase: 'Failed' });
    expect([said(failed), said(healthy(), failed)]).toEqual([[], []]);
  });
});

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
