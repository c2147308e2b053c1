// The reference platform as Argo CD deploys it without Tiphys, adopted by `tiphys import` from the live cluster alone: what it proposes is
// held against the file that the import has never seen.
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { ImportDiff } from '../../../src/import/diff/import-diff.ts';
import type { ImportReport } from '../../../src/import/report/import-report.ts';
import { deployedByArgocd, withoutTiphys } from '../kit/adopted-reference.ts';
import { isQuestion } from '../kit/audit.ts';
import { full } from '../kit/full.ts';
import { type ImportUser, importUser } from '../kit/import-user.ts';
import { Reference } from '../kit/reference.ts';
import { type Edge, expectTrue, NOT_NAMED, POLICY, pairs } from '../kit/reference-edges.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import type { Ended } from '../kit/tiphys.ts';
import { changesIn } from '../kit/traces.ts';
import { ownUser } from '../kit/user.ts';

/** In a Secret that is synced, and in one that is a hook. */
const PASSWORD = 'not-for-anybody-to-read';
const secret = (name: string, annotations: string) => `apiVersion: v1
kind: Secret
metadata: {name: ${name}, annotations: {${annotations}}}
stringData: {password: ${PASSWORD}}
`;

/** Everything that the commands print, and the files that they write. */
class Outputs {
  readonly #texts: string[] = [];

  add({ stdout, stderr }: Ended): void {
    this.#texts.push(stdout, stderr);
  }

  async file(path: string): Promise<string> {
    const text = await readFile(path, 'utf8');
    this.#texts.push(text);
    return text;
  }

