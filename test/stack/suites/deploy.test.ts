// The whole command on a whole platform: order, and nothing done where nothing is to do.
import { describe, expect } from 'vitest';
import { isQuestion } from '../kit/audit.ts';
import { child } from '../kit/family.ts';
import { full } from '../kit/full.ts';
import { nestedHealth } from '../kit/nested-health.ts';
import { holdFromBefore, QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { Tiphys } from '../kit/tiphys.ts';
import { changesSince, healthySince, operationsOf, refreshesSince } from '../kit/traces.ts';
import { ownUser } from '../kit/user.ts';
import { configMap, deployment } from '../kit/workloads.ts';

/** Application -> what it depends on: a diamond with a tail and one beside it, and a second one of two feet. */
const BASE = { b0: [], b1: ['b0'], b2: ['b0'], b3: ['b1', 'b2'], b4: ['b3'], b5: [] };
const TOP = { t0: [], t1: [], t2: ['t0', 't1'], t3: ['t2'], t4: ['t2'], t5: ['t3', 't4'] };
const WAVES = { t0: 0, t1: 0, t2: 1, t3: 2, t4: 2, t5: 3 };
/** The last of each half needs time, so that a close that does not wait for it is seen. */
const SLOW = ['b4', 't5'];

type Graph = Readonly<Record<string, readonly string[]>>;
const names = (graph: Graph) => Object.keys(graph);

async function commit(scratch: Scratch, waves: Readonly<Record<string, number>>): Promise<void> {
  const workload = (name: string) =>
    SLOW.includes(name) ? deployment({ name, readyAfter: '4s' }) : configMap(name, {});
  const parent = (directory: string, graph: Graph) =>
    names(graph).map((name) => [`${directory}/${name}.yaml`, child(scratch, name, waves[name])]);
  await scratch.repository.commit(
    Object.fromEntries([
      ...[...names(BASE), ...names(TOP)].map((name) => [`${name}/app.yaml`, workload(name)]),
      ...parent('base', BASE),
      ...parent('top', TOP),
    ]),
  );
  await holdFromBefore(scratch, 'base', 'top', ...names(BASE), ...names(TOP));
  const automated = { selfHeal: true };
  for (const path of ['base', 'top']) await scratch.application(path, { path, automated });
}

function platformOf(scratch: Scratch) {
  const named = (suffix: string) => `${scratch.name}-${suffix}`;
  const stack = (name: string, graph: Graph, dependsOn: string[]) => ({
    name,
    application: named(name),
    dependsOn,
    applications: Object.entries(graph).map(([suffix, before]) => ({
      name: named(suffix),
      dependsOn: before.map(named),
    })),
  });
  return { ...QUICK, stacks: [stack('base', BASE, []), stack('top', TOP, ['stack:base'])] };
}

/** Whether Argo CD has a health for the children of the second stack: only with a check for Applications. */
async function childrensHealth({ stack, name }: Scratch): Promise<Set<boolean>> {
  const path = `applications/${name}-top/resource-tree`;
  const tree = await stack.argocd.request<{ nodes: { health?: object }[] }>('GET', path);
  return new Set(tree.nodes.map(({ health }) => health !== undefined));
}

describe('12 applications in two stacks with Applications of their own', () => {
  const ways = [
    ['no check for Applications', false, {}],
    ['the documented check, and children in sync waves', true, WAVES],
  ] as const;
  // The check and waves are in deploy-parents.test.ts, too.
  test.for(full ? ways : ways.slice(0, 1))(
    'in order, then unchanged: %s',
    async ([, check, waves], { stack, scratch }) => {
      if (check) await nestedHealth(scratch);
      await commit(scratch, waves);
      const user = await ownUser(scratch);
      const tiphys = new Tiphys(scratch, { KUBECONFIG: user.kubeconfig });
      await tiphys.platform(platformOf(scratch));

      const mark = await stack.audit.mark();
      const first = await tiphys.deploy();
      expect(first.stderr).toBe('');
      expect(first.report.nodes.filter(({ cause }) => cause)).toEqual([]);
      expect(first.status).toBe(0);
      expect(new Set(Object.values(first.outcomes))).toEqual(new Set(['healthy']));
      const made = await operationsOf(scratch, mark);
      const healthy = await healthySince(scratch, mark);
      // One each, and none of them Argo CD's own, though all sync by themselves.
      expect(made.map(({ application }) => application).sort()).toEqual(
        ['base', 'top', ...names(BASE), ...names(TOP)].sort(),
      );
      expect(made.filter(({ automated }) => automated)).toEqual([]);
      const requested = new Map(made.map(({ application, at }) => [application, at.getTime()]));
      const edges = [
        ...Object.entries<readonly string[]>({ ...BASE, ...TOP }),
        // A stack's Application is synced before its members, and the second one after all of the first.
        ['top', [...names(BASE), 'base']] as const,
      ];
      for (const [after, before] of edges) {
        for (const one of before) {
          const [then, now] = [healthy.get(one), requested.get(after)];
          expect(then, `${one} was Healthy before ${after} was asked for`).toBeLessThan(now ?? 0);
        }
      }
      expect(await childrensHealth(scratch)).toEqual(new Set([check]));

      const again = await stack.audit.mark();
      const second = await tiphys.deploy();
      expect(second.status).toBe(0);
      expect(new Set(Object.values(second.outcomes))).toEqual(new Set(['unchanged']));
      const own = /^(update|create) (leases.coordination.k8s.io|configmaps) tiphys-/;
      const changes = await changesSince(scratch, again);
      expect(changes.filter((change) => !own.test(change))).toEqual([]);
      // Not only to what the test has: this user sent nothing else at all, but for questions.
      const sent = await stack.audit.since(again, { user: user.name });
      const written = sent.filter((one) => !isQuestion(one)).map(({ resource }) => resource);
      expect(new Set(written)).toEqual(new Set(['leases.coordination.k8s.io', 'configmaps']));
      expect(await refreshesSince(scratch, again)).toBeGreaterThan(0);
    },
  );
});

describe.concurrent('what only looks', () => {
  test.for([
    [['deploy', '--dry-run'], 0, 0],
    [['validate', '--no-refresh'], 2, 0],
    [['validate'], 2, 1],
    [['status'], 0, 0],
    [['explain', 'stack:s'], 0, 0],
  ] as const)('%s writes nothing', async ([args, status, refreshes], { stack, scratch }) => {
    await scratch.repository.commit({ 'a/map.yaml': configMap('a', {}) });
    const name = await scratch.application('a', { path: 'a' });
    await stack.application(name, 'compared', (one) => one.status?.sync?.status === 'OutOfSync');
    const user = await ownUser(scratch);
    const tiphys = new Tiphys(scratch, { KUBECONFIG: user.kubeconfig });
    await tiphys.platform({ ...QUICK, stacks: [{ name: 's', applications: [{ name }] }] });
    const mark = await stack.audit.mark();
    const ended = await tiphys.run(...args);
    expect(ended.stderr).toBe('');
    expect(ended.status).toBe(status);
    expect(ended.stdout).toContain(name);
    const sent = await stack.audit.since(mark, { user: user.name });
    expect(sent.filter((one) => !isQuestion(one))).toEqual([]);
    expect(await changesSince(scratch, mark)).toEqual([]);
    expect(Math.min(1, await refreshesSince(scratch, mark))).toBe(refreshes);
  });
});
