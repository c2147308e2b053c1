import { expect, test } from 'vitest';
import { application, operationState } from '../../test/fakes/application.ts';
import { planFrom } from '../../test/fakes/run-world.ts';
import type { PlanNode } from '../plan/plan.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import { isoTime } from '../run/iso-time.ts';
import type { NodeProgress } from '../run/run-state.ts';
import { findBypasses, renderBypass } from './find-bypasses.ts';

/** `top` depends on `middle`, that on `base`; `aside` on nothing. Dwell: 10 s. */
const PLAN = planFrom({
  gate: { dwell: '10s' },
  stacks: [
    {
      name: 's',
      applications: [
        { name: 'base' },
        { name: 'middle', dependsOn: ['base'] },
        { name: 'top', dependsOn: ['middle'] },
        { name: 'aside' },
      ],
    },
  ],
});
const START = 1_000;
const iso = (second: number) => isoTime(second * 1000);

type Views = Readonly<Record<string, Partial<ApplicationView>>>;
const alice = (startedAt: number, part: object = {}) => ({
  operationState: operationState({
    ...{ infos: new Map(), username: 'alice', startedAt, finishedAt: startedAt + 3 },
    ...part,
  }),
});
/** Deployed by Tiphys and Healthy, long ago. */
const OLD: Partial<ApplicationView> = {
  createdAt: 10,
  firstDeployedAt: 60,
  operationState: operationState({
    infos: new Map([['tiphys/platform', PLAN.platform]]),
    ...{ startedAt: 50, finishedAt: 60 },
  }),
  health: { status: 'Healthy', message: '', lastTransition: iso(62) },
};

function seenIn(views: Views) {
  return (node: PlanNode): ApplicationView[] => {
    const name = node.application ?? '';
    return name in views ? [application({ ...OLD, ...views[name], name })] : [];
  };
}

function found(views: Views, nodes?: Readonly<Record<string, Partial<NodeProgress>>>): string[] {
  const known = Object.entries(nodes ?? {}).map(([name, part]): [string, NodeProgress] => [
    `app:${name}`,
    {
      ...{ id: `app:${name}`, application: name, phase: 'finished', attempts: 1 },
      ...{ operations: [], revisions: [], repositories: [], evidence: null, failures: [] },
      ...part,
    },
  ]);
  const run = nodes && { startedAt: START * 1000, nodes: new Map(known) };
  const all = { base: {}, middle: {}, top: {}, aside: {}, ...views };
  return findBypasses({ plan: PLAN, viewsOf: seenIn(all), ...(run && { run }) }).map(
    ({ application: name, by, at, before }) => `${name} ${by} ${at} ${before.join()}`,
  );
}

const of = (name: string, second: number, ...before: string[]) =>
  `${name} alice ${iso(second)} ${before.map((one) => `app:${one}`).join()}`;

test('by what a run has seen: the gates of its dependencies opened later', () => {
  const opened = { outcome: 'healthy', openedAt: iso(2_000) } as const;
  const nodes = { base: opened, middle: opened };
  expect(found({ top: alice(1_300) }, nodes)).toEqual([of('top', 1_300, 'base', 'middle')]);
  expect(found({ middle: alice(1_300) }, nodes)).toEqual([of('middle', 1_300, 'base')]);
  // What depends on nothing, what was synced afterwards, and in a dwell.
  expect(found({ aside: alice(1_300), base: alice(1_301) }, nodes)).toEqual([]);
  expect(found({ top: alice(2_001) }, nodes)).toEqual([]);
  expect(found({ top: alice(1_985) }, nodes)).toEqual([]);
  expect(found({ top: alice(1_984) }, nodes)).toHaveLength(1);
  // Before the run nobody has looked.
  expect(found({ top: alice(START - 1) }, nodes)).toEqual([]);
  expect(found({ top: alice(START) }, nodes)).toHaveLength(1);
});

test.each<[string, Partial<NodeProgress>, number]>([
  ['failed', { outcome: 'failed' }, 1],
  ['was skipped', { outcome: 'skipped' }, 0],
  ['had nothing to be done', { outcome: 'unchanged', openedAt: iso(2_000) }, 0],
  [
    'only waited for an approval',
    {
      ...{ outcome: 'unchanged', openedAt: iso(2_000) },
      durations: { wait: 0, sync: 0, health: 0, dwell: 0, approval: 900 },
    },
    1,
  ],
])('a dependency that %s in the run', (_, base, count) => {
  expect(found({ top: alice(1_300) }, { base })).toHaveLength(count);
});

test('what the run found before it synced itself is told with what is shown, once', () => {
  const nodes = {
    base: { outcome: 'healthy', openedAt: iso(2_000) },
    top: { syncedBy: { by: 'alice', at: iso(1_300) } },
  } as const;
  expect(found({}, nodes)).toEqual([of('top', 1_300, 'base')]);
  expect(found({ top: alice(1_300) }, nodes)).toEqual([of('top', 1_300, 'base')]);
});

