// A gate that had opened and seems to have fallen: when that is news, and what comes of judging it again.
import { describe, expect, test } from 'vitest';
import { application, evidence, operationState, resource } from '../../test/fakes/application.ts';
import { NodeWorld, nodeOf, unreachable } from '../../test/fakes/node-world.ts';
import { keyOf } from '../plan/node-address.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import { hasFallen, judgeAgain, judgeFallen } from './judge-again.ts';
import { looksDone } from './looks-done.ts';

const health = (status: string) => ({ status, message: '', lastTransition: 't1' });
const tolerant = nodeOf('application', {
  gate: { ...nodeOf().gate, allowSuspended: true, ignoreOutOfSync: ['Deployment/api'] },
});
const DRIFTED = {
  sync: { status: 'OutOfSync', revisions: ['rev-1'] },
  resources: [resource({ status: 'OutOfSync' })],
};
const SUSPENDED = { health: health('Suspended') };

describe('it seems to have fallen', () => {
  const seen = (part: Partial<ApplicationView>) => application({ resourceVersion: '11', ...part });

  test.each([
    ['gone', undefined, true],
    ['as it was', seen({}), false],
    ['another object', seen({ uid: 'uid-other' }), true],
    ['being deleted', seen({ deleting: true }), true],
    ['Degraded', seen({ health: health('Degraded') }), true],
    ['Suspended', seen(SUSPENDED), true],
    ['OutOfSync', seen(DRIFTED), true],
    // From before the gate was judged: no news, whatever it shows.
    ['Degraded before', seen({ health: health('Degraded'), resourceVersion: '10' }), false],
    ['another object before', seen({ uid: 'uid-other', resourceVersion: '9' }), false],
    [
      'versions count as numbers',
      seen({ health: health('Degraded'), resourceVersion: '100' }),
      true,
    ],
  ])('%s', (_, view, expected) => {
    expect(hasFallen(nodeOf(), evidence(), view)).toBe(expected);
  });

  test.each([
    ['Suspended', seen(SUSPENDED), false],
    ['OutOfSync', seen(DRIFTED), false],
    ['Degraded', seen({ health: health('Degraded') }), true],
  ])('not by what the platform file allows: %s', (_, view, expected) => {
    expect(hasFallen(tolerant, evidence(), view)).toBe(expected);
  });
});

describe('it is judged again', () => {
  const judged = (world: NodeWorld, judge = judgeAgain) =>
    world.timed(
      judge(world.context, { uid: 'uid-a', reconciledAt: world.second }, (event) =>
        world.events.push(event),
      ),
    );
  const types = (world: NodeWorld) => world.events.map(({ type }) => type);

  test('it holds by later comparisons: nothing is told', async () => {
    const world = new NodeWorld();
    world.clock.pause(5_000);
    const before = { uid: 'uid-a', reconciledAt: world.second - 5 };
    const again = judgeAgain(world.context, before, (event) => world.events.push(event));
    expect(await world.clock.until(again)).toMatchObject({ evidence: { uid: 'uid-a' } });
    expect(world.events).toEqual([]);
  });

  test('it closes and opens again: each is told once', async () => {
    const world = new NodeWorld({ health: health('Progressing') });
    world.later(60_000, { health: health('Degraded') });
    world.later(90_000, { health: { ...health('Healthy'), lastTransition: 't2' } });
    expect((await judged(world)).result).toMatchObject({ evidence: { healthSince: 't2' } });
    expect(types(world)).toEqual(['gate.closed', 'gate.opened']);
  });

  test('it stays shut: that is the cause, after the time for health', async () => {
    const world = new NodeWorld({ health: health('Progressing') });
    const { result, ms } = await judged(world);
    expect(result).toEqual({
      cause: {
        node: 'app:a',
        message: expect.stringMatching(/^no longer passes its gate: .*Progressing$/),
      },
    });
    expect(types(world)).toEqual(['gate.closed']);
    expect(ms).toBeGreaterThanOrEqual(300_000);
    expect(ms).toBeLessThan(302_000);
  });

  test('it stays shut because of one resource: that is named', async () => {
    const world = new NodeWorld({
      health: health('Degraded'),
      resources: [resource({ health: { status: 'Degraded', message: 'no pods' } })],
    });
    const { result } = await judged(world);
    expect(result).toMatchObject({
      cause: { node: 'app:a', resource: 'apps/Deployment web/api' },
    });
  });

  test('what keeps it from being judged is its failure as well', async () => {
    const world = new NodeWorld();
    world.applications.refresh = async () => {
      throw unreachable();
    };
    expect((await judged(world, judgeFallen)).result).toEqual({
      cause: {
        node: 'app:a',
        message: 'its gate no longer holds and cannot be judged again: no route',
      },
    });
    const stopped = new NodeWorld({ health: health('Progressing') });
    void stopped.clock.sleep(20_000).then(() => stopped.stop.abort());
    expect((await judged(stopped, judgeFallen)).result).toEqual({
      cause: {
        node: 'app:a',
        message: 'no longer passes its gate, and the run is stopping',
      },
    });
  });
});

test.each([
  ['well', application(), true],
  ['never compared', application({ reconciledAt: undefined }), false],
  ['compared at the beginning of time', application({ reconciledAt: 0 }), true],
  ['Degraded', application({ health: health('Degraded') }), false],
  ['failed', application({ operationState: operationState({ phase: 'Failed' }) }), false],
  ['a refresh is pending', application({ refreshPending: true }), true],
  ['none', undefined, false],
])('it looks done already: %s', (_, view, expected) => {
  const found = new Map(view ? [[keyOf(nodeOf()), view]] : []);
  expect(looksDone(nodeOf(), found)).toBe(expected);
});
