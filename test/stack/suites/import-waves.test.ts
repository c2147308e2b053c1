// A platform that sync waves and two waiting Jobs have locked up, as such platforms are: imported from where it is stuck, linted, patched as
// lint proposes, deployed in the imported order, torn down.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dump as dumpYaml, load, loadAll } from 'js-yaml';
import { expect, vi } from 'vitest';
import type { ImportReport } from '../../../src/import/report/import-report.ts';
import type { LintReport } from '../../../src/lint/finding.ts';
import { dump } from '../kit/dump.ts';
import { type ImportUser, importUser } from '../kit/import-user.ts';
import { nestedHealth } from '../kit/nested-health.ts';
import type { Scratch } from '../kit/scratch.ts';
import { isDeployed, test } from '../kit/test.ts';
import { Tiphys } from '../kit/tiphys.ts';
import { healthySince, operationsOf } from '../kit/traces.ts';
import { waitImage } from '../kit/wait-image.ts';
import { MEMBERS, PARENT, WavesPlatform } from '../kit/waves-platform.ts';

vi.setConfig({ testTimeout: 600_000 });

/** Until the second Job waits, and the parent for the Application that has it. */
async function untilStuck({ stack }: Scratch, platform: WavesPlatform): Promise<void> {
  await stack.application(platform.name('gateway'), 'waiting for its hook', ({ status }) =>
    /hook .*wait-for-web/.test(status?.operationState?.message ?? ''),
  );
  await stack.application(platform.name(PARENT), 'waiting for gateway', ({ status }) =>
    /Application\/.*-gateway/.test(status?.operationState?.message ?? ''),
  );
  const names = (await stack.applications()).map(({ metadata }) => metadata?.name);
  expect(names).toContain(platform.name('api'));
  for (const late of ['web', 'worker']) expect(names).not.toContain(platform.name(late));
}

/** Returns the dependencies that were written. */
async function writeNeeded(
  path: string,
  lint: () => Promise<LintReport['findings']>,
): Promise<string[]> {
  const added: string[] = [];
  for (;;) {
    const needed = (await lint()).filter(({ rule }) => rule === 'wave-needed');
    const edges = needed.flatMap(({ edge }) => edge ?? []);
    expect(edges).toHaveLength(needed.length);
    if (edges.length === 0) return added;
    const file = load(await readFile(path, 'utf8')) as {
      spec: { stacks: { applications: { name: string; dependsOn?: string[] }[] }[] };
    };
    for (const { dependent, dependency } of edges) {
      const members = file.spec.stacks.flatMap(({ applications }) => applications);
      const member = members.find((one) => one.name === dependent);
      if (!member) throw new Error(`The file has no ${dependent}.`);
      member.dependsOn = [...(member.dependsOn ?? []), dependency];
      added.push(`${dependent}->${dependency}`);
    }
    await writeFile(path, dumpYaml(file));
  }
}

/** The components of `lint -o patches`, each beside the kustomization that its first line names. */
async function applyPatches(
  { repository, name }: Scratch,
  platform: WavesPlatform,
  text: string,
): Promise<string[]> {
  const folders: string[] = [];
  for (const component of text.split(/^---\n/m)) {
    const [, application] = /^# Application (\S+):/.exec(component) ?? [];
    const folder = application === undefined ? PARENT : application.replace(`${name}-`, '');
    folders.push(folder);
    await repository.commit({
      [`source/${folder}/lint/kustomization.yaml`]: component,
      [`source/${folder}/kustomization.yaml`]: 'resources: [manifests.yaml]\ncomponents: [lint]\n',
    });
  }
  await platform.render();
  return folders;
}

/** `KIND NAME` of what Argo CD reads in a folder, and the annotations. */
async function rendered({ repository }: Scratch, folder: string) {
  const file = join(repository.directory, 'rendered', folder, 'manifests.yaml');
  const objects = loadAll(await readFile(file, 'utf8')) as {
    kind: string;
    metadata: { name: string; annotations?: object };
  }[];
  return objects.map(({ kind, metadata }) => ({ ...metadata, kind }));
}

const reader = (tiphys: Tiphys, { env }: ImportUser) => {
  return (...args: string[]) => tiphys.start([...args, '--from-cluster'], env).ended;
};