test.each<[string, Partial<ApplicationView>, number]>([
  ['was not deployed for the first time yet', { firstDeployedAt: 301 }, 1],
  ['had been deployed before', { firstDeployedAt: 300 }, 0],
  ['did not exist', { createdAt: 301, firstDeployedAt: 400 }, 0],
  ['was deployed at a time that is not known any more', { firstDeployedAt: undefined }, 0],
  ['has been Degraded since before', unhealthy('Degraded', 299), 1],
  ['has been Progressing since before', unhealthy('Progressing', 299), 1],
  ['has been Degraded since', unhealthy('Degraded', 301), 0],
  ['is Degraded, nobody knows since when', unhealthy('Degraded', undefined), 0],
  ['is Suspended', unhealthy('Suspended', 299), 0],
  ['rose after it, and may have fallen before that', unhealthy('Healthy', 400), 0],
])('by what Argo CD shows: a dependency that %s', (_, base, count) => {
  expect(found({ top: alice(300), base })).toHaveLength(count);
});

function unhealthy(status: string, since: number | undefined): Partial<ApplicationView> {
  const lastTransition = since === undefined ? undefined : iso(since);
  return { health: { status, message: '', lastTransition } };
}

test.each<[string, object, Partial<ApplicationView>, number]>([
  ['was in progress, and changed its health', {}, unhealthy('Healthy', 320), 1],
  ['was in progress, and left it Degraded', {}, unhealthy('Degraded', 320), 1],
  ['was in progress, and it was Healthy all the time', {}, unhealthy('Healthy', 100), 0],
  ['had ended', { finishedAt: 300 }, unhealthy('Healthy', 320), 0],
  ['began in the same second', { startedAt: 300 }, unhealthy('Healthy', 320), 0],
  ["was Argo CD's own", { automated: true }, unhealthy('Healthy', 320), 0],
  [
    'goes on yet',
    { phase: 'Running', finishedAt: undefined },
    { health: { status: 'Progressing', message: '', lastTransition: iso(310) } },
    1,
  ],
  ['ended nobody knows when', { finishedAt: undefined }, unhealthy('Degraded', 320), 0],
])('by what Argo CD shows: the sync of a dependency %s', (_, operation, view, count) => {
  const base = { ...view, ...alice(290, { finishedAt: 310, ...operation }) };
  expect(found({ top: alice(300), base })).toHaveLength(count);
});

test("Argo CD's own syncs, those of Tiphys, and one that has no beginning are no bypasses", () => {
  const base = { firstDeployedAt: 400 };
  expect(found({ top: alice(300), base })).toHaveLength(1);
  expect(found({ top: alice(300, { automated: true }), base })).toEqual([]);
  const infos = (platform: string) => new Map([['tiphys/platform', platform]]);
  expect(found({ top: alice(300, { infos: infos(PLAN.platform) }), base })).toEqual([]);
  expect(found({ top: alice(300, { infos: infos('other') }), base })).toHaveLength(1);
  expect(found({ top: alice(300, { startedAt: undefined }), base })).toEqual([]);
  expect(found({ top: { operationState: undefined }, base })).toEqual([]);
});

test('a parent waits for what its stack depends on, and its members are no dependencies of it', () => {
  const plan = planFrom({
    stacks: [
      { name: 'one', applications: [{ name: 'base' }] },
      {
        ...{ name: 'two', application: 'two-stack', dependsOn: ['stack:one'] },
        applications: [{ name: 'member' }],
      },
      { name: 'three', dependsOn: ['stack:two'], applications: [{ name: 'top' }] },
    ],
  });
  const found = (views: Views) =>
    findBypasses({ plan, viewsOf: seenIn({ base: {}, member: {}, 'two-stack': {}, ...views }) });
  const late = { firstDeployedAt: 400 };
  expect(found({ 'two-stack': alice(300), member: late })).toEqual([]);
  expect(found({ member: alice(300), 'two-stack': late })).toEqual([]);
  expect(found({ 'two-stack': alice(300), base: late })).toMatchObject([
    { node: 'close:stack:two', application: 'two-stack', before: ['app:base'] },
  ]);
  expect(found({ top: alice(300), 'two-stack': late })).toMatchObject([
    { node: 'app:top', before: ['close:stack:two'] },
  ]);
});

test('the warning names who, when, and what was not Healthy', () => {
  const bypass = { node: 'app:top', application: 'top', at: iso(300), before: ['app:base'] };
  expect(renderBypass({ ...bypass, by: 'alice' })).toBe(
    'Application "top" was synced by "alice" at 1970-01-01T00:05:00.000Z, not by Tiphys, before its dependency base was healthy. Check that it works; this warning is repeated until its next sync',
  );
  expect(renderBypass({ ...bypass, by: '' })).toContain('was synced directly in Kubernetes at');
});
