// A run comes to its end whatever one application does, and does not ask without pause.
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  app,
  causeOf,
  oneStack,
  outcomes,
  planFrom,
  planOf,
  stackOf,
  World,
} from '../../../test/fakes/run-world.ts';
import { TiphysError } from '../../errors.ts';
import type { ApplicationView } from '../../ports/application-view.ts';

const forbidden = () => new TiphysError([{ code: 'argocd-forbidden', message: 'no', hint: '' }]);

/** Far more than a program that waits would ask, and soon reached by one that does not. */
const TOO_OFTEN = 10_000;

const unhandled: unknown[] = [];
const note = (error: unknown) => unhandled.push(error);
let before: NodeJS.UnhandledRejectionListener[] = [];

/** A promise that nobody waits for would end the process. */
beforeEach(() => {
  unhandled.length = 0;
  before = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', note);
});

afterEach(() => {
  process.off('unhandledRejection', note);
  for (const listener of before) process.on('unhandledRejection', listener);
});

test('an error at one application is the failure of that node only', async () => {
  const world = new World({ bad: {}, good: {}, behind: {} });
  world.applications.get = async (address) => {
    if (address.name === 'bad') throw forbidden();
    return await world.honest.get(address);
  };
  const report = await world.run(planOf('bad:', 'good:', 'behind: good'));
  expect(outcomes(report)).toEqual({ bad: 'failed', good: 'healthy', behind: 'healthy' });
  expect(unhandled).toEqual([]);
});

test('an error while a fallen gate is judged again fails it and skips what is behind it', async () => {
  const world = new World({ base: {}, slow: { sync: 60 }, top: {} });
  let broken = false;
  world.applications.get = async (address) => {
    if (broken && address.name === 'base') throw forbidden();
    return await world.honest.get(address);
  };
  const running = world.start(planOf('base:', 'slow:', 'top: base slow'));
  await world.clock.advance(40_000);
  broken = true;
  world.argocd.turn('base', 'Degraded');
  const report = await world.clock.until(running);
  expect(outcomes(report)).toEqual({ base: 'failed', slow: 'healthy', top: 'skipped' });
  expect(unhandled).toEqual([]);
});

test('an Application that is deleted during its operation fails its node, without a busy loop', async () => {
  const world = new World({ a: { sync: 60 } });
  let [gone, asked] = [false, 0];
  world.applications.get = async (address) => (gone ? undefined : await world.honest.get(address));
  world.last = (honest) => (address) => {
    if (gone && ++asked > TOO_OFTEN) throw forbidden();
    return gone ? undefined : honest(address);
  };
  const running = world.start(planOf('a:'));
  await world.clock.advance(5_000);
  gone = true;
  world.argocd.change('a', {});
  const report = await world.clock.until(running);
  expect(causeOf(report, 'app:a')?.message).toBe('the Application was deleted');
  expect(asked).toBeLessThan(100);
});

test('a watch that has not seen a new Application yet is no busy loop', async () => {
  const world = new World({ a: { sync: 20 } });
  let [behind, asked] = [true, 0];
  world.last = (honest) => (address) => {
    if (behind && ++asked > TOO_OFTEN) throw forbidden();
    return behind ? undefined : honest(address);
  };
  const running = world.start(planOf('a:'));
  void world.clock.sleep(3_000).then(() => {
    behind = false;
  });
  expect(outcomes(await world.clock.until(running))).toEqual({ a: 'healthy' });
  expect(asked).toBeLessThan(100);
});

test('an Application that the watch shows and Argo CD does not is asked for in measure', async () => {
  const world = new World({ parent: { sync: 1 }, a: {} });
  let asked = 0;
  world.hide('a', () => false);
  world.last = (honest) => honest;
  const hidden = world.applications.get;
  world.applications.get = async (address) => {
    if (address.name === 'a' && ++asked > TOO_OFTEN) throw forbidden();
    return await hidden?.(address);
  };
  const running = world.start(stackOf('parent', [app('a')]));
  await world.clock.advance(10_000);
  world.leaveNow();
  await world.clock.until(running);
  expect(asked).toBeLessThan(50);
});

test('a member that waits to appear takes no slot from the one that it waits for', async () => {
  const world = new World({ parent: { sync: 1 }, first: {}, late: { sync: 1 } });
  world.hide('late', () => world.argocd.view('first').health.status === 'Healthy');
  const late = app('late', [], { expectedDuration: '1h' });
  const report = await world.run(stackOf('parent', [app('first'), late]), { concurrency: 1 });
  expect(report.exitStatus).toBe(0);
});

test('a member that a later wave brings is waited for while its parent is being synced', async () => {
  const world = new World({ parent: { sync: 400 }, late: {} });
  world.hide('late', () => world.clock.monotonic() > 330_000);
  void world.clock.sleep(331_000).then(() => world.argocd.change('late', {}));
  const late = app('late', [], { timeouts: { sync: '5m', health: '5m' } });
  const report = await world.run(
    stackOf('parent', [late], { timeouts: { sync: '20m', health: '20m' } }),
  );
  expect(report.exitStatus).toBe(0);
});

test('a termination that is refused is asked for again', async () => {
  const world = new World({ a: { sync: 1000 } });
  let asked = 0;
  world.applications.terminate = async (address) => {
    const message = 'No operation is in progress';
    if (++asked === 1) return { kind: 'refused', reason: 'nothing-in-progress', message };
    return await world.honest.terminate(address);
  };
  await world.run(oneStack(app('a')));
  expect(asked).toBe(2);
  expect(world.argocd.view('a').operation).toBeUndefined();
});

test('what a window of others kept from its sync says so', async () => {
  const world = new World({ a: {} });
  const window = { kind: 'allow', schedule: '0 3 * * *', duration: '1h' } as const;
  world.applications.syncWindows = async () => [{ ...window, manualSync: false, active: false }];
  const stacks = [{ name: 's', applications: [app('a')] }];
  const report = await world.run(planFrom({ timeouts: { run: '20m' }, stacks }));
  expect(report).toMatchObject({ exitStatus: 4, reason: 'the run timed out' });
  const message = expect.stringContaining('a sync window forbids it');
  const unmet = { condition: 'blocked', message };
  expect(world.events).toContainEqual(expect.objectContaining({ type: 'node.waiting', unmet }));
});

test('a server that lags behind the watch is not asked as fast as it answers', async () => {
  const world = new World({ a: { sync: 5 } });
  let reads = 0;
  let old: ApplicationView | undefined;
  world.applications.get = async (address) => {
    reads++;
    await world.clock.sleep(10);
    const now = await world.honest.get(address);
    if (now?.operation) old ??= now;
    return world.clock.monotonic() < 40_000 ? (old ?? now) : now;
  };
  const report = await world.run(oneStack(app('a')));
  expect(report.exitStatus).toBe(0);
  expect(reads).toBeLessThan(60);
});

test('an operation that may not be terminated is asked for once', async () => {
  const world = new World({ a: { sync: 7_000 } });
  let asked = 0;
  world.applications.terminate = async () => {
    asked++;
    return { kind: 'refused', reason: 'forbidden', message: 'permission denied' };
  };
  const report = await world.run(oneStack(app('a')));
  expect(outcomes(report)).toEqual({ a: 'failed' });
  expect(asked).toBe(1);
});
