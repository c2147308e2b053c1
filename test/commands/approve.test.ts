// `tiphys approve`, and what other commands say of a gate that asks for approval: on a cluster in memory.
import { describe, expect, test, vi } from 'vitest';
import { renderReport } from '../../src/view/report-text.ts';
import { app, causeOf, outcomes, type World } from '../fakes/run-world.ts';
import { cluster, MINUTE, place, platform } from './approve-place.ts';

vi.mock('../../src/targets/connect.ts', () => ({ connect: async () => cluster.reached }));

const plain = (text: string) => text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');

test('a run goes on when somebody approves, and everybody can see who did', async () => {
  const { world, tiphys, begin, ended } = place();
  const { report } = await begin();
  const approved = await tiphys('approve', 'vault');
  expect([approved.status, approved.stderr]).toEqual([0, '']);
  expect(plain(approved.stdout)).toMatchInlineSnapshot(`
    "vault approved by jane at TIME
      question: Unseal Vault
      revision: rev-1
      run run-0 continues
    "
  `);
  expect(await ended(report)).toMatchObject({ exitStatus: 0 });
  const again = await tiphys('approve', 'vault');
  expect([again.status, plain(again.stdout)]).toMatchInlineSnapshot(`
    [
      0,
      "vault already approved by jane at TIME
      question: Unseal Vault
      revision: rev-1
    ",
    ]
  `);
  const status = await tiphys('status', '-o', 'json');
  expect(JSON.parse(status.stdout).nodes[0].approval).toMatchObject({
    state: 'approved',
    decision: { by: 'jane' },
  });
  expect(plain((await tiphys('status')).stdout)).toContain(
    'approval of vault (Unseal Vault): approved by jane at TIME\n',
  );
  expect(world.argocd.syncs).toHaveLength(2);
});

test('a denial is told with its reason, and what to do about it', async () => {
  const { tiphys, begin, ended } = place();
  const { report, run } = await begin();
  const said = ['--deny', '--reason', 'no keys\u001b[2J today', '--run', run];
  const denied = await tiphys('approve', 'app:vault', ...said);
  expect(plain(denied.stdout)).toMatchInlineSnapshot(`
    "vault denied by jane at TIME: no keys\\u{1b}[2J today
      question: Unseal Vault
      revision: rev-1
      it fails in run run-0; the next run asks again
    "
  `);
  const end = (await ended(report)) as Awaited<ReturnType<World['run']>>;
  expect(outcomes(end)).toEqual({ vault: 'failed', api: 'skipped' });
  expect(causeOf(end, 'app:vault')?.message).toContain('no keys');
  expect(plain((await tiphys('status')).stdout)).toContain('): denied by jane at TIME: no keys');
  expect(renderReport(end)).toContain('next: rerun the command; it asks again');
});

test('status, explain, validate and a scope tell that somebody has to approve', async () => {
  const { tiphys, begin } = place();
  const before = (await tiphys('status')).stdout;
  expect(before).toContain('approval of vault (Unseal Vault): required once it is healthy\n');
  await begin();
  const status = (await tiphys('status')).stdout;
  expect(status).toContain('approval of vault (Unseal Vault): pending: run `tiphys approve vault`');
  expect((await tiphys('explain', 'api')).stdout).toMatchInlineSnapshot(`
    "api: apps/Deployment web/api: sync status is OutOfSync
      because vault: approval is needed: Unseal Vault
    next: \`tiphys approve vault\`, or \`tiphys approve vault --deny\`
    "
  `);
  const validated = await tiphys('validate');
  expect([validated.status, validated.stdout.includes('approval is needed')]).toEqual([2, true]);
});

test('what lies behind it cannot be deployed alone before', async () => {
  const { tiphys, world } = place();
  world.settle('vault');
  const scoped = await tiphys('deploy', '--scope', 'api');
  expect([scoped.status, scoped.stderr]).toEqual([
    1,
    expect.stringContaining('which is not Healthy: approval is needed: Unseal Vault.'),
  ]);
  expect(scoped.stderr).toContain('hint: Approve it first: `tiphys approve vault`.');
  expect((await tiphys('deploy', '--dry-run')).stdout).toContain('needs approval');
  expect((await tiphys('approve', 'vault')).status).toBe(0);
  expect((await tiphys('deploy', '--dry-run')).stdout).not.toContain('needs approval');
  expect((await tiphys('deploy', '--scope', 'api')).status).toBe(0);
  expect(world.order()).toBe('api');
});

