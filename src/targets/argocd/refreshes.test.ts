import { describe, expect, test } from 'vitest';
import { application } from '../../../test/fakes/application.ts';
import type { ApplicationAddress } from '../../model/platform.ts';
import type { ApplicationView } from '../../ports/application-view.ts';
import { Refreshes } from './refreshes.ts';

const address = (name: string) => ({ name, namespace: 'argocd', project: 'platform' });
const [A, B, C] = [address('a'), address('b'), address('c')];

/** An Argo CD that answers at once, but for those that it has overlooked; `asked`: what it was asked, in order. */
class Controller {
  readonly overlooked = new Set<string>();
  readonly asked: string[] = [];
  readonly refreshes: Refreshes;
  answer: (address: ApplicationAddress) => ApplicationView | undefined = () => application({});

  constructor() {
    this.refreshes = new Refreshes(async (of, kind) => {
      this.asked.push(`${of.name} ${kind}`);
      await Promise.resolve();
      return this.overlooked.has(of.name) ? 'late' : this.answer(of);
    });
  }

  async ask(...addresses: readonly ApplicationAddress[]) {
    const answers: (ApplicationView | undefined)[] = [];
    for (const one of addresses) answers.push(await this.refreshes.refresh(one));
    return answers.map((answer) => (answer ? 'done' : 'late'));
  }
}

describe('a refresh that is overlooked', () => {
  test('is hard with the third request, and once only, where a later one of another Application was answered', async () => {
    const world = new Controller();
    world.overlooked.add('a');
    expect(await world.ask(A, B, A, A, A, A)).toEqual([
      'late',
      'done',
      'late',
      'late',
      'late',
      'late',
    ]);
    expect(world.asked).toEqual([
      'a normal',
      'b normal',
      'a normal',
      'a hard',
      'a normal',
      'a normal',
    ]);
  });

  test('that was answered after all can be overlooked again', async () => {
    const world = new Controller();
    world.overlooked.add('a');
    await world.ask(A, B, A, A);
    world.overlooked.delete('a');
    expect(await world.ask(A)).toEqual(['done']);
    world.overlooked.add('a');
    world.asked.length = 0;
    await world.ask(A, B, A, A);
    expect(world.asked).toEqual(['a normal', 'b normal', 'a normal', 'a hard']);
  });

  test('is found by asking for the Application that was answered last, where nothing else is asked for', async () => {
    const world = new Controller();
    await world.ask(C, B);
    world.overlooked.add('a');
    await world.ask(A, A, A);
    expect(world.asked).toEqual([
      'c normal',
      'b normal',
      'a normal',
      'b normal',
      'a normal',
      'a hard',
    ]);
  });

  test('counts requests that follow one another, not those at the same time', async () => {
    const world = new Controller();
    world.overlooked.add('a');
    await Promise.all([world.ask(A), world.ask(A), world.ask(A)]);
    await world.ask(B, A, A);
    expect(world.asked.slice(3)).toEqual(['b normal', 'a normal', 'a hard']);
  });
});

describe('a refresh stays normal', () => {
  test('where Argo CD is slow: the others are late, too', async () => {
    const world = new Controller();
    await world.ask(B);
    for (const name of ['a', 'b']) world.overlooked.add(name);
    await world.ask(A, A, A, A, B, A);
    expect(new Set(world.asked)).toEqual(new Set(['a normal', 'b normal']));
  });

  test('where what was answered had been asked for before', async () => {
    const world = new Controller();
    let resolve: (view: ApplicationView) => void = () => {};
    const promise = new Promise<ApplicationView>((settle) => {
      resolve = settle;
    });
    const early = new Refreshes(async ({ name }, kind) => {
      world.asked.push(`${name} ${kind}`);
      return name === 'b' ? await promise : 'late';
    });
    const first = early.refresh(B);
    for (let times = 0; times < 3; times++) await early.refresh(A);
    resolve(application({}));
    await first;
    await early.refresh(A);
    expect(world.asked).not.toContain('a hard');
  });

  test('where the only other Application is gone, or cannot be read', async () => {
    const world = new Controller();
    await world.ask(B);
    world.overlooked.add('a');
    world.answer = () => undefined;
    await world.ask(A, A, A);
    world.answer = () => {
      throw new Error('unreachable');
    };
    await world.ask(A, A);
    expect(world.asked).not.toContain('a hard');
  });

  test('for one Application alone', async () => {
    const world = new Controller();
    await world.ask(A);
    world.overlooked.add('a');
    await world.ask(A, A, A, A);
    expect(new Set(world.asked)).toEqual(new Set(['a normal']));
  });
});

test('what goes wrong is told, and says nothing of the refresh', async () => {
  const world = new Controller();
  world.overlooked.add('a');
  await world.ask(A, B, A);
  const { answer } = world;
  world.overlooked.delete('a');
  world.answer = () => {
    throw new Error('unreachable');
  };
  await expect(world.refreshes.refresh(A)).rejects.toThrow('unreachable');
  world.answer = answer;
  world.overlooked.add('a');
  await world.ask(A);
  expect(world.asked.slice(3)).toEqual(['a hard', 'a hard']);
});
