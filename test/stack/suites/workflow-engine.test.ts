// A platform deployed by Argo Workflows, from an image that the project built: the same outcome as by the embedded engine.
import type { KubernetesObject } from '@kubernetes/client-node';
import { expect } from 'vitest';
import type { Report } from '../../../src/report/run-report.ts';
import { child } from '../kit/family.ts';
import { full } from '../kit/full.ts';
import { lasting } from '../kit/lasting.ts';
import { heldApplications, holdFromBefore, QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { Tiphys } from '../kit/tiphys.ts';
import { healthySince, operationsOf } from '../kit/traces.ts';
import {
  allowRuns,
  BY_WORKFLOW,
  environmentFor,
  loadExecutor,
  SHAPES,
} from '../kit/workflow-runs.ts';
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

async function platform(scratch: Scratch, ofThem: object = {}): Promise<Tiphys> {
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
  await tiphys.platform({ ...QUICK, ...ofThem, stacks: [{ name: 's', applications }] });
  await environmentFor(scratch);
  return tiphys;
}

const seconds = (report: Report) =>
  (Date.parse(report.finishedAt) - Date.parse(report.startedAt)) / 1000;

/** Of a Workflow that has ended, how many pods it had, by its nodes. */
async function podsOf({ stack, namespace }: Scratch): Promise<number> {
  const list = ['get', 'workflows', '-n', namespace, '-o', 'json'];
  const { items } = JSON.parse(await stack.run('kubectl', ...list)) as {
    items: { status: { nodes: Record<string, { type: string }> } }[];
  };
  const types = Object.values(items.at(-1)?.status.nodes ?? {}).map(({ type }) => type);
  return types.filter((type) => type === 'Pod').length + (types.includes('Plugin') ? 1 : 0);
}

/** What is left of a run's record: of each part, whether it is closed. */
async function recordOf({ stack }: Scratch, run: string): Promise<boolean[]> {
  const list = ['get', 'configmaps', '-n', 'argocd', '-l', `tiphys.dev/run=${run}`, '-o', 'json'];
  const { items } = JSON.parse(await stack.run('kubectl', ...list)) as {
    items: { immutable?: boolean }[];
  };
  return items.map(({ immutable }) => immutable ?? false);
}

test.for(full ? SHAPES : (['agent'] as const))(
  '12 applications by %s: in order, held meanwhile, and the same reports as by the embedded engine',
  async (shape, { stack, scratch }) => {
    const by = [...BY_WORKFLOW, '--nodes', shape];
    const tiphys = await platform(scratch);
    const mark = await stack.audit.mark();
    const first = await tiphys.deploy(...by);
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
    expect(first.report.startedBy).toMatchObject({
      ...{ trigger: 'workflow', submittedBy: expect.stringMatching(/./) },
      user: `system:serviceaccount:${scratch.namespace}:tiphys-run`,
    });
    // Of the beginning, and of the end.
    expect(await recordOf(scratch, first.report.run)).toEqual([true, true]);
    const pods = await podsOf(scratch);
    expect(pods).toBe(shape === 'agent' ? 1 : NAMES.length + 2);

    // They were handed over: without a hold Argo CD would be quicker.
    await holdFromBefore(scratch, ...NAMES);
    await scratch.repository.commit(Object.fromEntries(content('2')));
    const embedded = await tiphys.deploy();
    expect(lasting(embedded.report)).toEqual(lasting(first.report));
    const [long, short] = [seconds(first.report), seconds(embedded.report)];
    console.info(
      `${shape}: ${long.toFixed(1)} s, embedded: ${short.toFixed(1)} s; per node of the longest chain of 3: ${((long - short) / 3).toFixed(1)} s more; pods: ${pods}`,
    );

    const down = await tiphys.teardown(await tiphys.inventory(), ...by);
    expect(down.report.nodes.filter(({ cause }) => cause)).toEqual([]);
    expect([down.status, down.report.counts.removed]).toEqual([0, NAMES.length]);
    if (!full) return;
    await heldApplications(scratch, ...NAMES);
    expect((await tiphys.deploy()).status).toBe(0);
    const alone = await tiphys.teardown(await tiphys.inventory());
    expect(lasting(down.report)).toEqual(lasting(alone.report));
    expect(down.report.leftovers).toEqual(alone.report.leftovers);
  },
);

test.runIf(full)(
  'what fails keeps back only what is behind it, and both stay held, by either engine',
  async ({ scratch }) => {
    const tiphys = await platform(scratch, { timeouts: { sync: '60s', health: '60s' } });
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