describe('says what comes next', () => {
  test('of an approval after a denial', async () => {
    const { tiphys, begin } = place();
    await begin();
    await tiphys('approve', 'vault', '--deny');
    const { stdout } = await tiphys('approve', 'vault');
    expect(stdout).toContain('run run-0 may already have failed because of the earlier denial');
  });

  test('of a denial after an approval', async () => {
    const { tiphys, begin, ended } = place();
    const { report } = await begin();
    await tiphys('approve', 'vault');
    const { stdout } = await tiphys('approve', 'vault', '--deny');
    expect(stdout).toContain('run run-0 starts no more of its dependents; the next run asks');
    const end = (await ended(report)) as Awaited<ReturnType<World['run']>>;
    expect(outcomes(end)).toEqual({ vault: 'failed', api: 'skipped' });
  });

  test.each([
    [[], 'run run-0 does not renew its Lease; it continues when it is resumed'],
    [['--deny'], 'it fails in run run-0 when that run is resumed; the next run asks again\n'],
  ])('of a run that may be dead: %j', async (options, text) => {
    const { tiphys, world, begin } = place();
    await begin();
    const { leases } = world.target;
    const lease = await leases.get('tiphys-shop');
    const get = async () => lease && { ...lease, renewTime: new Date(0).toISOString() };
    Object.assign(world.part, { leases: { ...leases, get } });
    cluster.reached = world.target;
    expect((await tiphys('approve', 'vault', ...options)).stdout).toContain(text);
  });

  test('as JSON', async () => {
    const { tiphys, begin } = place();
    await begin();
    const { stdout } = await tiphys('approve', 'vault', '-o', 'json');
    const kind = { apiVersion: 'tiphys.dev/v1alpha1', kind: 'Approval' };
    const known = { ...kind, node: 'app:vault', run: 'run-0', isAlive: true, revisions: ['rev-1'] };
    expect(JSON.parse(stdout)).toMatchObject({ ...known, before: null, isNew: true });
  });
});

describe('by a platform file with another question', () => {
  const asking = (approval: string) => ({
    stacks: [{ name: 's', applications: [app('vault', [], { gate: { approval } })] }],
  });
  const other = platform(asking('Unseal it'));

  test('a valid approval is not replaced', async () => {
    const { tiphys, world, withFile } = place();
    world.settle('vault');
    await tiphys('approve', 'vault');
    const before = [...world.argocd.store.texts];
    const { status, stdout, stderr } = await withFile(other)('approve', 'vault');
    expect([status, stdout, stderr]).toMatchInlineSnapshot(`
      [
        1,
        "",
        "error[approval-of-another-question]: "vault" is already approved with another question: "Unseal Vault", not "Unseal it".
        hint: Use the platform file with that question. If the question has changed, revoke that approval first: \`tiphys approve vault --deny\`.
      ",
      ]
    `);
    expect([...world.argocd.store.texts]).toEqual(before);
    expect((await tiphys('approve', 'vault')).stdout).toContain('already approved');
  });

  test('it is taken back by a denial, and a run that asks the new question goes on', async () => {
    const { tiphys, world, withFile, begin, ended } = place();
    world.settle('vault');
    expect((await withFile(other)('approve', 'vault')).status).toBe(0);
    const { report } = await begin();
    expect((await tiphys('approve', 'vault')).status).toBe(1);
    const denied = await tiphys('approve', 'vault', '--deny');
    expect(denied.stdout).toContain('question: Unseal it\n');
    expect(denied.stdout).toContain(
      'the approval is withdrawn; approve again with `tiphys approve`\n',
    );
    await world.clock.advance(MINUTE);
    expect((await tiphys('approve', 'vault')).status).toBe(0);
    expect(await ended(report)).toMatchObject({ exitStatus: 0 });
  });

  test('what is approved for something else is replaced', async () => {
    const { tiphys, world, withFile } = place();
    world.settle('vault');
    await withFile(other)('approve', 'vault');
    world.settle('vault', { wanted: 'spec-2', compared: 'spec-2' });
    expect((await tiphys('approve', 'vault')).status).toBe(0);
  });
});

