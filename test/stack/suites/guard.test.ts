// A guarded platform: syncs come from Tiphys, or from a break-glass account, which is told. Argo CD corrects drift, and nothing else.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { accountToken } from '../kit/account.ts';
import { ArgocdClient } from '../kit/argocd-client.ts';
import { chain, drift, file, valueIn } from '../kit/drift.ts';
import { full } from '../kit/full.ts';
import {
  argocdSync,
  guard,
  installGuard,
  patched,
  refusedOperations,
  removeGuard,
  setGuard,
} from '../kit/guard.ts';
import type { Application } from '../kit/objects.ts';
import { operationsSince } from '../kit/operations.ts';
import { holdFromBefore } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { stack } from '../kit/stack.ts';
import { isDeployed, test } from '../kit/test.ts';

const syncRights = ({ name }: Scratch) =>
  ['get', 'sync'].map((verb) => `applications, ${verb}, ${name}/*`);

const hasSyncError = ({ status }: Application) =>
  (status?.conditions ?? []).some(({ type }) => type === 'SyncError');

const refusal = (name: string, who: string) =>
  `Application "${name}" belongs to the Tiphys platform "${name.slice(0, -2)}", and ${who} may not sync it: run \`tiphys deploy --scope app:${name}\`, or sync it with a break-glass account of the AppProject ${name.slice(0, -2)}`;

beforeAll(() => installGuard(stack()));
afterAll(() => removeGuard(stack()));

