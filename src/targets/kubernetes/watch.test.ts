import { beforeEach, describe, expect, test } from 'vitest';
import { FakeTransport, failure, json, type Reply } from '../../../test/fakes/transport.ts';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { Hint, Watch } from '../../ports/application-watch.ts';
import { kubernetesApi } from './api.ts';
import { paths } from './paths.ts';
import { watchApplications, watchFor } from './watch.ts';

const app = (name: string, resourceVersion: string, uid = 'u') => ({
  metadata: { name, namespace: 'argocd', uid, resourceVersion },
  spec: {},
});
const listOf = (resourceVersion: string, ...items: unknown[]) =>
  json({ metadata: { resourceVersion }, items });
const modified = (object: unknown) => ({ type: 'MODIFIED', object });
const SHOP = { name: 'shop', namespace: 'argocd', project: 'default' };

let clock: VirtualClock;
let transport: FakeTransport;
let lists: Reply[];
let watch: Omit<Watch, 'follow'>;
let hints: Hint[];
const stop = () => stopping.abort();
let stopping: AbortController;

beforeEach(async () => {
  clock = new VirtualClock();
  lists = [listOf('10', app('shop', '5'))];
  transport = new FakeTransport(() => lists.shift() ?? failure());
  stopping = new AbortController();
  const world = { clock, random: () => 0.5 };
  const api = kubernetesApi(transport, world);
  watch = await watchApplications(api, ['argocd', 'argocd'], stopping.signal);
  hints = [];
  watch.subscribe((hint) => hints.push(hint));
  await clock.advance(0);
  return stop;
});

const stream = (at: number) => {
  const found = transport.streams[at];
  if (!found) throw new Error(`no stream ${at}`);
  return found;
};
const seen = () => hints.map(({ name, application }) => [name, application?.resourceVersion]);

test('begins with a list, and follows from its version', () => {
  expect(watch.last(SHOP)?.resourceVersion).toBe('5');
  expect(transport.requests.map(({ path }) => path)).toEqual([
    '/apis/argoproj.io/v1alpha1/namespaces/argocd/applications?limit=500',
    expect.stringMatching(/applications\?watch=1&allowWatchBookmarks=true&resourceVersion=10&/),
  ]);
});

test('tells of changes, new ones and deletions', async () => {
  stream(0).say(
    modified(app('shop', '11')),
    { type: 'ADDED', object: app('other', '12') },
    { type: 'DELETED', object: app('shop', '13') },
  );
  await clock.advance(0);
  expect(seen()).toEqual([
    ['shop', '11'],
    ['other', '12'],
    ['shop', undefined],
  ]);
  expect(watch.last(SHOP)).toBeUndefined();
});

test('ignores what it knows already, and what is older', async () => {
  stream(0).say(
    modified(app('shop', '11')),
    modified(app('shop', '11')),
    modified(app('shop', '9')),
    { type: 'DELETED', object: app('shop', '8', 'former') },
    { type: 'DELETED', object: app('shop', '100') },
    modified(app('shop', '99')),
    modified(app('shop', '101', 'anew')),
  );
  await clock.advance(0);
  expect(seen()).toEqual([
    ['shop', '11'],
    ['shop', undefined],
    ['shop', '101'],
  ]);
});

test('a stream that ends is opened again at once, from the last version, bookmarks included', async () => {
  stream(0).say(modified(app('shop', '11')), {
    type: 'BOOKMARK',
    object: { metadata: { resourceVersion: '20' } },
  });
  stream(0).end();
  await clock.advance(0);
  expect(stream(1).path).toContain('resourceVersion=20');
  expect(seen()).toEqual([['shop', '11']]);
});

test('a stream that breaks is opened again after pauses that grow from 0.8 to 30 s', async () => {
  const opened: number[] = [];
  for (let at = 0; at < 9; at++) {
    opened.push(clock.monotonic());
    stream(at).end(failure());
    await clock.until(
      (async () => {
        while (transport.streams.length === at + 1) await clock.sleep(100);
      })(),
    );
  }
  const pauses = opened.slice(1).map((time, at) => (time - (opened[at] ?? 0)) / 1000);
  for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(0.8);
  for (const pause of pauses) expect(pause).toBeLessThan(31);
  expect(pauses.at(-1)).toBeGreaterThan(10);
  stream(9)
    .say(modified(app('shop', '12')))
    .end(failure());
  await clock.advance(1300);
  expect(transport.streams.length).toBe(11);
});