test('a platform that is stuck by its waves and waits is imported, freed of them and deployed', async ({
  stack,
  scratch,
}) => {
  await nestedHealth(scratch);
  await waitImage(scratch);
  const platform = new WavesPlatform(scratch);
  await platform.create();
  await platform.begin();
  await untilStuck(scratch, platform);
  const tiphys = new Tiphys(scratch);
  await tiphys.platform({ stacks: [] });
  const call = reader(tiphys, await importUser(scratch));
  const name = (suffix: string) => platform.name(suffix);
  const edge = (dependent: string, dependency: string) => `${name(dependent)}->${name(dependency)}`;
  const outcomes = ({ edges }: ImportReport) =>
    edges.map(({ dependent, dependency, outcome }) => `${dependent}->${dependency} ${outcome}`);

  const first = await call('import', '--name', scratch.name, '-f', 'first.yaml', '-o', 'json');
  const report: ImportReport = JSON.parse(first.stdout);
  expect(first.status).toBe(2);
  const problems = report.notes.filter(({ kind }) => kind === 'read-problem');
  expect(problems.map(({ text }) => text.split(':')[0])).toEqual(['web', 'worker'].map(name));
  expect(report.summary.applications).toBe(MEMBERS.length + 1);
  expect(outcomes(report)).toEqual([
    `${edge('api', 'db')} written`,
    `${edge('gateway', 'web')} suggested`,
  ]);

  const accepted = ['--accept', edge('gateway', 'web'), '-f', 'new.yaml', '-o', 'json'];
  const second = await call('import', '--name', scratch.name, ...accepted);
  expect(second.status).toBe(2);
  expect(outcomes(JSON.parse(second.stdout))).toContain(`${edge('gateway', 'web')} written`);
  const plan = await tiphys.run('plan', '-f', 'new.yaml');
  expect([plan.stderr, plan.status]).toEqual(['', 0]);

  const lint = async (status: number): Promise<LintReport['findings']> => {
    const ended = await call('lint', '-f', 'new.yaml', '-o', 'json');
    expect(ended.status).toBe(status);
    return (JSON.parse(ended.stdout) as LintReport).findings;
  };
  // What only the waves order is written into the file, as lint says, until it needs none of them.
  const added = await writeNeeded(join(tiphys.folder, 'new.yaml'), () => lint(2));
  expect(added.sort()).toEqual(
    [
      ...[edge('api', 'cache'), edge('api', 'queue'), edge('gateway', 'api')],
      ...[edge('web', 'api'), edge('worker', 'gateway')],
    ].sort(),
  );
  const found = (await lint(2))
    .filter(({ rule }) => rule !== 'wave-needless')
    .map(({ rule, application, object, patch }) => [rule, application, object, patch !== null]);
  expect(found).toEqual([
    ['wait-for-application', name('api'), 'Job/wait-for-db', true],
    ['wave-contradicts', name('gateway'), null, false],
    ['wait-for-application', name('gateway'), 'Job/wait-for-web', true],
  ]);
  const patches = await call('lint', '-f', 'new.yaml', '-o', 'patches');
  expect(patches.stderr).toBe('');

  await platform.end(PARENT, 'gateway');
  const waves = await rendered(scratch, PARENT);
  expect(waves.every(({ annotations }) => annotations !== undefined)).toBe(true);
  const gateway = await rendered(scratch, 'gateway');
  const patched = await applyPatches(scratch, platform, patches.stdout);
  expect(patched.sort()).toEqual(['api', 'gateway', PARENT].sort());
  expect(await rendered(scratch, 'gateway')).toEqual(gateway.filter(({ kind }) => kind !== 'Job'));
  expect((await rendered(scratch, 'api')).map(({ kind }) => kind)).not.toContain('Job');
  expect((await rendered(scratch, PARENT)).map(({ annotations }) => annotations ?? {})).toEqual(
    MEMBERS.map(() => ({})),
  );

  const mark = await stack.audit.mark();
  const run = await tiphys.deploy('-f', 'new.yaml');
  expect(run.report.nodes.filter(({ cause }) => cause)).toEqual([]);
  expect(run.status).toBe(0);
  const all = await Promise.all(
    [...MEMBERS, PARENT].map((one) => stack.argocd.application(name(one))),
  );
  expect(all.filter((one) => !isDeployed(one))).toEqual([]);
  const healthy = await healthySince(scratch, mark);
  const made = await operationsOf(scratch, mark);
  const begun = made.findLast(({ application }) => application === 'gateway');
  expect(begun?.at.getTime()).toBeGreaterThanOrEqual(healthy.get('web') ?? Number.NaN);

  // The children got theirs back by the sync of their parent; its own is given back by hand.
  await platform.begin();
  const policies = (await stack.applications())
    .filter(({ spec }) => spec.project === scratch.name)
    .map(({ spec }) => spec.syncPolicy);
  expect(policies).toHaveLength(MEMBERS.length + 1);
  for (const policy of policies) expect(policy).toMatchObject({ automated: { selfHeal: true } });

  const again = await call('lint', '-f', 'new.yaml', '-o', 'json');
  expect([JSON.parse(again.stdout), again.status]).toMatchObject([{ findings: [] }, 0]);
  const inventory = await tiphys.inventory('-f', 'new.yaml');
  expect(inventory.refusals).toEqual([]);
  const torn = await tiphys.teardown(inventory, '-f', 'new.yaml');
  expect(torn.report.nodes.filter(({ cause }) => cause)).toEqual([]);
  expect(torn.status).toBe(0);
  expect(
    await dump(stack, new Set([...MEMBERS, PARENT].map(name)), scratch.repository.url),
  ).toEqual({});
  const kinds = ['clusterroles,clusterrolebindings', '--output=name'];
  const others = (await stack.run('kubectl', 'get', ...kinds)).split('\n');
  expect(others.filter((one) => one.endsWith('-wait'))).toEqual([]);
});
