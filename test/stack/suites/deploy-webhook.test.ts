// An admission webhook that answers with an error: what it stands in the way of is tried again, not for ever, and named.
import { describe, expect } from 'vitest';
import { memberName } from '../kit/family.ts';
import { heldApplications, QUICK } from '../kit/platform.ts';
import { heard } from '../kit/run-events.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { deployed, Tiphys } from '../kit/tiphys.ts';
import { operationsOf } from '../kit/traces.ts';
import { FailingWebhook } from '../kit/webhook.ts';
import { configMap } from '../kit/workloads.ts';

/** `behind` comes after `refused`, `beside` after neither. */
async function platform(scratch: Scratch, labels: Readonly<Record<string, string>>) {
  const refused = { ...configMap('refused', {}), metadata: { name: 'refused', labels } };
  await scratch.repository.commit({
    'refused/map.yaml': refused,
    'behind/map.yaml': configMap('behind', {}),
    'beside/map.yaml': configMap('beside', {}),
  });
  await heldApplications(scratch, 'refused', 'behind', 'beside');
  const name = (suffix: string) => memberName(scratch, suffix);
  const tiphys = new Tiphys(scratch);
  const applications = [
    { name: name('refused') },
    { name: name('behind'), dependsOn: [name('refused')] },
    { name: name('beside') },
  ];
  const retries = { maxAttempts: 3, backoff: '1s' };
  await tiphys.platform({ ...QUICK, retries, stacks: [{ name: 's', applications }] });
  return { tiphys, id: (suffix: string) => `app:${name(suffix)}` };
}

describe.concurrent('an admission webhook that answers 500', () => {
  test('for an object of an application: three attempts, then a failure that names it; mended, it goes on', async ({
    stack,
    scratch,
  }) => {
    const labels = { 'example.org/refuse': 'yes' };
    const { tiphys, id } = await platform(scratch, labels);
    const { namespace } = scratch;
    const asked = { group: '', resource: 'configmaps', namespace, labels };
    const webhook = await FailingWebhook.start(scratch, asked);
    const mark = await stack.audit.mark();
    const run = await tiphys.deploy();
    expect([run.status, run.outcomes], run.stdout).toEqual([
      2,
      { [id('refused')]: 'failed', [id('behind')]: 'skipped', [id('beside')]: 'healthy' },
    ]);
    expect(webhook.asked).toBeGreaterThanOrEqual(3);
    const node = run.report.nodes.find((one) => one.id === id('refused'));
    expect([node?.attempts, node?.operations.length]).toEqual([3, 3]);
    expect(node?.cause?.message).toContain(`failed calling webhook "${webhook.name}"`);
    expect(node?.cause?.message).toContain('out of order');
    expect(node?.cause?.resource).toBe(`ConfigMap ${namespace}/refused`);
    const skipped = run.report.nodes.find((one) => one.id === id('behind'));
    expect(skipped?.cause?.node).toBe(id('refused'));
    const made = (await operationsOf(scratch, mark)).map(({ application }) => application);
    expect(made.filter((one) => one === 'refused')).toHaveLength(3);
    expect(made).not.toContain('behind');

    await webhook.remove();
    const again = await tiphys.deploy();
    expect([again.status, again.report.held]).toEqual([0, []]);
  });

  test('for the AppProject: the hold is written again and again, the run says which request and why, and goes on', async ({
    stack,
    scratch,
  }) => {
    const { tiphys } = await platform(scratch, {});
    const labels = { 'example.org/refuse': scratch.name };
    const label = `example.org/refuse=${scratch.name}`;
    await stack.run('kubectl', '-n', 'argocd', 'label', 'appproject', scratch.name, label);
    const asked = { group: 'argoproj.io', resource: 'appprojects', namespace: 'argocd', labels };
    const webhook = await FailingWebhook.start(scratch, asked);
    const mark = await stack.audit.mark();
    const run = tiphys.start(['deploy', '-o', 'json']);
    let message = '';
    await heard(run, (event) => {
      if (event.type === 'run.waiting') message = event.unmet.message;
      return message !== '';
    });
    expect(message).toContain(`PATCH of the AppProject "${scratch.name}"`);
    expect(message).toContain(`failed calling webhook "${webhook.name}"`);
    expect(await operationsOf(scratch, mark)).toEqual([]);
    await webhook.remove();
    const end = deployed(await run.ended);
    expect([end.status, end.report.held, end.report.counts.healthy]).toEqual([0, [], 3]);
    expect(webhook.asked).toBeGreaterThan(0);
  });
});