describe('when the version is too old', () => {
  const gone = { type: 'ERROR', object: { kind: 'Status', code: 410 } };

  test('it lists again and tells what changed meanwhile', async () => {
    stream(0).say(
      { type: 'ADDED', object: app('kept', '11') },
      { type: 'ADDED', object: app('lost', '12') },
    );
    await clock.advance(0);
    hints.length = 0;
    lists = [listOf('50', app('shop', '40', 'anew'), app('kept', '11'), app('new', '45'))];
    stream(0).say(gone);
    await clock.advance(0);
    expect(seen()).toEqual([
      ['shop', '40'],
      ['new', '45'],
      ['lost', undefined],
    ]);
    expect(stream(1).path).toContain('resourceVersion=50');
  });

  test('as a status it means the same, and a list that fails is tried until it works', async () => {
    stream(0).begin(410);
    await clock.advance(90_000);
    expect(transport.streams).toHaveLength(1);
    lists = [listOf('60', app('shop', '55'))];
    await clock.advance(60_000);
    expect(stream(1).path).toContain('resourceVersion=60');
    expect(watch.last(SHOP)?.resourceVersion).toBe('55');
  });
});

describe('when the cluster does not know Applications', () => {
  const unknown = json({ kind: 'Status', code: 404, message: 'the server could not find it' }, 404);

  test('it says that Argo CD is not installed', async () => {
    lists = [unknown];
    const world = { clock, random: () => 0.5 };
    const begun = watchApplications(kubernetesApi(transport, world), ['x'], stopping.signal);
    await expect(begun).rejects.toThrow('Argo CD is not installed');
  });

  test('for a while, nothing counts as deleted, and it goes on when they are known again', async () => {
    stream(0).begin(410);
    lists = [unknown, listOf('60', app('shop', '55'))];
    await clock.advance(500);
    expect([seen(), watch.last(SHOP)?.resourceVersion]).toEqual([[], '5']);
    expect(transport.streams).toHaveLength(1);
    await clock.advance(10_000);
    expect(stream(1).path).toContain('resourceVersion=60');
    expect(seen()).toEqual([['shop', '55']]);
  });
});

test('a stream that says nothing for 90 s is opened again', async () => {
  stream(0).begin();
  await clock.advance(60_000);
  stream(0).say({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '30' } } });
  await clock.advance(89_000);
  expect(transport.streams).toHaveLength(1);
  await clock.advance(3_000);
  expect(stream(1).path).toContain('resourceVersion=30');
});

test('a line that is no event breaks the stream, not the watch', async () => {
  stream(0).say('nonsense');
  await clock.advance(2_000);
  stream(1).say(modified(app('shop', '11')));
  await clock.advance(0);
  expect(seen()).toEqual([['shop', '11']]);
});

test('one that is malformed keeps its last good view and wakes who waits for it', async () => {
  const woken = watch.nextChange(SHOP, stopping.signal);
  stream(0).say(modified({ ...app('shop', '11'), spec: 'wrong' }));
  await woken;
  expect(watch.last(SHOP)?.resourceVersion).toBe('5');
});

test('who waits is woken by its own Application, or by its signal', async () => {
  const enough = new AbortController();
  let woken = 0;
  const count = () => woken++;
  void watch.nextChange(SHOP, enough.signal).then(count);
  void watch.nextChange({ ...SHOP, name: 'other' }, enough.signal).then(count);
  stream(0).say(modified(app('third', '11')));
  await clock.advance(0);
  expect(woken).toBe(0);
  stream(0).say(modified(app('shop', '12')));
  await clock.advance(0);
  expect(woken).toBe(1);
  enough.abort();
  await clock.advance(0);
  expect(woken).toBe(2);
});

test('ends with its signal', async () => {
  stop();
  await clock.advance(600_000);
  expect(transport.streams).toHaveLength(1);
  expect(clock.sleepers).toBe(0);
});

describe('AppProjects', () => {
  const world = () => ({ clock, random: () => 0.5 });
  let changes: number;
  const begin = () => {
    changes = 0;
    const api = kubernetesApi(transport, world());
    return watchFor(api, paths.appProjects('argocd'), () => changes++, stopping.signal);
  };

  test('tells that something changed, and not what', async () => {
    lists = [listOf('20', app('platform', '15'))];
    expect(await begin()).toBe(true);
    const listed = changes;
    await clock.advance(0);
    stream(1).say(modified(app('platform', '21')));
    await clock.advance(0);
    expect(changes - listed).toBe(1);
  });

  test('says where it may not look', async () => {
    lists = [json({ kind: 'Status', code: 403, message: 'no' }, 403)];
    expect(await begin()).toBe(false);
  });
});
