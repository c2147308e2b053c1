// Health that is true, on a real Argo CD: with the rendered entries gates wait for what operators say and parents for their
// children; without them the same Applications look Healthy at once.
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { RunEvent } from '../../../src/run/events.ts';
import { child, memberName } from '../kit/family.ts';
import { full } from '../kit/full.ts';
import { argocdSettings, nestedHealth } from '../kit/nested-health.ts';
import type { Application } from '../kit/objects.ts';
import { QUICK } from '../kit/platform.ts';
import { listen } from '../kit/run-events.ts';
import type { Scratch } from '../kit/scratch.ts';
import { isDeployed, test } from '../kit/test.ts';
import { Tiphys } from '../kit/tiphys.ts';
import { configMap, customKind, deployment } from '../kit/workloads.ts';
import { waitFor } from '../run.ts';

/** Kind -> what its operator says, and what the run then waits for. */
const OPERATED = {
  CephCluster: [
    [{ phase: 'Progressing', message: 'Configuring Ceph Mons' }, 'Configuring Ceph Mons'],
    [{ phase: 'Ready', ceph: { health: 'HEALTH_WARN' } }, 'HEALTH_WARN'],
  ],
  postgresql: [[{ PostgresClusterStatus: 'Creating' }, 'Creating']],
} as const;

const GOOD = {
  CephCluster: { phase: 'Ready', ceph: { health: 'HEALTH_OK' } },
  postgresql: { PostgresClusterStatus: 'Running' },
} as const;

const REAL_GROUPS = { CephCluster: 'ceph.rook.io', postgresql: 'acid.zalan.do' } as const;

type Operated = keyof typeof OPERATED;

/** A group of the test's own: what is said of its kinds in argocd-cm concerns nobody else. */
const groupOf = (scratch: Scratch) => `${scratch.name}.tiphys.dev`;

async function operated(scratch: Scratch, kind: Operated): Promise<Tiphys> {
  const group = groupOf(scratch);
  await scratch.apply(customKind(group, kind));
  const object = { apiVersion: `${group}/v1`, kind, metadata: { name: 'one' }, spec: {} };
  await scratch.repository.commit({ 'app/one.yaml': object });
  const name = await scratch.application('app', { path: 'app' });
  const tiphys = new Tiphys(scratch);
  await tiphys.platform({ ...QUICK, stacks: [{ name: 's', applications: [{ name }] }] });
  return tiphys;
}

/** What `tiphys health render` prints for our check, in a folder that is named after the test's group. */
async function rendered(scratch: Scratch, tiphys: Tiphys, kind: Operated) {
  const folder = join(scratch.repository.directory, '.git', 'checks');
  const place = join(folder, groupOf(scratch), kind);
  await mkdir(place, { recursive: true });
  await cp(join('health', REAL_GROUPS[kind], kind, 'health.lua'), join(place, 'health.lua'));
  const { stdout } = await tiphys.run('health', 'render', folder, '-o', 'json');
  return { folder, entries: JSON.parse(stdout).data as Record<string, string> };
}

/** As the operator would. */
async function say(scratch: Scratch, kind: Operated, status: object): Promise<void> {
  const resource = `${kind.toLowerCase()}s.${groupOf(scratch)}`;
  const target = ['--namespace', scratch.namespace, 'patch', resource, 'one', '--type=merge'];
  const patch = JSON.stringify({ status });
  await scratch.stack.run('kubectl', ...target, '--subresource=status', '--patch', patch);
}

/** Type, and node where it is about one. */
const nameOf = (event: RunEvent) => ('node' in event ? `${event.type} ${event.node}` : event.type);

const KINDS = ['CephCluster', 'postgresql'] as const;

