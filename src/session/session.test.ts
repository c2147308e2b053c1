// What a process of a run keeps in the cluster beside the Applications: the record of the run, and texts for the other processes.
import { beforeEach, describe, expect, test } from 'vitest';
import type { FakeStore } from '../../test/fakes/cluster.ts';
import { codeOf, failure } from '../../test/fakes/failure.ts';
import { planOf, World } from '../../test/fakes/run-world.ts';
import type { VirtualClock } from '../../test/fakes/virtual-clock.ts';
import type { StoredText } from '../ports/record-store.ts';
import type { RunEvent } from '../run/events.ts';
import { leaseName } from './lease/lease-data.ts';
import { acquireSession, joinSession } from './open-session.ts';
import { readRun } from './record/history.ts';
import type { Session } from './session.ts';

const PLAN = planOf('a:');
const TEXT: StoredText = {
  name: 'text',
  labels: new Map(),
  annotations: new Map(),
  data: new Map(),
};

let world: World;
let clock: VirtualClock;
let store: FakeStore;
let heard: RunEvent[];

beforeEach(() => {
  world = new World({ a: {} });
  ({ clock } = world);
  ({ store } = world.argocd);
  heard = [];
});

const request = () => ({
  plan: PLAN,
  basis: PLAN.hash,
  target: world.target,
  clock,
  listen: (event: RunEvent) => void heard.push(event),
  holder: 'workflow 1',
});

async function acquired(): Promise<Session> {
  const own = { runId: 'r1', isShared: true, signal: new AbortController().signal };
  return (await clock.until(acquireSession({ ...request(), ...own }))).session;
}

async function joined(part: string | undefined): Promise<Session> {
  const session = await clock.until(joinSession({ ...request(), part }));
  if (!session) throw new Error('not joined');
  return session;
}

const takeOver = () => {
  const lease = world.argocd.leases.peek(leaseName('shop'));
  if (lease) world.argocd.leases.put({ ...lease, holder: 'another' });
};

const names = () => [...store.texts.keys()];
const messages = async () => {
  const { own, loose } = (await readRun(store.api, 'shop', 'r1')) ?? {};
  const texts = (events: readonly RunEvent[] = []) =>
    events.map((event) => (event.type === 'run.warning' ? event.message : event.type));
  return { own: texts(own), loose: texts(loose) };
};

describe('the record', () => {
  test('is written by each process to its own part', async () => {
    const begin = await acquired();
    begin.begin(PLAN, 'embedded');
    expect(await clock.until(begin.close())).toBe(true);
    const node = await joined('a');
    node.warn('node');
    expect(await clock.until(node.close())).toBe(true);
    expect(names()).toEqual(['tiphys-run-shop-r1', 'tiphys-run-shop-r1-a']);
    expect(await messages()).toEqual({ own: ['run.started'], loose: ['node'] });
  });

  test('of a process that has nothing to tell is whole, and is not written', async () => {
    const session = await acquired();
    session.record([]);
    expect([await clock.until(session.close()), store.putAt]).toEqual([true, []]);
  });

  test('that cannot be written is told once, and is not whole', async () => {
    const session = await acquired();
    for (let times = 0; times < 20; times++)
      store.refusals.push({ kind: 'unknown', message: 'etcd is full' });
    session.begin(PLAN, 'embedded');
    expect(await clock.until(session.close())).toBe(false);
    expect(heard).toMatchObject([
      { type: 'run.started' },
      { message: 'the record of this run is not complete: etcd is full' },
    ]);
  });

  test('is not written by a process that is no longer the owner', async () => {
    const session = await acquired();
    takeOver();
    await clock.advance(6_000);
    session.begin(PLAN, 'embedded');
    expect([await clock.until(session.close()), names()]).toEqual([false, []]);
  });
});

test('what is wrong before the run begins is told once it has', async () => {
  const session = await acquired();
  session.warn('early');
  expect(heard).toEqual([]);
  session.begin(PLAN, 'embedded');
  session.warn('later');
  const told = heard.map((event) => (event.type === 'run.warning' ? event.message : event.type));
  expect(told).toEqual(['run.started', 'early', 'later']);
});