describe.concurrent('a guarded platform', () => {
  test('nobody but Tiphys syncs, whether by Argo CD or by kubectl', async ({ stack, scratch }) => {
    const tiphys = await chain(scratch, ['a', 'b']);
    const a = `${scratch.name}-a`;
    await guard(scratch);
    const token = await accountToken(scratch, syncRights(scratch));
    const message = refusal(a, `the Argo CD account "${scratch.name}"`);
    const answer = await new ArgocdClient(token).sync(a).catch((error) => error);
    expect([answer.status, JSON.parse(answer.message.replace(/^.*?: /, '')).message]).toEqual([
      ...[403, expect.stringContaining(message)],
    ]);
    const said = await argocdSync(scratch, a, token);
    expect(said).toContain('PermissionDenied');
    expect(said.replaceAll('\\"', '"')).toContain(message);

    const sync = { revision: await scratch.repository.revision() };
    const forged = [{ username: 'tiphys' }, { automated: true }, {}];
    for (const initiatedBy of forged) {
      expect(await patched(scratch, a, { operation: { initiatedBy, sync } })).toContain(
        refusal(a, 'the Kubernetes user "admin"'),
      );
    }
    const history = [{ id: 0, revision: sync.revision, deployedAt: '2026-01-01T00:00:00Z' }];
    expect(await patched(scratch, a, { status: { history } })).toContain('only Argo CD writes its');
    expect(await patched(scratch, a, { spec: { project: 'default' } })).toContain(
      'only a change in',
    );
    expect(await patched(scratch, a, { metadata: { labels: { a: 'b' } } })).toContain('patched');
    expect((await stack.argocd.application(a)).status?.operationState).toBeUndefined();

    // The account counts, and not the program.
    const tokenFile = join(scratch.repository.directory, '.git', 'token');
    await writeFile(tokenFile, token, { mode: 0o600 });
    const other = await tiphys.deploy('--argocd-token-file', tokenFile);
    expect([other.status, other.outcomes[`app:${a}`]]).toEqual([1, 'failed']);
    expect(other.stdout.replaceAll('\\"', '"')).toContain(message);
    const run = await tiphys.deploy('--strict');
    expect([run.status, run.report.counts.healthy]).toEqual([0, 2]);
  });

  test('Argo CD corrects drift, and leaves a new commit to Tiphys', async ({ stack, scratch }) => {
    const tiphys = await chain(scratch, ['a', 'b']);
    const [a, b] = ['a', 'b'].map((name) => `${scratch.name}-${name}`) as [string, string];
    await guard(scratch);
    expect((await tiphys.deploy()).status).toBe(0);
    await drift(scratch, 'a');

    const mark = await stack.audit.mark();
    const revision = await scratch.repository.commit(file('a', 'two'));
    await stack.argocd.application(a, 'normal');
    const refused = await stack.application(a, 'refused', hasSyncError);
    expect(refused.status?.conditions?.map(({ message }) => message).join()).toContain(
      `run \`tiphys deploy --scope app:${a}\``,
    );
    // One that was never deployed waits, too.
    const c = await scratch.application('c', { path: 'a', automated: {} });
    await stack.application(c, 'refused', hasSyncError);
    // Long enough to see whether it tries again and again.
    const seconds = full ? 60 : 25;
    await setTimeout(seconds * 1000);
    const attempts = await refusedOperations(scratch, mark, a);
    console.log(`automated syncs refused in ${seconds} s: ${attempts.length}`);
    expect(attempts.length).toBeGreaterThan(0);
    expect(attempts.length).toBeLessThan(10);
    expect(await valueIn(scratch, 'a')).toBe('one');
    expect(await operationsSince(stack, mark, new RegExp(`^(${a}|${c})$`))).toEqual([]);

    const run = await tiphys.deploy();
    expect([run.status, run.outcomes]).toMatchObject([
      ...[0, { [`app:${a}`]: 'healthy', [`app:${b}`]: 'unchanged' }],
    ]);
    expect(await valueIn(scratch, 'a')).toBe('two');
    // The commit changed nothing of b, which was not synced: its drift is corrected at that commit all the same.
    const before = await stack.argocd.application(b, 'normal');
    expect(before.status?.sync).toMatchObject({ status: 'Synced', revision });
    expect(before.status?.operationState?.syncResult?.revision).not.toBe(revision);
    const healed = await drift(scratch, 'b');
    expect(healed.status?.operationState?.syncResult?.revision).toBe(revision);
    await drift(scratch, 'b');
  });

  test('Argo CD corrects drift of several sources', async ({ scratch }) => {
    const { repository } = scratch;
    const source = {
      repoURL: repository.url,
      targetRevision: 'main',
      directory: { recurse: false },
    };
    const sources = ['a', 'b'].map((path) => ({ ...source, path }));
    await repository.commit(file('b', 'one'));
    const tiphys = await chain(scratch, ['a'], async () => {
      await holdFromBefore(scratch, 'a');
      await scratch.application('a', { path: 'a', sources, automated: { selfHeal: true } });
    });
    await guard(scratch);
    expect((await tiphys.deploy()).status).toBe(0);
    await drift(scratch, 'a');
    await drift(scratch, 'b', 'a');
  });

  test('a break-glass account syncs, and it is told who did', async ({ stack, scratch }) => {
    // Just after a sync Argo CD may compare with objects from before and heal them, and then the last operation is its own.
    const tiphys = await chain(scratch, ['a', 'b'], async () => {
      for (const path of ['a', 'b']) await scratch.application(path, { path });
    });
    const a = `${scratch.name}-a`;
    const glass = `${scratch.name}-glass`;
    await guard(scratch, glass);
    expect((await tiphys.deploy()).status).toBe(0);
    await scratch.repository.commit(file('a', 'two'));
    const mark = await stack.audit.mark();
    const client = new ArgocdClient(await accountToken(scratch, syncRights(scratch), glass));
    await client.sync(a);
    await stack.reminded(a, 'synced', async () => (await valueIn(scratch, 'a')) === 'two');
    await stack.application(a, 'Synced and Healthy', isDeployed);
    const writes = await stack.audit.since(mark, { resource: 'applications.argoproj.io', name: a });
    expect(
      writes.flatMap(({ annotations }) => annotations['tiphys-guard/break-glass'] ?? []),
    ).toEqual([
      `Application "${a}" belongs to the Tiphys platform "${scratch.name}", and the break-glass account "${glass}" syncs it`,
    ]);
    for (const command of ['status', 'validate'])
      expect((await tiphys.run(command)).stdout).toContain(`${a} was last synced by "${glass}" at`);
  });
});

// A measurement.
test.runIf(full)('how long a deployment takes with and without it', async ({ scratch }) => {
  const names = ['a', 'b', 'c'];
  // Argo CD would sync them by itself otherwise, where nothing guards them.
  const tiphys = await chain(scratch, names, async () => {
    for (const path of names) await scratch.application(path, { path });
  });
  const deploy = async (value: string) => {
    await scratch.repository.commit(Object.assign({}, ...names.map((name) => file(name, value))));
    const begin = performance.now();
    const run = await tiphys.deploy();
    expect([run.status, run.report.counts.healthy]).toEqual([0, 3]);
    return (performance.now() - begin) / 1000;
  };
  await deploy('first');
  await guard(scratch);
  const [within, without]: [number[], number[]] = [[], []];
  // In turn, so that what else slows the machine down concerns both.
  for (const round of ['1', '2', '3']) {
    await setGuard(scratch, undefined);
    without.push(await deploy(`without ${round}`));
    await setGuard(scratch, {});
    within.push(await deploy(`with ${round}`));
  }
  const sum = (times: readonly number[]) => times.reduce((a, b) => a + b);
  const render = (times: readonly number[]) => times.map((one) => one.toFixed(1)).join(', ');
  const ratio = (sum(within) / sum(without)).toFixed(2);
  console.log(
    `seconds of deployments with the guard ${render(within)}, without ${render(without)}: ${ratio}`,
  );
});
