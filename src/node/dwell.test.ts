// What happens during the dwell counts, also where it is over before the dwell ends.
import { describe, expect, test } from 'vitest';
import { GateWorld, health } from '../../test/fakes/gate-world.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import type { Hint } from '../ports/application-watch.ts';

/** Opened without an event in between; the dwell begins at 1.1 s. */
const UNDISTURBED_MS = 11_100;
const OUT_OF_SYNC = { sync: { status: 'OutOfSync', revisions: ['rev-1'] } };
const SYNCED = { sync: { status: 'Synced', revisions: ['rev-1'] } };

describe('the dwell begins anew, a second after the watch has told of it', () => {
  test.each<[string, Partial<ApplicationView>, Partial<ApplicationView>]>([
    ['OutOfSync', OUT_OF_SYNC, SYNCED],
    ['Progressing', { health: health('Progressing') }, { health: health('Healthy') }],
    ['an error', { conditions: [error()] }, { conditions: [] }],
    ['another spec', { wanted: 'other' }, { wanted: 'spec' }],
    ['healthy since another moment', { health: health('Healthy', 't2') }, {}],
  ])('%s', async (_, fall, rise) => {
    const world = new GateWorld({ wanted: 'spec', compared: 'spec' });
    world.later(5_000, fall);
    world.later(5_400, rise);
    const { result, ms } = await world.run();
    const { lastTransition } = world.view.health;
    expect(result).toMatchObject({ kind: 'open', evidence: { healthSince: lastTransition } });
    expect(ms).toBe(5_000 + 1_000 + 100 + 10_000);
    expect(world.stages.filter((stage) => stage === 'dwelling')).toHaveLength(2);
  });

  test('also where it came while the live objects were read', async () => {
    const world = new GateWorld();
    const { liveResources } = world.honest;
    let reads = 0;
    world.applications.liveResources = async (address) => {
      if (++reads === 1) world.change(OUT_OF_SYNC);
      const live = await liveResources(address);
      if (reads === 1) world.later(300, SYNCED);
      return live;
    };
    const { result, ms } = await world.run();
    expect(result.kind).toBe('open');
    expect(ms).toBeGreaterThan(UNDISTURBED_MS + 1_000);
    expect(world.waits).toContain('sync status is OutOfSync');
  });
});

test('what keeps falling is given up when its time is over, with the reason', async () => {
  const world = new GateWorld();
  for (let ms = 3_000; ms < 320_000; ms += 3_000) {
    world.later(ms, OUT_OF_SYNC);
    world.later(ms + 200, SYNCED);
  }
  const { result, ms } = await world.run();
  expect(result).toMatchObject({
    kind: 'failed',
    failure: {
      final: true,
      message: 'not Healthy within 5m (timeouts.health); sync status is OutOfSync',
    },
  });
  expect(ms).toBeGreaterThanOrEqual(300_000);
  // A look for each fall, not one for each answer.
  expect(world.asked.length).toBeLessThan(150);
});

test('one that is deleted during the dwell is not waited for', async () => {
  const world = new GateWorld();
  const tell = listened(world);
  let isGone = false;
  const { refresh, get } = world.honest;
  world.applications.refresh = async (address) => (isGone ? undefined : await refresh(address));
  world.applications.get = async (address) => (isGone ? undefined : await get(address));
  void world.clock.sleep(5_000).then(() => {
    isGone = true;
    tell({ name: 'a', namespace: world.view.namespace, application: undefined });
  });
  const { result, ms } = await world.run();
  expect(result).toMatchObject({
    failure: { message: 'the Application was deleted', final: true },
  });
  expect(ms).toBeLessThan(7_000);
});

describe('the dwell goes on', () => {
  test('while a refresh is pending: that is asked at its end', async () => {
    const world = new GateWorld();
    world.later(5_000, { refreshPending: true, conditions: [] });
    world.later(5_400, { refreshPending: false, operation: undefined });
    const { ms } = await world.run();
    expect(ms).toBe(UNDISTURBED_MS);
  });

  test('whatever happens to another Application, also to one of its name elsewhere', async () => {
    const world = new GateWorld();
    const tell = listened(world);
    void world.clock.sleep(5_000).then(() => {
      const resourceVersion = `${BigInt(world.view.resourceVersion) + 100n}`;
      const application = { ...world.view, ...OUT_OF_SYNC, resourceVersion };
      tell({ name: 'b', namespace: world.view.namespace, application });
      tell({ name: 'a', namespace: 'elsewhere', application });
      tell({ name: 'b', namespace: world.view.namespace, application: undefined });
    });
    const { ms } = await world.run();
    expect(ms).toBe(UNDISTURBED_MS);
  });

  test('where the watch tells of what was before the look', async () => {
    const world = new GateWorld();
    const old = { ...world.view, ...OUT_OF_SYNC };
    world.watch.last = () => old;
    const { ms } = await world.run();
    expect(ms).toBe(UNDISTURBED_MS);
  });

  test('where the watch has told nothing yet', async () => {
    const world = new GateWorld();
    world.watch.last = () => undefined;
    const { ms } = await world.run();
    expect(ms).toBe(UNDISTURBED_MS);
  });
});

test('nobody listens after it', async () => {
  const world = new GateWorld();
  const { subscribe } = world.argocd.watch;
  let listeners = 0;
  world.watch.subscribe = (listener) => {
    const unsubscribe = subscribe(listener);
    listeners++;
    return () => {
      listeners--;
      unsubscribe();
    };
  };
  const running = world.start();
  await world.clock.advance(5_000);
  expect(listeners).toBe(1);
  await world.clock.until(running);
  expect(listeners).toBe(0);
});

test('a stop ends it at once', async () => {
  const world = new GateWorld();
  const running = world.start();
  void world.clock.sleep(5_000).then(() => world.stop.abort());
  await expect(world.clock.until(running)).rejects.toThrow();
  expect(world.clock.monotonic()).toBe(5_000);
});

function error() {
  return { type: 'ComparisonError', message: 'no repository', since: undefined };
}

/** Tells whoever listens to the watch. */
function listened({ argocd, watch }: GateWorld): (hint: Hint) => void {
  let listener = (_: Hint): void => {};
  watch.subscribe = (given) => {
    listener = given;
    return argocd.watch.subscribe(given);
  };
  return (hint) => listener(hint);
}
