// A platform deployed by Argo Workflows, from an image that the project built: the same outcome as by the embedded engine.
import { readFile } from 'node:fs/promises';
import type { KubernetesObject } from '@kubernetes/client-node';
import { load } from 'js-yaml';
import { expect, vi } from 'vitest';
import type { Report } from '../../../src/run/report.ts';
import { child } from '../kit/family.ts';
import { full } from '../kit/full.ts';
import { heldApplications, holdFromBefore, QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { Tiphys } from '../kit/tiphys.ts';
import { healthySince, operationsOf } from '../kit/traces.ts';
import { allowRuns, BY_WORKFLOW, environmentFor, loadExecutor } from '../kit/workflow-runs.ts';
import { configMap, deployment } from '../kit/workloads.ts';

/** Three layers of four. */
const GRAPH: Readonly<Record<string, readonly string[]>> = {
  ...{ a0: [], a1: [], a2: [], a3: [] },
  ...{ b0: ['a0', 'a1'], b1: ['a1'], b2: ['a2'], b3: ['a3'] },
  ...{ c0: ['b0'], c1: ['b0', 'b1'], c2: ['b2'], c3: [] },
};
const NAMES = Object.keys(GRAPH);

/** What is committed: each application at a version, but for those that never become Healthy. */
function content(version: string, broken: readonly string[] = []): [string, KubernetesObject][] {
  return NAMES.map((name) => [
    `${name}/app.yaml`,
    broken.includes(name) ? deployment({ name, readyAfter: '1h' }) : configMap(name, { version }),
  ]);
}

async function platform(scratch: Scratch): Promise<Tiphys> {
  await loadExecutor(scratch);
  await allowRuns(scratch);
  await scratch.repository.commit(Object.fromEntries(content('1')));
  await heldApplications(scratch, ...NAMES);
  const tiphys = new Tiphys(scratch);
  const named = (suffix: string) => `${scratch.name}-${suffix}`;
  const applications = NAMES.map((name) => ({
    name: named(name),
    dependsOn: (GRAPH[name] ?? []).map(named),
  }));
  const timeouts = { sync: '60s', health: '15s' };
  await tiphys.platform({ ...QUICK, timeouts, stacks: [{ name: 's', applications }] });
  await environmentFor(scratch);
  return tiphys;
}

/** All that does not hang on the moment, the revision or the random name of a run. */
const lasting = ({ nodes, held, counts, exitStatus, plan }: Report) => ({
  ...{ held, counts, exitStatus, plan },
  nodes: nodes.map(({ id, outcome, cause, attempts, operations, evidence }) => ({
    ...{ id, outcome, attempts, cause: cause?.node, operations: operations.length },
    evidence: evidence !== null,
  })),
});

// A pod for each node, four at a time and more on two cores.
vi.setConfig({ testTimeout: 300_000 });

test('12 applications: in order, held meanwhile, and the same report as by the embedded engine', async ({
  stack,
  scratch,
}) => {
  const tiphys = await platform(scratch);
  const mark = await stack.audit.mark();
  const first = await tiphys.deploy(...BY_WORKFLOW);
  expect(first.report.nodes.filter(({ cause }) => cause)).toEqual([]);
  expect([first.status, first.report.exitStatus, first.report.held]).toEqual([0, 0, []]);
  const made = await operationsOf(scratch, mark);
  expect(made.map(({ application }) => application).sort()).toEqual([...NAMES].sort());
  expect(made.filter(({ automated }) => automated)).toEqual([]);
  const healthy = await healthySince(scratch, mark);
  for (const { application, at } of made) {
    for (const before of GRAPH[application] ?? [])
      expect(healthy.get(before), `${before} before ${application}`).toBeLessThan(at.getTime());
  }
  const types = new Set(first.events.map(({ type }) => type));
  for (const type of ['run.started', 'node.started', 'node.sync-requested', 'gate.opened'])
    expect(types).toContain(type);
  expect(types).toContain('run.finished');

  // They were handed over: without a hold Argo CD would be quicker.
  await holdFromBefore(scratch, ...NAMES);
  await scratch.repository.commit(Object.fromEntries(content('2')));
  const embedded = await tiphys.deploy();
  expect(lasting(embedded.report)).toEqual(lasting(first.report));
  const path = (report: Report) =>
    (Date.parse(report.finishedAt) - Date.parse(report.startedAt)) / 1000;
  const [by, alone] = [path(first.report), path(embedded.report)];
  console.info(
    `argo-workflows: ${by.toFixed(1)} s, embedded: ${alone.toFixed(1)} s; per node of the longest chain of 3: ${((by - alone) / 3).toFixed(1)} s more; pods: ${NAMES.length + 2}`,
  );
});

test.runIf(full)(
  'what fails keeps back only what is behind it, and both stay held, by either engine',
  async ({ scratch }) => {
    const tiphys = await platform(scratch);
    await scratch.repository.commit(Object.fromEntries(content('1', ['b0'])));
    const by = await tiphys.deploy(...BY_WORKFLOW);
    const named = (...suffixes: string[]) =>
      suffixes.map((suffix) => `app:${scratch.name}-${suffix}`);
    const failed = by.report.nodes.filter(({ outcome }) => outcome === 'failed');
    const skipped = by.report.nodes.filter(({ outcome }) => outcome === 'skipped');
    expect([by.status, failed.map(({ id }) => id)]).toEqual([2, named('b0')]);
    expect(skipped.map(({ id }) => id)).toEqual(named('c0', 'c1'));
    expect([...by.report.held].sort()).toEqual(named('b0', 'c0', 'c1'));
    const alone = await tiphys.deploy();
    expect([alone.status, alone.report.held]).toEqual([2, by.report.held]);
  },
);

test.runIf(full)(
  'a stack’s own Application opens before its members and closes after them',
  async ({ stack, scratch }) => {
    await loadExecutor(scratch);
    await allowRuns(scratch);
    await scratch.repository.commit({
      'parent/one.yaml': child(scratch, 'one'),
      'parent/two.yaml': child(scratch, 'two'),
      'one/app.yaml': configMap('one', {}),
      'two/app.yaml': configMap('two', {}),
    });
    await holdFromBefore(scratch, 'parent', 'one', 'two');
    const parent = await scratch.application('parent', {
      path: 'parent',
      automated: { selfHeal: true },
    });
    const tiphys = new Tiphys(scratch);
    const [one, two] = ['one', 'two'].map((suffix) => `${scratch.name}-${suffix}`);
    const applications = [{ name: one }, { name: two, dependsOn: [one] }];
    await tiphys.platform({ ...QUICK, stacks: [{ name: 's', application: parent, applications }] });
    await environmentFor(scratch);
    const mark = await stack.audit.mark();
    const { status, report } = await tiphys.deploy(...BY_WORKFLOW);
    expect(report.nodes.filter(({ cause }) => cause)).toEqual([]);
    expect([status, report.held]).toEqual([0, []]);
    expect(report.nodes.map(({ id }) => id)).toEqual([
      ...['open:stack:s', `app:${one}`, `app:${two}`, 'close:stack:s'],
    ]);
    const made = await operationsOf(scratch, mark);
    expect(made.map(({ application }) => application)).toEqual(['parent', 'one', 'two']);
  },
);

interface ReferenceFile {
  readonly spec: {
    readonly stacks: readonly {
      readonly name: string;
      readonly dependsOn?: readonly string[];
      readonly applications: readonly { readonly name: string; readonly dependsOn?: string[] }[];
    }[];
  };
}

test.runIf(full)(
  '43 applications in the order of the reference platform',
  { timeout: 900_000 },
  async ({ stack, scratch }) => {
    const text = await readFile('examples/reference/platform.yaml', 'utf8');
    const { stacks } = (load(text) as ReferenceFile).spec;
    const named = (one: string) => (one.startsWith('stack:') ? one : `${scratch.name}-${one}`);
    const names = stacks.flatMap(({ applications }) => applications.map(({ name }) => name));
    expect(names).toHaveLength(43);
    await loadExecutor(scratch);
    await allowRuns(scratch);
    const files = names.map((name) => [`${name}/app.yaml`, configMap(name, {})] as const);
    await scratch.repository.commit(Object.fromEntries(files));
    await heldApplications(scratch, ...names);
    const tiphys = new Tiphys(scratch);
    await tiphys.platform({
      // So many at once are slow on a machine of two cores.
      ...{ ...QUICK, timeouts: { sync: '3m', health: '5m' }, concurrency: 4 },
      stacks: stacks.map(({ name, dependsOn = [], applications }) => ({
        ...{ name, dependsOn },
        applications: applications.map((one) => ({
          name: named(one.name),
          dependsOn: (one.dependsOn ?? []).map(named),
        })),
      })),
    });
    await environmentFor(scratch);
    const mark = await stack.audit.mark();
    const { status, report } = await tiphys.deploy(...BY_WORKFLOW);
    expect(report.nodes.filter(({ cause }) => cause)).toEqual([]);
    expect([status, report.counts.healthy, report.held]).toEqual([0, 43, []]);
    const made = await operationsOf(scratch, mark);
    expect(made.map(({ application }) => application).sort()).toEqual([...names].sort());
    const seconds = (Date.parse(report.finishedAt) - Date.parse(report.startedAt)) / 1000;
    console.info(`43 applications are up after ${seconds} s`);
  },
);