describe('is refused', () => {
  test('where nothing asks for it', async () => {
    const { tiphys } = place();
    for (const name of ['api', 'stack:s', 'platform']) {
      const { status, stderr } = await tiphys('approve', name);
      expect([status, stderr.includes('Gates that need approval: vault.')]).toEqual([3, true]);
    }
  });

  test('where it is not Healthy yet', async () => {
    const { tiphys, world } = place();
    const { status, stderr } = await tiphys('approve', 'vault');
    expect([status, stderr]).toMatchInlineSnapshot(`
      [
        1,
        "error[approval-not-awaited]: "vault" is not ready for approval: sync status is OutOfSync.
        hint: Approve it once it is Healthy; see \`tiphys explain vault\`.
      ",
      ]
    `);
    expect(world.argocd.store.texts.size).toBe(0);
  });

  test('for a run that is not active', async () => {
    const { tiphys, begin } = place();
    await begin();
    const { status, stderr } = await tiphys('approve', 'vault', '--run', 'run-9');
    expect([status, stderr.includes('The active run is run-0.')]).toEqual([3, true]);
  });

  test('as a denial where no run waits', async () => {
    const { tiphys, world } = place();
    world.settle('vault');
    const { status, stderr } = await tiphys('approve', 'vault', '--deny');
    expect([status, stderr.includes('no run is active')]).toEqual([1, true]);
  });

  test.each([
    [['--reason', 'x'], '--reason requires --deny'],
    [['--deny', '--reason', ''], '1 to 300 characters, not 0.\n  hint: Give a reason, or remove'],
    [
      ['--deny', '--reason', 'x'.repeat(301)],
      '1 to 300 characters, not 301.\n  hint: Shorten the reason',
    ],
  ])('%j', async (options, message) => {
    const { status, stderr } = await place().tiphys('approve', 'vault', ...options);
    expect([status, stderr.includes(message)]).toEqual([3, true]);
  });

  test('by a cluster that forbids it', async () => {
    const { tiphys, world } = place();
    world.settle('vault');
    const message = 'configmaps is forbidden';
    world.argocd.store.refusals.push({ kind: 'refused', reason: 'forbidden', message });
    const { status, stderr } = await tiphys('approve', 'vault');
    expect([status, stderr.includes(message)]).toEqual([3, true]);
  });
});

test('without a run, it counts for the next one; a denial takes it back', async () => {
  const { tiphys, world } = place();
  world.settle('vault');
  expect((await tiphys('approve', 'vault')).stdout).toContain('the next run does not ask again');
  expect((await tiphys('validate')).stdout).not.toContain('approval is needed');
  expect((await tiphys('approve', 'vault', '--deny')).stdout).toContain('the next run asks again');
  expect((await tiphys('validate')).stdout).toContain('approval is needed');
});

test('an answer that is lost is no answer: it is said again', async () => {
  const { tiphys, world } = place();
  world.settle('vault');
  const lost = { kind: 'unknown', message: 'no answer' } as const;
  world.argocd.store.refusals.push(lost, lost);
  expect((await tiphys('approve', 'vault')).status).toBe(0);
  world.argocd.store.texts.clear();
  world.argocd.store.refusals.push(lost, lost, lost);
  const { status, stderr } = await tiphys('approve', 'vault');
  expect([status, stderr.includes('Run the same command again.')]).toEqual([1, true]);
});

test('what does not ask is told before the cluster is reached', async () => {
  const { tiphys } = place();
  cluster.reached = undefined;
  const { status, stderr } = await tiphys('approve', 'api');
  expect(status).toBe(3);
  expect(stderr).toContain('"api" has no `gate.approval`, so it needs no approval.');
});
