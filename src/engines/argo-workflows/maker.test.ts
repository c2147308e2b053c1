// What a process that runs one node knows of the parent that makes its Application.
import { expect, test } from 'vitest';
import { application, operationState } from '../../../test/fakes/application.ts';
import { FakeStore } from '../../../test/fakes/cluster.ts';
import { planFrom } from '../../../test/fakes/run-world.ts';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { ApplicationView, OperationState } from '../../ports/application-view.ts';
import type { Watch } from '../../ports/application-watch.ts';
import { approvalText } from '../../session/approvals/approval.ts';
import { infosOf } from '../../session/identity.ts';
import { seenMaker } from './maker.ts';

const PLAN = planFrom({
  timeouts: { sync: '2m', health: '2m' },
  root: 'root',
  stacks: [
    {
      ...{ name: 'o', application: 'outer' },
      applications: [
        { name: 'beside' },
        { name: 'shop', applicationSet: 'set', names: 'shop-*', argocd: { project: 'shop' } },
      ],
    },
    { name: 'i', parent: 'o', application: 'inner', applications: [{ name: 'leaf' }] },
    { name: 'a', application: 'asked', gate: { approval: 'Well?' }, applications: [] },
  ],
});
const IDENTITY = { id: 'run', platform: 'shop', plan: PLAN.hash };

function place(id: string, shown: Readonly<Record<string, Partial<ApplicationView>>>) {
  const clock = new VirtualClock();
  const views = new Map(
    Object.entries(shown).map(([name, part]) => [name, application({ name, ...part })]),
  );
  let tell = () => {};
  const watch: Watch = {
    last: ({ name }) => views.get(name),
    all: () => views.values(),
    nextChange: (_, signal) =>
      new Promise((resolve) => {
        tell = resolve;
        signal.addEventListener('abort', () => resolve());
      }),
    subscribe: () => () => {},
    follow: async () => undefined,
  };
  const store = new FakeStore(clock.now);
  const done = new AbortController();
  const maker = seenMaker({
    ...{ plan: PLAN, node: nodeOf(id), watch, store: store.api, clock, identity: IDENTITY },
    signal: done.signal,
  });
  const change = async (name: string, part: Partial<ApplicationView>) => {
    views.set(name, application({ name, ...part }));
    tell();
    await clock.advance(0);
  };
  const decide = (approved: boolean) => {
    const text = approvalText({
      ...{ platform: 'shop', node: nodeOf('close:stack:a'), question: 'Well?', run: IDENTITY.id },
      application: application({ name: 'asked' }),
      decision: { approved, by: 'jane', at: '2026-01-01T00:00:00Z' },
    });
    store.texts.set(text.name, text);
  };
  return { clock, maker, change, done, decide, store };
}

function nodeOf(id: string) {
  const node = PLAN.nodes.find((one) => one.id === id);
  if (!node) throw new Error(`no ${id}`);
  return node;
}

const ours = (node: string, phase: OperationState['phase']) =>
  operationState({ phase, message: 'no', infos: infosOf(IDENTITY, `run/${node}/1`) });
const AT_WORK = { operation: operationState() };
const BUSY = { health: { status: 'Progressing', message: '', lastTransition: 't' } };
const IDLE = { health: { status: 'Missing', message: '', lastTransition: 't' } };

test('the root is made by nobody of the plan', () => {
  expect(place('open:platform', {}).maker).toBeUndefined();
});

test('its nearest maker has ended when that shows no operation', async () => {
  const { maker, change } = place('app:leaf', { inner: AT_WORK, outer: AT_WORK });
  expect(maker?.ended.aborted).toBe(false);
  await change('inner', { operation: undefined });
  expect(maker?.ended.aborted).toBe(true);
});

test('where it shows none from the beginning, there is nothing to wait for', async () => {
  const { maker, clock } = place('app:leaf', { outer: AT_WORK });
  void maker?.ended;
  await clock.advance(0);
  expect(maker?.ended.aborted).toBe(true);
});

test.each([
  ['leaf', BUSY],
  ['leaf', { ...IDLE, ...AT_WORK }],
  ['shop-1', { ...BUSY, project: 'shop' }],
])(
  'it has not ended as long as something else that it makes is at work: %s',
  async (name, busy) => {
    const shown = { outer: AT_WORK, inner: IDLE, leaf: IDLE, beside: IDLE, [name]: busy };
    const { maker, clock, change } = place('app:beside', shown);
    void maker?.ended;
    await clock.advance(3_600_000);
    expect(maker?.ended.aborted).toBe(false);
    await change(name, IDLE);
    await clock.advance(100_000);
    expect(maker?.ended.aborted).toBe(false);
    await clock.advance(40_000);
    expect(maker?.ended.aborted).toBe(true);
  },
);

const WAITS = { outer: AT_WORK, inner: IDLE, leaf: IDLE };

test.each([true, false])('nor as long as somebody is asked, approved: %s', async (approved) => {
  const { maker, clock, decide } = place('app:beside', { ...WAITS, asked: {} });
  void maker?.ended;
  await clock.advance(3_600_000);
  expect(maker?.ended.aborted).toBe(false);
  decide(approved);
  await clock.advance(100_000);
  expect(maker?.ended.aborted).toBe(false);
  await clock.advance(40_000);
  expect(maker?.ended.aborted).toBe(true);
});

test('while nobody can say whether there is an answer, there may be none', async () => {
  const { maker, clock, decide, store } = place('app:beside', { ...WAITS, asked: {} });
  decide(true);
  Object.assign(store.api, { list: () => Promise.reject(new Error('no answer')) });
  void maker?.ended;
  await clock.advance(3_600_000);
  expect(maker?.ended.aborted).toBe(false);
});

test.each([
  ['while it has other reasons to wait', { asked: IDLE }],
  ['where it does not exist', {}],
  ['where no approval is needed', { other: {} }],
])('nobody is asked %s', async (_, shown) => {
  const { maker, clock } = place('app:beside', { ...WAITS, ...shown });
  void maker?.ended;
  await clock.advance(140_000);
  expect(maker?.ended.aborted).toBe(true);
});

test.each([
  ['an operation of this run that failed', ours('open:stack:i', 'Failed'), true],
  ['and one with an error', ours('open:stack:i', 'Error'), true],
  ['not one that succeeded', ours('open:stack:i', 'Succeeded'), false],
  ['not one of another node', ours('open:stack:o', 'Failed'), false],
  ['not one from before the run', operationState({ phase: 'Failed', infos: new Map() }), false],
])('its failure: %s', (_, state, isFailure) => {
  const { maker } = place('app:leaf', { inner: { operation: undefined, operationState: state } });
  expect(maker?.failure()?.node).toBe(isFailure ? 'open:stack:i' : undefined);
});

test('nobody follows it when the node is done', async () => {
  const { maker, done, clock } = place('app:leaf', {
    inner: AT_WORK,
    outer: AT_WORK,
    beside: BUSY,
  });
  void maker?.ended;
  done.abort();
  await clock.advance(0);
  expect(clock.sleepers).toBe(0);
});
