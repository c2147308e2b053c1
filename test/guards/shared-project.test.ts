// Two platforms in one AppProject, at the same time: each has its own hold, and neither touches that of the other.
import { expect, test } from 'vitest';
import { deploy } from '../../src/engines/embedded/run-deploy.ts';
import { buildPlan } from '../../src/plan/build-plan.ts';
import { compile } from '../../src/plan/compile.ts';
import { parseFaults } from '../../src/rehearsal/parse-fault.ts';
import { Rehearsal } from '../../src/rehearsal/rehearsal.ts';
import { populate } from '../../src/rehearsal/scenario.ts';
import type { Report } from '../../src/report/run-report.ts';
import { annotationOf, holdWindow } from '../../src/run/hold.ts';
import { heldApplications } from '../../src/session/hold/held.ts';
import { release } from '../../src/session/hold/release-hold.ts';
import { asApplication } from '../../src/simulator/argocd/application.ts';
import type { Participant } from '../../src/simulator/participant.ts';
import { connectOver } from '../../src/targets/connect.ts';
import { API } from './rehearsed.ts';

const MEMBERS = {
  shop: [{ name: 'a' }, { name: 'b', dependsOn: ['a'] }],
  office: [{ name: 'x' }, { name: 'y', dependsOn: ['x'] }],
} as const;
type Name = keyof typeof MEMBERS;
const MINUTE_MS = 60_000;

function compiled(platform: string, ...names: readonly Name[]) {
  const text = JSON.stringify({
    ...{ apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform', metadata: { name: platform } },
    spec: { stacks: names.map((name) => ({ name, applications: MEMBERS[name] })) },
  });
  return compile({ file: 'platform.yaml', text });
}

class Shared {
  readonly rehearsal: Rehearsal;
  /** Applications that Argo CD has synced by itself. */
  readonly automated = new Set<string>();
  /** Every set of windows that the AppProject had, as the names that each holds. */
  readonly windows: string[] = [];
  #runs = 0;

  constructor(...faults: readonly string[]) {
    this.rehearsal = new Rehearsal({
      ...{ seed: 3, start: Date.UTC(2026, 0, 1), namespace: 'argocd' },
      faults: parseFaults(faults, ['a', 'b', 'x', 'y']),
      pace: { settle: () => new Promise((resolve) => setImmediate(resolve)) },
    });
    populate(this.rehearsal, compiled('both', 'shop', 'office').platform);
    const { objects } = this.rehearsal;
    objects.onChange(({ object }) => {
      if (object.kind === 'AppProject') this.windows.push(this.held().join(' '));
      if (object.kind !== 'Application') return;
      const { operation, metadata } = asApplication(object);
      if (operation?.initiatedBy?.automated) this.automated.add(metadata.name);
    });
    // As two bootstraps leave it.
    objects.update(this.project(), (now) => ({
      ...now,
      metadata: {
        ...now.metadata,
        annotations: { [annotationOf(0)]: 'shop/bootstrap', [annotationOf(1)]: 'office/bootstrap' },
      },
      spec: { ...now.spec, syncWindows: [holdWindow(['a', 'b']), holdWindow(['x', 'y'], 1)] },
    }));
  }

  project() {
    const project = this.rehearsal.objects.get(API, 'AppProject', 'argocd', 'default');
    if (!project) throw new Error('no AppProject');
    return project;
  }

  held(): string[] {
    const windows = this.project().spec?.syncWindows as { applications: string[] }[] | undefined;
    return (windows ?? []).map(({ applications }) => applications.join());
  }

  /** One run, and the process that it is in. */
  run(name: Name): { who: Participant; ended: Promise<Report> } {
    const who = this.rehearsal.join(`${name}-${++this.#runs}`);
    return { who, ended: this.#deploy(name, who) };
  }

  async #deploy(name: Name, who: Participant): Promise<Report> {
    const { clock } = who;
    const { signal } = new AbortController();
    const target = await this.target(who);
    return await deploy({
      plan: buildPlan(compiled(name, name), { action: 'deploy' }),
      ...{ required: [], target, clock, concurrency: 20, keepHold: false },
      ...{ runId: who.name, holder: who.name, listen: () => {}, stop: signal, abort: signal },
    });
  }

  target({ clock, transport, random }: Participant) {
    const transports = { kubernetes: transport, argocd: undefined };
    return connectOver(transports, { namespace: 'argocd', clock, random });
  }

  async release(name: Name): Promise<void> {
    const who = this.rehearsal.join(`release-${name}`);
    const target = await this.target(who);
    const plan = buildPlan(compiled(name, name), { action: 'deploy' });
    const applications = (await heldApplications(plan, target)).map(({ address }) => address);
    const { signal } = new AbortController();
    const request = { plan, applications, target, clock: who.clock, signal };
    await release({ ...request, runId: who.name, holder: who.name, warn: () => {} });
  }
}

test('both deploy at once, and nothing of either is synced by Argo CD itself', async () => {
  const shared = new Shared();
  const both = [shared.run('shop').ended, shared.run('office').ended];
  const reports = await shared.rehearsal.time.until(Promise.all(both), 60 * MINUTE_MS);
  expect(reports.map(({ exitStatus, held }) => [exitStatus, held])).toEqual([
    [0, []],
    [0, []],
  ]);
  expect([...shared.automated]).toEqual([]);
  expect(shared.held()).toEqual([]);
  expect(shared.project().metadata.annotations ?? {}).toEqual({});
  // Each gave its own names back one by one, while the other still held its own.
  expect(shared.windows.some((one) => one === 'b x,y' || one === 'a,b y')).toBe(true);
});

test('one dies: the other goes on to its end, and what the dead one held stays held until its next run', async () => {
  const shared = new Shared();
  const { time } = shared.rehearsal;
  const [shop, office] = [shared.run('shop'), shared.run('office')];
  time.after(MINUTE_MS, () => office.who.kill());
  const report = await time.until(shop.ended, 60 * MINUTE_MS);
  expect([report.exitStatus, shared.held()]).toEqual([0, ['x,y']]);
  await time.advance(30 * MINUTE_MS);
  expect([[...shared.automated], shared.held()]).toEqual([[], ['x,y']]);
  const again = await time.until(shared.run('office').ended, 60 * MINUTE_MS);
  expect([again.exitStatus, shared.held(), [...shared.automated]]).toEqual([0, [], []]);
});

test('what one platform releases was its own', async () => {
  const shared = new Shared('app:a sync-fails x9', 'app:x sync-fails x9');
  const { time } = shared.rehearsal;
  const both = [shared.run('shop').ended, shared.run('office').ended];
  const reports = await time.until(Promise.all(both), 60 * MINUTE_MS);
  expect(reports.map(({ held }) => held)).toEqual([
    ['app:a', 'app:b'],
    ['app:x', 'app:y'],
  ]);
  await time.until(shared.release('shop'), 10 * MINUTE_MS);
  expect(shared.held()).toEqual(['x,y']);
  await time.advance(10 * MINUTE_MS);
  expect(shared.automated).toContain('b');
  expect(shared.automated).not.toContain('y');
});
