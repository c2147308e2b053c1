// What people at a terminal are told and asked, while a run of this process or another one has the platform.
import { expect, test, vi } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { runCli } from '../../src/cli/run-cli.ts';
import { TiphysError } from '../../src/errors.ts';
import type { WorkflowView } from '../../src/ports/argo-workflows.ts';
import type { Target } from '../../src/ports/target.ts';
import { leaseFor } from '../../src/session/lease/lease-data.ts';
import { app, planFrom, World } from '../fakes/run-world.ts';
import { caller } from './command-in-process.ts';

let reached: Target | undefined;
vi.mock('../../src/targets/connect.ts', async (original) => ({
  ...(await original<object>()),
  connect: async () => reached,
}));

const SPEC = { stacks: [{ name: 's', applications: [app('a'), app('b', ['a'])] }] };
const PLATFORM = JSON.stringify({
  ...{ apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform', metadata: { name: 'shop' } },
  spec: SPEC,
});

function place(health = 1, automated = false) {
  const world = new World({ a: { health, automated }, b: { automated } });
  world.part.whoAmI = async () => 'jane';
  world.part.address = { context: 'kind', server: 'https://10.0.0.1' };
  world.part.workflows = { ...world.target.workflows, list: async () => undefined };
  reached = world.target;
  const { clock } = world;
  const advance = async (ms: number) => {
    if (clock.sleepers > 0) await clock.advance(ms);
  };
  const files = { 'platform.yaml': PLATFORM };
  const call = caller({ clock, files, advance });
  /** Its time does not pass, however long modules take to load. */
  const atOnce = caller({ clock, files, advance: async () => {} });
  const asked: string[] = [];
  const atTerminal = (answer: string): Partial<Io> => ({
    screen: () => ({ columns: 80, rows: 24 }),
    ask: async (question) => {
      asked.push(question);
      return answer;
    },
  });
  return { world, call, atOnce, asked, atTerminal };
}

test('at a terminal, a deployment says what it changes and asks', async () => {
  const { world, call, asked, atTerminal } = place();
  const denied = await call(runCli, ['deploy'], atTerminal('n'));
  expect([denied.status, denied.stderr]).toEqual([
    3,
    expect.stringContaining('error[deploy-unconfirmed]'),
  ]);
  expect(denied.stderr).toContain('This deployment changes 2 of 2 applications:\n');
  expect(denied.stderr).toMatch(/\n {2}a +sync +OutOfSync, Missing\n/);
  expect(asked).toEqual(['Deploy "shop" to cluster https://10.0.0.1? [y/N] ']);
  expect(await world.target.leases.get('tiphys-shop')).toBeUndefined();
  expect((await call(runCli, ['deploy'], atTerminal('y'))).status).toBe(0);
});

test('--yes is not asked; nor is a pipeline', async () => {
  const { call, asked, atTerminal } = place();
  expect((await call(runCli, ['deploy', '--yes'], atTerminal('n'))).status).toBe(0);
  expect(asked).toEqual([]);
  const { call: piped } = place();
  expect((await piped(runCli, ['deploy'])).status).toBe(0);
});

test('a commit that Argo CD has not compared yet is not deployed without an answer', async () => {
  const { world, call, asked, atTerminal } = place();
  await call(runCli, ['deploy', '--yes'], atTerminal('n'));
  world.argocd.revision = 'newer';
  const before = world.order();
  const denied = await call(runCli, ['deploy'], atTerminal('n'));
  expect([denied.status, denied.stderr]).toEqual([
    3,
    expect.stringContaining('Argo CD reports no changes.'),
  ]);
  expect([asked.length, world.order()]).toEqual([1, before]);
  await call(runCli, ['deploy'], atTerminal('y'));
  expect(world.order()).not.toBe(before);
});

test.each([
  ['has just crashed', 0],
  ['crashed on a machine with a fast clock', 3_600_000],
])('after an answer, a deployment takes over from a run that %s', async (_, ahead) => {
  const { world, call, asked, atTerminal } = place();
  const { clock, target } = world;
  const crashed = { run: 'crashed', plan: 'sha256:0', finished: false, holds: [] };
  const renewed = clock.now() + ahead;
  await target.leases.create(leaseFor('tiphys-shop', undefined, 'gone', crashed, renewed));
  const { status, stderr } = await call(runCli, ['deploy'], atTerminal('y'));
  expect([status, asked.length, stderr]).toEqual([0, 1, expect.not.stringContaining('error[')]);
});

test('a run of another process: dry runs refuse, stop says where it is, watch follows it to its report', async () => {
  const { world, call, atOnce } = place(280);
  const report = world.start(planFrom(SPEC));
  await world.clock.advance(3_000);
  const run = world.events[0]?.run ?? '';
  const dry = await atOnce(runCli, ['deploy', '--dry-run']);
  expect([dry.status, dry.stderr]).toEqual([
    1,
    expect.stringContaining(`error[run-already-active]: Run ${run} of platform "shop" is active`),
  ]);
  const stopped = await atOnce(runCli, ['stop']);
  expect([stopped.status, stopped.stderr]).toEqual([
    3,
    expect.stringContaining('hint: To stop it, press Ctrl-C where it runs'),
  ]);
  const explained = await atOnce(runCli, ['explain', 'b']);
  expect(explained.stdout).toContain(`next: wait: run ${run} is active`);
  const watched = await call(runCli, ['status', '--watch']);
  expect([watched.status, (await report).exitStatus]).toEqual([0, 0]);
  expect(watched.stdout).toContain(`run ${run}`);
  expect(watched.stderr.match(/ a: (?:gate opened|healthy)\n/g)).toHaveLength(1);
  // Without Argo Workflows too, whoever comes late sees how it ended.
  const late = await call(runCli, ['status', '-w']);
  expect([late.status, late.stderr]).toEqual([0, expect.stringContaining('no run is active; ')]);
});

test.each([
  ['teardown', 'Type "shop"'],
  ['release', 'release-unconfirmed'],
])('%s: an active run refuses before anything is asked', async (command, question) => {
  const { world, call, asked, atTerminal } = place(280, true);
  void world.start(planFrom(SPEC));
  await world.clock.advance(3_000);
  const { status, stderr } = await call(runCli, [command], atTerminal('shop'));
  expect([status, stderr, asked]).toEqual([
    1,
    expect.stringContaining('error[run-already-active]'),
    [],
  ]);
  expect(stderr).not.toContain(question);
});

test('a run that was killed is not active: status says so, and the next one says what it waits for', async () => {
  const { world, call, atOnce } = place();
  const { clock, target } = world;
  const killed = { run: 'killed', plan: 'sha256:0', finished: false, holds: [] };
  await target.leases.create(leaseFor('tiphys-shop', undefined, 'vm/1', killed, clock.now()));
  expect((await atOnce(runCli, ['status'])).stdout).toContain('run killed is active in vm/1');
  const { status, stderr } = await call(runCli, ['deploy']);
  const waits = 'waiting: run killed in "vm/1" has the Lease, which expires in 20s unless';
  expect([status, stderr]).toEqual([0, expect.stringContaining(waits)]);
  const lease = await target.leases.get('tiphys-shop');
  if (lease) await target.leases.update({ ...lease, holder: 'vm/1' });
  await clock.advance(16_000);
  expect((await atOnce(runCli, ['status'])).stdout).toContain('"shop": no run is active');
  const data = JSON.parse((await atOnce(runCli, ['status', '-o', 'json'])).stdout);
  expect(data.active).toBeNull();
});

test('a Workflow that waits for the Lease of another run can be stopped', async () => {
  const { world, atOnce } = place(280);
  const stopped: string[] = [];
  const waiting: WorkflowView = {
    ...{ name: 'wf', namespace: 'argo', uid: 'u', createdAt: '', phase: 'Running', message: '' },
    ...{ labels: new Map(), annotations: new Map(), run: undefined, nodes: [], isPacked: false },
  };
  world.part.workflows = {
    ...world.target.workflows,
    list: async () => [waiting],
    stop: async (_, name) => {
      stopped.push(name);
      return { kind: 'done' };
    },
  };
  reached = world.target;
  void world.start(planFrom(SPEC));
  await world.clock.advance(3_000);
  const { status } = await atOnce(runCli, ['stop']);
  expect([status, stopped]).toEqual([0, ['wf']]);
});

test('who may read everything but the Lease, as with the role tiphys-validate, still gets a dry run and explanations', async () => {
  const { world, call } = place();
  const message = 'A permission in Kubernetes is missing: leases.';
  const get = async () => {
    throw new TiphysError([{ code: 'cluster-forbidden', message }]);
  };
  world.part.leases = { ...world.target.leases, get };
  reached = world.target;
  expect((await call(runCli, ['deploy', '--dry-run'])).status).toBe(0);
  const { status, stdout } = await call(runCli, ['explain', 'b']);
  expect([status, stdout]).toEqual([0, expect.stringContaining('next: ')]);
  // Whether a run is active is the very question.
  const watched = await call(runCli, ['status', '--watch']);
  expect([watched.status, watched.stderr]).toEqual([3, expect.stringContaining(message)]);
});
