// An unchanged node whose gate has a probe: nothing is synced for it, unless Git moves on meanwhile.
import { describe, expect, test } from 'vitest';
import { evidence, operationState } from '../../test/fakes/application.ts';
import { NodeWorld, nodeOf, request } from '../../test/fakes/node-world.ts';
import { BAD } from '../../test/fakes/probes.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import { GateProbe } from './gate-probe.ts';
import { passGate } from './pass-gate.ts';
import { runApplication } from './run-node.ts';
import { timeUntil } from './sync-time.ts';

const withProbe = (kind: 'application' | 'close' = 'application') => {
  const node = nodeOf(kind);
  return { ...node, gate: { ...node.gate, probe: { tcp: 'a:1', timeout: 10 } } };
};

class UnchangedWorld extends NodeWorld {
  constructor(part: Partial<ApplicationView> = {}, node = withProbe()) {
    super(part, node);
  }

  get probes() {
    return this.argocd.probes;
  }

  run() {
    const { view: application } = this;
    return this.timed(
      runApplication(this.context, async () => ({
        ...{ kind: 'holds', application, evidence: evidence() },
      })),
    );
  }

  /** At its gate, with no operation to wait for. */
  async pass(isProbed = true): Promise<string> {
    const { uid } = this.view;
    const probe = isProbed ? GateProbe.of(this.context) : undefined;
    const wait = { uid, operation: undefined, laterThan: 0, time: timeUntil(300_000), probe };
    return (await this.clock.until(passGate(this.context, wait))).kind;
  }

  /** After so many milliseconds. */
  push(ms: number): void {
    void this.clock.sleep(ms).then(() => {
      this.argocd.revision = 'rev-2';
    });
  }

  /** When it is known that a Job was good. */
  pushAfterGood(): void {
    const { get } = this.probes.api;
    Object.assign(this.probes.api, {
      get: async (name: string) => {
        const job = await get(name);
        if (job?.state === 'succeeded') this.argocd.revision = 'rev-2';
        return job;
      },
    });
  }
}

describe('Git moves on', () => {
  test.each([
    ['while its Job runs', (world: UnchangedWorld) => world.push(20_000)],
    ['after that was good', (world: UnchangedWorld) => world.pushAfterGood()],
  ])('%s: it is synced, held and probed anew', async (_, push) => {
    const world = new UnchangedWorld();
    world.probes.ends.push({ isGood: true, seconds: 30 });
    push(world);
    const { result, ms } = await world.run();
    expect(result).toMatchObject({ outcome: 'healthy', attempts: 1, revisions: ['rev-2'] });
    expect([world.argocd.syncs.length, world.probes.made.length, world.holds]).toEqual([1, 2, 1]);
    expect(ms).toBeLessThan(60_000);
  });

  test('what is OutOfSync just after an operation may only lag behind', async () => {
    const world = new UnchangedWorld();
    const end = world.second;
    const state = operationState({ ...request(undefined), startedAt: end - 2, finishedAt: end });
    world.change({ operationState: state, sync: { status: 'OutOfSync', revisions: ['rev-1'] } });
    world.later(12_000, { sync: { status: 'Synced', revisions: ['rev-1'] } });
    expect(await world.pass()).toBe('open');
  });

  test('what Argo CD cannot compare is waited for', async () => {
    const world = new UnchangedWorld({ sync: { status: 'Unknown', revisions: ['rev-1'] } });
    world.later(30_000, { sync: { status: 'Synced', revisions: ['rev-1'] } });
    expect(await world.pass()).toBe('open');
  });

  test.each([
    ['of a stack at its end', withProbe('close'), true],
    ['that nobody probes', withProbe(), false],
  ])('a gate %s is waited for', async (_, node, isProbed) => {
    const sync = { status: 'OutOfSync', revisions: ['rev-1'] };
    const world = new UnchangedWorld({ sync }, node);
    world.later(30_000, { sync: { status: 'Synced', revisions: ['rev-1'] } });
    expect(await world.pass(isProbed)).toBe('open');
  });
});

describe('a probe that fails at first', () => {
  test.each([
    ['after an operation of somebody', {}, 'healthy'],
    ['with no record of an operation', { operationState: undefined }, 'unchanged'],
  ])('is tried again and causes no sync: %s', async (_, part, outcome) => {
    const world = new UnchangedWorld(part);
    world.probes.ends.push(BAD, BAD);
    const { result } = await world.run();
    expect([result.outcome, world.argocd.syncs, world.holds]).toEqual([outcome, [], 1]);
    expect(world.probes.made).toHaveLength(3);
  });

  test('and ever after fails the node, with no record of an operation', async () => {
    const world = new UnchangedWorld({ operationState: undefined });
    world.probes.usual = BAD;
    const { result } = await world.run();
    expect([result.outcome, world.argocd.syncs, world.holds]).toEqual(['failed', [], 1]);
    expect(result.cause?.message).toContain(
      'the probe did not succeed within 5m (timeouts.health)',
    );
  });

  test('is synced where Git moves on, with no record of an operation', async () => {
    const world = new UnchangedWorld({ operationState: undefined });
    world.probes.usual = BAD;
    world.later(60_000, { sync: { status: 'OutOfSync', revisions: ['rev-2'] } });
    void world.clock.sleep(60_000).then(() => {
      world.probes.usual = { isGood: true };
    });
    const { result } = await world.run();
    expect([result.outcome, world.argocd.syncs.length]).toEqual(['healthy', 1]);
  });
});
