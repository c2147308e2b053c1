// What Argo CD lists of an Application and does not judge, and commits that change nothing of it: neither shuts a gate.
import { describe, expect } from 'vitest';
import { memberName } from '../kit/family.ts';
import { QUICK } from '../kit/platform.ts';
import { heard } from '../kit/run-events.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { deployed, Tiphys } from '../kit/tiphys.ts';
import { operationsOf } from '../kit/traces.ts';
import { configMap, deployment } from '../kit/workloads.ts';

const TRACKING = 'argocd.argoproj.io/tracking-id';

const annotated = (name: string, annotations: Readonly<Record<string, string>>) => ({
  ...configMap(name, {}),
  metadata: { name, annotations },
});

/** Applications without dependencies, each of the directory of its name. `stranger` does not become Healthy. */
async function platform(scratch: Scratch, ...suffixes: string[]): Promise<Tiphys> {
  for (const suffix of suffixes) await scratch.application(suffix, { path: suffix });
  const tiphys = new Tiphys(scratch);
  const applications = suffixes.map((suffix) => ({
    name: memberName(scratch, suffix),
    // Argo CD overlooks a refresh now and then, and compares again only in its own round.
    timeouts: { health: suffix === 'stranger' ? '10s' : '4m' },
  }));
  await tiphys.platform({ ...QUICK, stacks: [{ name: 's', applications }] });
  return tiphys;
}

describe.concurrent('a gate', () => {
  test('does not ask about extras that are to be ignored, copies of a tracking id and skipped manifests', async ({
    stack,
    scratch,
  }) => {
    const { name, namespace } = scratch;
    /** As an object of the application would have it. */
    const idOf = (suffix: string, object: string) =>
      `${memberName(scratch, suffix)}:/ConfigMap:${namespace}/${object}`;
    await scratch.repository.commit({
      'ignored/map.yaml': configMap('ignored', {}),
      'copied/map.yaml': configMap('copied', {}),
      'skipped/map.yaml': configMap('skipped', {}),
      'skipped/hook.yaml': annotated('never-made', { 'argocd.argoproj.io/hook': 'Skip' }),
      'stranger/map.yaml': configMap('stranger', {}),
    });
    await scratch.apply(
      annotated('extra', {
        [TRACKING]: idOf('ignored', 'extra'),
        'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
      }),
    );
    // As the composite of a Crossplane claim has it: the id is the claim's.
    await scratch.apply(annotated('copy', { [TRACKING]: idOf('copied', 'copied') }));
    await scratch.apply(annotated('left', { [TRACKING]: idOf('stranger', 'left') }));
    const tiphys = await platform(scratch, 'ignored', 'copied', 'skipped', 'stranger');
    const mark = await stack.audit.mark();
    const run = await tiphys.deploy();
    const id = (suffix: string) => `app:${name}-${suffix}`;
    expect([run.status, run.outcomes], run.stdout).toEqual([
      2,
      {
        ...{ [id('ignored')]: 'healthy', [id('copied')]: 'healthy', [id('skipped')]: 'healthy' },
        [id('stranger')]: 'failed',
      },
    ]);
    // One that nobody told Argo CD to ignore keeps it shut, in whole sentences.
    const cause = run.report.nodes.find((one) => one.id === id('stranger'))?.cause;
    expect(cause).toMatchObject({
      message:
        'not Healthy within 10s (timeouts.health); it is no longer in Git and would be pruned',
      resource: `ConfigMap ${namespace}/left`,
    });
    const made = (await operationsOf(scratch, mark)).map(({ application }) => application);
    expect(made.toSorted()).toEqual(['copied', 'ignored', 'skipped', 'stranger']);
    // Argo CD does list them: without that, this test would prove nothing.
    const listed = async (suffix: string) => {
      const { status } = await stack.argocd.application(memberName(scratch, suffix));
      return (status?.resources ?? []).map((one) => `${one.name} ${one.status ?? ''}`).toSorted();
    };
    expect(await listed('ignored')).toContainEqual(expect.stringContaining('extra '));
    expect(await listed('copied')).toContain('copy ');
  });

  test('is not shut by commits elsewhere in the repository, and nothing is synced for them', async ({
    stack,
    scratch,
  }) => {
    await scratch.repository.commit({
      'slow/app.yaml': deployment({ name: 'slow', readyAfter: '20s' }),
    });
    const tiphys = await platform(scratch, 'slow');
    const slow = memberName(scratch, 'slow');
    const mark = await stack.audit.mark();
    const run = tiphys.start(['deploy', '-o', 'json']);
    await heard(
      run,
      (event) => event.type === 'node.waiting' && event.unmet.condition === 'healthy',
    );
    for (const file of ['one', 'two']) {
      const commit = await scratch.repository.commit({
        [`elsewhere/${file}.yaml`]: configMap(file, {}),
      });
      // Argo CD has seen it while the run waits.
      const seen = await stack.argocd.application(slow, 'normal');
      expect(seen.status?.sync).toMatchObject({ status: 'Synced', revision: commit });
      expect(run.child.exitCode).toBeNull();
    }
    const end = deployed(await run.ended);
    expect([end.status, Object.values(end.outcomes)], end.stdout).toEqual([0, ['healthy']]);
    expect(await operationsOf(scratch, mark)).toHaveLength(1);
    // One that changes it is synced.
    await scratch.repository.commit({ 'slow/app.yaml': deployment({ name: 'slow' }) });
    const next = await tiphys.deploy();
    expect([next.status, Object.values(next.outcomes)]).toEqual([0, ['healthy']]);
    expect(await operationsOf(scratch, mark)).toHaveLength(2);
  });
});