  expectNoSecret(): void {
    expect(this.#texts.join('').length).toBeGreaterThan(10_000);
    const forms = [PASSWORD, Buffer.from(PASSWORD).toString('base64')];
    for (const text of this.#texts) {
      for (const form of forms) expect(text.includes(form)).toBe(false);
    }
  }
}

interface Adoption {
  readonly reference: Reference;
  readonly user: ImportUser;
  readonly report: ImportReport;
  /** Of the platform's file, between applications that are deployed. */
  readonly truth: readonly Edge[];
  readonly outputs: Outputs;
  readonly call: (...args: string[]) => Promise<Ended>;
  readonly deployer: string;
}

/** Deployed by Argo CD, then imported from the cluster. The platform's own file lies where no command looks. */
async function adopt(
  scratch: Scratch,
  count: number,
  prepare: (reference: Reference) => Promise<void>,
): Promise<Adoption> {
  const { stack } = scratch;
  const deployer = await ownUser(scratch);
  const reference = await Reference.create(scratch, { KUBECONFIG: deployer.kubeconfig });
  await prepare(reference);
  await scratch.repository.commit({
    'stand-ins/metrics-server/secret.yaml': secret('synced', ''),
    'stand-ins/metrics-server/hook.yaml': secret(
      'hook',
      'argocd.argoproj.io/hook: PreSync, argocd.argoproj.io/hook-delete-policy: HookSucceeded',
    ),
  });
  await reference.bootstrap();
  const begin = Date.now();
  await deployedByArgocd(stack, reference, count);
  console.log(`Argo CD has deployed it after ${(Date.now() - begin) / 1000} s`);
  const members = new Set((await reference.applications()).keys());
  const truth = [...(await reference.dependencies())].flatMap(([dependent, dependencies]) =>
    [...dependencies].map((dependency): Edge => [dependent, dependency]),
  );
  await rename(join(reference.folder, 'platform.yaml'), join(reference.folder, '.git', 'truth'));

  const user = await importUser(scratch);
  const outputs = new Outputs();
  const call = async (...args: string[]) => {
    const ended = await reference.tiphys.start(args, user.env).ended;
    outputs.add(ended);
    return ended;
  };
  const mark = await stack.audit.mark();
  const source = ['--from-cluster', '--name', 'reference'];
  const first = await call('import', ...source, '-f', 'new.yaml', '-o', 'json');
  const report: ImportReport = JSON.parse(first.stdout);
  const unread = report.notes.filter(({ kind }) => kind === 'read-problem');
  expect([unread, report.cycles, report.problems]).toEqual([[], [], []]);
  expect(first.status).toBe(0);
  const text = await outputs.file(join(reference.folder, 'new.yaml'));

  const page = ['-f', 'again.yaml', '-o', 'html', '--report-file', 'report.html'];
  const second = await call('import', ...source, ...page);
  expect(second.status).toBe(0);
  expect(second.stderr).toContain(`reading Applications: ${count} of ${count}`);
  expect(second.stderr).toContain('reading managed resources: ');
  // Its comments name the file.
  const again = await outputs.file(join(reference.folder, 'again.yaml'));
  expect(again.replaceAll('again.yaml', 'new.yaml')).toBe(text);
  await outputs.file(join(reference.folder, 'report.html'));

  const third = await call('import', ...source, '-f', 'new.yaml');
  expect([third.status, third.stderr]).toEqual([3, expect.stringContaining('new.yaml')]);
  expect(await readFile(join(reference.folder, 'new.yaml'), 'utf8')).toBe(text);
  const sent = await stack.audit.since(mark, { user: user.name });
  expect(sent.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual([]);

  const known = truth.filter((edge) => edge.every((name) => members.has(name)));
  return { reference, user, report, truth: known, outputs, call, deployer: deployer.name };
}

/** The imported file is a platform file like any other: planned, in accord with the cluster, and deployed without a write. */
async function expectAdopted(scratch: Scratch, adoption: Adoption, members: number): Promise<void> {
  const { reference, call, deployer } = adoption;
  const { audit } = scratch.stack;
  const plan = await call('plan', '-f', 'new.yaml');
  expect([plan.stderr, plan.status]).toEqual(['', 0]);
  const diff = await call('import', '--from-cluster', '--diff', 'new.yaml', '-o', 'json');
  expect(diff.status).toBe(0);
  const { findings }: ImportDiff = JSON.parse(diff.stdout);
  expect(findings.filter(({ kind }) => kind !== 'suggested')).toEqual([]);
  const lint = await call('lint', '--from-cluster', '-f', 'new.yaml', '-o', 'json');
  expect([JSON.parse(lint.stdout), lint.status]).toMatchObject([{ findings: [], problems: [] }, 0]);

  const mark = await audit.mark();
  const run = await reference.tiphys.deploy('-f', 'new.yaml');
  expect(run.report.nodes.filter(({ cause }) => cause)).toEqual([]);
  expect(run.status).toBe(0);
  expect(new Set(Object.values(run.outcomes))).toEqual(new Set(['unchanged']));
  expect(Object.keys(run.outcomes).filter((id) => id.startsWith('app:'))).toHaveLength(members);
  expect(changesIn(await reference.writesSince(mark))).toEqual([]);
  const sent = (await audit.since(mark, { user: deployer })).filter((one) => !isQuestion(one));
  expect(new Set(sent.map(({ resource }) => resource))).toEqual(
    new Set(['leases.coordination.k8s.io', 'configmaps']),
  );
}

describe('the reference platform, deployed without Tiphys', () => {
  test('three stacks of it are imported, and deployed by the imported file without a write', async ({
    scratch,
  }) => {
    const stacks = ['infrastructure', 'storage', 'platform-data'];
    const adoption = await adopt(scratch, 15 + 3 + 1, (reference) =>
      withoutTiphys(reference, stacks),
    );
    const { truth, call, user, outputs } = adoption;
    expect(truth).toHaveLength(20);
    expectTrue(adoption, {
      policy: pairs(POLICY, truth),
      'not named': pairs(NOT_NAMED, truth),
    });
    await expectAdopted(scratch, adoption, 15);

    const attempt = async (name: string) => {
      const { status, stdout, stderr } = await call('import', '--from-cluster', '-f', name);
      return { status, text: stdout + stderr };
    };
    for (const [resource, lost] of [
      ['customresourcedefinitions', 'at run time are not known'],
      ['applicationsets', 'which Application has an ApplicationSet'],
      ['configmaps', 'wait for health'],
    ] as const) {
      await user.without(resource);
      const { status, text } = await attempt(`without-${resource}.yaml`);
      expect([status, text]).toEqual([2, expect.stringContaining(lost)]);
    }
    for (const resource of ['applications', 'services/proxy', 'services']) {
      await user.without(resource);
      const { status, text } = await attempt('never.yaml');
      expect([resource, status, text]).toEqual([resource, 3, expect.stringContaining('forbidden')]);
    }
    await user.without();
    const env = await user.powerless();
    const blind = await adoption.reference.tiphys.start(
      ['import', '--from-cluster', '-f', 'blind.yaml'],
      env,
    ).ended;
    outputs.add(blind);
    expect(blind.status).toBe(2);
    expect(blind.stdout).toContain('Only the names of what it deploys are known.');
    outputs.expectNoSecret();
  });

  test.runIf(full)(
    'all of it is imported: no edge is wrong, and what is not found has a reason',
    { timeout: 28 * 60_000 },
    async ({ scratch }) => {
      const adoption = await adopt(scratch, 43 + 11 + 1, async (reference) => {
        await withoutTiphys(reference);
        await names(reference, 'backstage', 'postgres-platform.platform.svc:5432');
        await names(reference, 'grafana', 'http://prometheus.monitoring:9090');
      });
      const { truth, call, outputs } = adoption;
      expectTrue(adoption, {
        policy: pairs(POLICY, truth),
        'not named': pairs(NOT_NAMED, truth),
        suggested: ['backstage->postgres-platform'],
        eventual: ['grafana->prometheus'],
      });
      await expectAdopted(scratch, adoption, 43);

      const file = join('.git', 'truth');
      const { stdout, status } = await call(
        'import',
        '--from-cluster',
        '--diff',
        file,
        '-o',
        'json',
      );
      expect(status).toBe(0);
      const { findings }: ImportDiff = JSON.parse(stdout);
      const unproved = findings.filter(({ kind }) => kind === 'unproved');
      expect(new Set(findings.map(({ level }) => level))).toEqual(new Set(['information']));
      expect(unproved.length).toBeGreaterThan(30);
      outputs.expectNoSecret();
    },
  );
});

/** Its stand-in gets an address in its environment. */
async function names(reference: Reference, application: string, address: string): Promise<void> {
  const file = `stand-ins/${application}/deployment.yaml`;
  const image = '          image: localhost/standin:1\n';
  const environment = `          env: [{name: BACKEND, value: "${address}"}]\n`;
  await reference.edit(file, image, image + environment);
}
