import { beforeEach, describe, expect, test } from 'vitest';
import type { FakeProjects } from '../../../test/fakes/cluster.ts';
import { codeOf, failure } from '../../../test/fakes/failure.ts';
import { app, apps, HoldWorld } from '../../../test/fakes/hold-world.ts';
import type { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { annotationOf, HOLD_ANNOTATION, holdWindow } from '../../run/hold.ts';

let world: HoldWorld;
let clock: VirtualClock;
let projects: FakeProjects;

beforeEach(() => {
  world = new HoldWorld();
  ({ clock, projects } = world);
});

describe('what earlier runs left', () => {
  test('of the same platform: taken over, kept until released, with our name on it', async () => {
    world.leftOver('shop/r0', 'b', 'z');
    const writer = world.writerOf();
    expect(await writer.survey(apps('a', 'b'))).toEqual(new Map([['p', ['b', 'z']]]));
    expect(projects.writes).toBe(0);
    expect(writer.current().get('p')).toEqual(['b', 'z']);
    writer.hold(apps('a', 'b'));
    await clock.until(writer.flush());
    expect(world.held()).toEqual(['a', 'b', 'z']);
    expect(projects.peek('p')?.annotations.get(HOLD_ANNOTATION)).toBe('shop/r1');
  });

  test('the same names: the annotation is ours all the same', async () => {
    world.leftOver('shop/r0', 'a');
    const writer = world.writerOf();
    await writer.survey(apps('a'));
    writer.hold(apps('a'));
    await clock.until(writer.flush());
    expect(projects.peek('p')?.annotations.get(HOLD_ANNOTATION)).toBe('shop/r1');
  });

  test('nothing is written while nothing is wanted', async () => {
    world.leftOver('shop/r0', 'a');
    const writer = world.writerOf();
    await writer.survey(apps('a'));
    await clock.advance(60_000);
    await writer.check();
    await writer.flush();
    expect([projects.writes, clock.sleepers]).toEqual([0, 0]);
  });

  test('released without being held by this run', async () => {
    world.leftOver('shop/r0', 'a', 'b');
    const writer = world.writerOf();
    await writer.survey(apps('a', 'b'));
    writer.release(app('a'));
    await clock.until(writer.flush());
    expect(world.held()).toEqual(['b']);
    writer.release(app('b'));
    await clock.until(writer.flush());
    expect(projects.peek('p')?.annotations.size).toBe(0);
  });

  test.each([
    ['other names', 'x'],
    ['a name that we have too', 'a'],
  ])('of another platform, with %s: it stays beside ours, and after it', async (_, name) => {
    world.leftOver('office/r9', name);
    const writer = world.writerOf();
    expect(await writer.survey(apps('a', 'b'))).toEqual(new Map([['p', []]]));
    writer.hold(apps('a', 'b'));
    await clock.until(writer.flush());
    expect([world.held(), world.held('p', 'office')]).toEqual([['a', 'b'], [name]]);
    for (const one of apps('a', 'b')) writer.release(one);
    await clock.until(writer.flush());
    expect([world.held(), world.held('p', 'office')]).toEqual([undefined, [name]]);
  });

  test('without an annotation, with names that are not ours: refused, with the annotation', async () => {
    world.leftOver(undefined, 'x');
    const error = await failure(world.writerOf().survey(apps('a')));
    expect(codeOf(error)).toBe('project-held');
    expect(String(error)).toMatch(/has a hold without an owner on x/);
    expect(error).toMatchObject({
      exitStatus: 1,
      diagnostics: [{ hint: expect.stringContaining('tiphys.dev/hold back') }],
    });
  });

  test('an annotation of another platform without a window holds nothing', async () => {
    world.edit({ annotations: new Map([[HOLD_ANNOTATION, 'office/r9']]) });
    expect(await world.writerOf().survey(apps('a'))).toEqual(new Map([['p', []]]));
  });

  test('without an annotation: taken over if all names are ours, else refused', async () => {
    world.leftOver(undefined, 'a');
    expect(await world.writerOf().survey(apps('a', 'b'))).toEqual(new Map([['p', ['a']]]));
    world.leftOver(undefined, 'a', 'x');
    expect(codeOf(await failure(world.writerOf().survey(apps('a', 'b'))))).toBe('project-held');
  });

  test('without an annotation, about our names alone: completed, with our name on it', async () => {
    world.leftOver(undefined, 'a');
    const writer = world.writerOf();
    await writer.survey(apps('a', 'b'));
    writer.hold(apps('a', 'b'));
    await clock.until(writer.flush());
    expect([world.held(), world.losses]).toEqual([['a', 'b'], []]);
    expect(projects.peek('p')?.annotations.get(HOLD_ANNOTATION)).toBe('shop/r1');
  });

  test('no such project', async () => {
    const error = await failure(world.writerOf().survey([app('a', 'nowhere')]));
    expect(codeOf(error)).toBe('project-missing');
    expect(error).toMatchObject({ exitStatus: 3 });
  });

  test('a project whose windows are in Git, unless they are left alone', async () => {
    const applied = JSON.stringify({ spec: { syncWindows: [] } });
    const annotations = new Map([['kubectl.kubernetes.io/last-applied-configuration', applied]]);
    world.edit({ trackedBy: 'root', annotations });
    const error = await failure(world.writerOf().survey(apps('a')));
    expect(codeOf(error)).toBe('project-managed-windows');
    const asked: string[] = [];
    const leavesWindows = async (application: string) => asked.push(application) > 0;
    await world.writerOf({ leavesWindows }).survey(apps('a'));
    expect(asked).toEqual(['root']);
  });
});

test('two windows of the platform are taken over and released together', async () => {
  world.edit({
    windows: [holdWindow(['a']), holdWindow(['a', 'b'], 1)],
    annotations: new Map([
      [annotationOf(0), 'shop/r0'],
      [annotationOf(1), 'shop/r00'],
    ]),
  });
  const writer = world.writerOf();
  expect(await writer.survey(apps('a', 'b'))).toEqual(new Map([['p', ['a', 'b']]]));
  writer.hold(apps('a', 'b'));
  await clock.until(writer.flush());
  expect(projects.peek('p')?.windows).toHaveLength(1);
  for (const one of apps('a', 'b')) writer.release(one);
  await clock.until(writer.flush());
  expect(projects.peek('p')).toMatchObject({ windows: [], annotations: new Map() });
  expect(world.losses).toEqual([]);
});
