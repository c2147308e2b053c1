import { expect, test } from 'vitest';
import { failure } from '../../../test/fakes/failure.ts';
import { send, sendLong } from '../../../test/fakes/lease-world.ts';
import { World } from '../../../test/fakes/run-world.ts';
import { TiphysError } from '../../errors.ts';
import type { Maker } from '../../inventory/inventory.ts';
import type { ApplicationSetView } from '../../ports/target.ts';
import type { WriteResult } from '../../ports/write-result.ts';
import { Abandoned } from '../../session/abandoned.ts';
import { Writes } from '../../session/writes/writes.ts';
import { stopMakers } from './stop-makers.ts';

const set = (name: string, part: Partial<ApplicationSetView> = {}): ApplicationSetView => ({
  ...{
    name,
    namespace: 'argocd',
    uid: `uid-${name}`,
    deleting: false,
    rollingSync: false,
    upToDate: true,
  },
  trackedBy: undefined,
  ...part,
});
const maker = (name: string, kind: Maker['kind'] = 'ApplicationSet'): Maker => ({
  ...{ kind, name, namespace: 'argocd', uid: `uid-${name}`, makes: ['a'] },
});

/** A cluster with these ApplicationSets, of which one goes some seconds after it was deleted. */
class Sets {
  readonly world = new World({});
  readonly listed: (readonly string[])[] = [];
  readonly orphaned: string[] = [];
  /** What the next requests are answered with. They do nothing then. */
  readonly answers: WriteResult[] = [];
  takesMs = 3_000;
  there: ApplicationSetView[];

  constructor(...there: readonly ApplicationSetView[]) {
    this.there = [...there];
    this.world.part.applicationSets = {
      list: async (namespaces) => {
        this.listed.push(namespaces);
        return this.there;
      },
      orphan: async ({ name }) => {
        this.orphaned.push(name);
        const answer = this.answers.shift();
        if (!answer) void this.#go(name);
        return answer ?? { kind: 'done' };
      },
    };
  }

  async #go(gone: string): Promise<void> {
    this.there = this.there.map((one) => (one.name === gone ? { ...one, deleting: true } : one));
    await this.world.clock.sleep(this.takesMs);
    this.there = this.there.filter(({ name }) => name !== gone);
  }

  stop(...makers: readonly Maker[]): Promise<unknown> {
    const { target, clock, stop } = this.world;
    const lease = { awaitWritePermit: async () => {}, send, sendLong };
    const session = {
      ...{ target, clock },
      writes: (guards: ConstructorParameters<typeof Writes>[1]) =>
        new Writes({ target, clock, lease }, guards),
    };
    const guards = { held: async () => {}, signal: new AbortController().signal };
    return clock.until(failure(stopMakers(makers, session, guards, stop.signal)));
  }
}

const whyOf = (error: unknown) => {
  const [first] = error instanceof TiphysError ? error.diagnostics : [];
  return `${first?.code}: ${first?.message.split('stopped: ')[1]}`;
};

test('each ApplicationSet is deleted once and waited for, one after the other', async () => {
  const sets = new Sets(set('one'), set('two'), set('other'));
  expect(
    await sets.stop(maker('one'), maker('parent', 'Application'), maker('two')),
  ).toBeUndefined();
  expect([sets.orphaned, sets.there]).toEqual([['one', 'two'], [set('other')]]);
  expect(sets.world.clock.monotonic()).toBe(6_000);
  expect(new Set(sets.listed.flat())).toEqual(new Set(['argocd']));
});

test('a parent is not deleted, and one that is gone is not missed', async () => {
  const sets = new Sets(set('parent'), set('one', { namespace: 'team' }));
  expect(await sets.stop(maker('parent', 'Application'), maker('one'))).toBeUndefined();
  expect(sets.orphaned).toEqual([]);
});

test('another one of the same name than was approved is not deleted', async () => {
  const sets = new Sets(set('one', { uid: 'other' }));
  expect(whyOf(await sets.stop(maker('one')))).toBe(
    'maker-not-stopped: it was recreated after the approval.',
  );
  expect(sets.orphaned).toEqual([]);
});

test.each<[string, WriteResult, string | undefined, number]>([
  [
    'refused',
    { kind: 'refused', reason: 'forbidden', message: 'not you' },
    'maker-not-stopped: not you.',
    1,
  ],
  ['gone meanwhile', { kind: 'refused', reason: 'not-found', message: 'none' }, undefined, 2],
  ['without an answer', { kind: 'unknown', message: 'lost' }, undefined, 2],
])('a deletion that is %s', async (_, answer, why, times) => {
  const sets = new Sets(set('one'));
  sets.answers.push(answer);
  const error = await sets.stop(maker('one'));
  expect(error && whyOf(error)).toBe(why);
  expect(sets.orphaned).toHaveLength(times);
});

test('one that does not go is waited for for a minute', async () => {
  const sets = new Sets(set('one'));
  sets.takesMs = 60_000;
  expect(await sets.stop(maker('one'))).toBeUndefined();
  const endless = new Sets(set('one', { deleting: true }));
  expect(whyOf(await endless.stop(maker('one')))).toBe(
    'maker-not-stopped: it is not deleted in time.',
  );
  expect(endless.orphaned).toEqual([]);
  expect(endless.world.clock.monotonic()).toBe(61_000);
});

test('told to stop, it deletes nothing more', async () => {
  const sets = new Sets(set('one'), set('two'));
  void sets.world.clock.sleep(1_500).then(() => sets.world.stop.abort());
  expect(await sets.stop(maker('one'), maker('two'))).toBeInstanceOf(Abandoned);
  expect(sets.orphaned).toEqual(['one']);
});