describe.each(full ? KINDS : KINDS.slice(0, 1))('a stand-in %s', (kind) => {
  test('without the entries its gate opens before its operator said anything', async ({
    scratch,
  }) => {
    const tiphys = await operated(scratch, kind);
    const lie = await tiphys.deploy();
    expect(lie.status).toBe(0);
    const { stdout } = await tiphys.run('health', 'coverage', '-o', 'json');
    expect(JSON.parse(stdout).kinds).toMatchObject([
      { kind: `${groupOf(scratch)}/${kind}`, state: 'uncovered' },
    ]);
    // Now that the kind is known to be in use, the next run warns of it.
    const again = await tiphys.deploy();
    expect(again.stderr).toContain(`no health check covers ${groupOf(scratch)}/${kind}`);
  });

  test('with them it holds its gate until its status says so', async ({ scratch }) => {
    const tiphys = await operated(scratch, kind);
    const { folder, entries } = await rendered(scratch, tiphys, kind);
    const diff = () => tiphys.run('health', 'render', folder, '--diff');
    expect((await diff()).status).toBe(2);
    await argocdSettings(scratch, entries);
    expect((await diff()).status).toBe(0);

    const heard: string[] = [];
    const opened = `gate.opened app:${scratch.name}-app`;
    const started = tiphys.start(['deploy', '-o', 'json']);
    listen(started, (event) => {
      heard.push(event.type === 'node.waiting' ? JSON.stringify(event) : nameOf(event));
    });
    const waitsFor = (reason: string) =>
      waitFor(`the run to wait for: ${reason}`, () => heard.some((one) => one.includes(reason)));
    await waitsFor('waiting for the operator');
    for (const [status, reason] of OPERATED[kind]) {
      await say(scratch, kind, status);
      await waitsFor(reason);
      expect(heard).not.toContain(opened);
    }
    await say(scratch, kind, GOOD[kind]);
    const ended = await started.ended;
    expect(ended.stderr).toBe('');
    expect(ended.status).toBe(0);
    expect(heard).toContain(opened);
    const { stdout } = await tiphys.run('health', 'coverage', '--strict', '--checks', folder);
    expect(stdout).toMatch(new RegExp(`${kind}\\s+ours`));
  });
});

describe('an Application of Applications', () => {
  const never = (scratch: Scratch) => {
    const { syncPolicy: _, ...spec } = child(scratch, 'never').spec;
    return { ...child(scratch, 'never'), spec };
  };
  const health = ({ status }: Application) => status?.health?.status;

  async function parent(scratch: Scratch): Promise<string> {
    await scratch.repository.commit({
      'soon/app.yaml': deployment({ name: 'soon', readyAfter: '2s' }),
      'never/app.yaml': configMap('never', {}),
      'parent/soon.yaml': child(scratch, 'soon'),
      'parent/never.yaml': never(scratch),
    });
    const name = await scratch.application('parent', { path: 'parent' });
    await scratch.stack.argocd.sync(name);
    const soon = memberName(scratch, 'soon');
    await scratch.stack.application(soon, 'deployed', isDeployed);
    return name;
  }

  test('is Healthy while a child was never synced: without a check, and with the documented one', async ({
    stack,
    scratch,
  }) => {
    const name = await parent(scratch);
    const missing = memberName(scratch, 'never');
    await stack.application(missing, 'Missing', (child) => health(child) === 'Missing');
    expect(health(await stack.argocd.application(name, 'normal'))).toBe('Healthy');
    await nestedHealth(scratch);
    // Twice: the first may have begun before the settings were read.
    await stack.argocd.application(name, 'normal');
    expect(health(await stack.argocd.application(name, 'normal'))).toBe('Healthy');
  });

  test('with ours it is Progressing until every child is Synced and Healthy', async ({
    stack,
    scratch,
  }) => {
    await nestedHealth(
      scratch,
      await readFile('health/argoproj.io/Application/health.lua', 'utf8'),
    );
    const name = await parent(scratch);
    const never = memberName(scratch, 'never');
    await stack.application(never, 'Missing', (child) => health(child) === 'Missing');
    expect(health(await stack.argocd.application(name, 'normal'))).toBe('Progressing');
    await stack.argocd.sync(never);
    await stack.application(never, 'deployed', isDeployed);
    await stack.application(name, 'Healthy', (parent) => health(parent) === 'Healthy');
  });
});