describe('what processes before wrote', () => {
  const left = async (...parts: string[]) => {
    await (await acquired()).detach();
    for (const part of parts) {
      const node = await joined(part);
      node.warn(`of ${part}`);
      await clock.until(node.close());
      await node.detach();
      await clock.advance(1_000);
    }
  };

  test('is taken up into the own record, and removed beside it', async () => {
    await left('b', 'a');
    expect(await messages()).toEqual({ own: [], loose: ['of b', 'of a'] });
    const session = await joined(undefined);
    await clock.until(session.takeUpRecord());
    expect(await messages()).toEqual({ own: ['of b', 'of a'], loose: [] });
    expect(names()).toEqual(['tiphys-run-shop-r1']);
  });

  test('is no reason to write where there is nothing of it', async () => {
    await left();
    const session = await joined(undefined);
    await clock.until(session.takeUpRecord());
    expect(store.putAt).toEqual([]);
    session.warn('own');
    await clock.until(session.close());
    const { length } = store.putAt;
    await clock.until((await joined(undefined)).takeUpRecord());
    expect([store.putAt.length, names()]).toEqual([length, ['tiphys-run-shop-r1']]);
  });

  test('is not removed where it could not be taken up', async () => {
    await left('a');
    const session = await joined(undefined);
    for (let times = 0; times < 20; times++)
      store.refusals.push({ kind: 'unknown', message: 'etcd is full' });
    await clock.until(session.takeUpRecord());
    expect(await messages()).toEqual({ own: [], loose: ['of a'] });
  });

  test('is not removed by a process that is no longer the owner', async () => {
    await left('a');
    const session = await joined(undefined);
    takeOver();
    await clock.advance(6_000);
    expect(codeOf(await clock.until(failure(session.takeUpRecord())))).toBe('lease-lost');
    expect(names()).toEqual(['tiphys-run-shop-r1-a']);
  });

  test('counts for the state of the run, and is told to nobody again', async () => {
    const session = await acquired();
    session.begin(PLAN, 'embedded');
    session.warn('one');
    const other = await joined('a');
    other.recall(heard);
    expect([other.state.warnings, heard.length]).toEqual([['one'], 2]);
  });
});

describe('a text for the other processes', () => {
  test('is kept, and forgotten', async () => {
    const session = await acquired();
    expect(await clock.until(session.keepText(TEXT))).toEqual({ kind: 'done' });
    expect(names()).toEqual(['text']);
    await clock.until(session.forgetText('text'));
    expect(names()).toEqual([]);
  });

  test('waits for the Lease where that is not renewed now', async () => {
    const session = await acquired();
    world.argocd.leases.down = new Error('restarting');
    await clock.advance(20_000);
    const kept = session.keepText(TEXT);
    await clock.advance(5_000);
    expect(names()).toEqual([]);
    world.argocd.leases.down = undefined;
    await clock.until(kept);
    expect(names()).toEqual(['text']);
  });

  test('is neither kept nor forgotten by one that is no longer the owner', async () => {
    const session = await acquired();
    await clock.until(session.keepText(TEXT));
    takeOver();
    await clock.advance(6_000);
    await clock.until(session.forgetText('text'));
    const other = { ...TEXT, name: 'other' };
    expect(codeOf(await clock.until(failure(session.keepText(other))))).toBe('lease-lost');
    expect(names()).toEqual(['text']);
  });
});

test('the watch of a process ends with it', async () => {
  const session = await acquired();
  let given: AbortSignal | undefined;
  world.watches.applications = async (_, signal) => {
    given = signal;
    return world.argocd.watch;
  };
  const watching = await joined('a');
  await watching.watch(['argocd']);
  expect(given?.aborted).toBe(false);
  await clock.until(watching.close());
  expect([given?.aborted, session.mayWrite()]).toEqual([true, true]);
});
