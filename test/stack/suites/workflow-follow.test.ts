// Whoever follows a Workflow, waits for another one or comes back late is told how things are.
import { expect } from 'vitest';
import { full } from '../kit/full.ts';
import { heldApplications, QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { Tiphys } from '../kit/tiphys.ts';
import {
  allowRuns,
  BY_WORKFLOW,
  environmentFor,
  loadExecutor,
  podOf,
  SHAPES,
} from '../kit/workflow-runs.ts';
import { workflowEnded } from '../kit/workflows.ts';
import { configMap, deployment } from '../kit/workloads.ts';
import { waitFor } from '../run.ts';

async function platform(scratch: Scratch, readyAfter?: string): Promise<Tiphys> {
  await allowRuns(scratch);
  const content = readyAfter ? deployment({ name: 'one', readyAfter }) : configMap('one', {});
  await scratch.repository.commit({ 'one/app.yaml': content });
  await heldApplications(scratch, 'one');
  const tiphys = new Tiphys(scratch);
  const applications = [{ name: `${scratch.name}-one` }];
  const timeouts = { sync: '4m', health: readyAfter ? '5s' : '4m' };
  await tiphys.platform({ ...QUICK, timeouts, stacks: [{ name: 's', applications }] });
  await environmentFor(scratch);
  return tiphys;
}

async function workflows({ stack, namespace }: Scratch): Promise<string[]> {
  const sorted = ['--sort-by=.metadata.creationTimestamp', '-o', 'name'];
  const names = await stack.run('kubectl', 'get', 'workflows', '-n', namespace, ...sorted);
  return names.split('\n').flatMap((name) => name.split('/')[1] ?? []);
}

test.runIf(full).for(SHAPES)(
  'an image that cannot be pulled is told, by %s',
  async (shape, { stack, scratch }) => {
    const tiphys = await platform(scratch);
    const image = ['--image', 'localhost/none:1', '--nodes', shape];
    const { ended, stderr } = tiphys.start(['deploy', '--engine', 'argo-workflows', ...image]);
    const what = shape === 'agent' ? "its agent's pod" : 'its first pod';
    await waitFor('a word of it', () => stderr().includes(`waiting: ${what} cannot start: `));
    await waitFor('the image', () =>
      /cannot start: \w+: .*localhost\/none:1.* --image/.test(stderr()),
    );
    const [name = ''] = await workflows(scratch);
    await stack.run('kubectl', 'delete', 'workflow', '-n', scratch.namespace, name);
    const gone = await ended;
    expect([gone.status, gone.stderr]).toEqual([1, expect.stringContaining('no longer exists')]);
    const lines = gone.stderr.split('\n').filter((line) => line.includes('cannot start'));
    expect(new Set(lines.map((line) => line.slice(9))).size).toBe(lines.length);
    console.info(lines.join('\n'));
  },
);

test.runIf(full)(
  'a second one waits and says for whom; one that has failed is told also to who comes late',
  async ({ scratch }) => {
    await loadExecutor(scratch);
    const tiphys = await platform(scratch, '1h');
    const first = await tiphys.run('deploy', ...BY_WORKFLOW, '--detach');
    expect(first.status).toBe(0);
    const [one = ''] = await workflows(scratch);
    await podOf(scratch, '', 'agent');
    const { ended, stderr } = tiphys.start(['deploy', ...BY_WORKFLOW, '--wait']);
    const full = `${scratch.namespace}/${one}`;
    await waitFor('it to wait', () => stderr().includes(`waiting: Workflow "${full}"`));
    expect(stderr()).toContain(`, which waits for ${full}\n`);
    const second = await ended;
    // It does not become Healthy in its second run either.
    expect([second.status, second.stdout]).toEqual([1, expect.stringMatching(/^\S+-one +failed/m)]);
    const [, two = ''] = await workflows(scratch);
    await workflowEnded(scratch, two);
    const late = await tiphys.run('status', '--watch');
    expect([late.status, late.stdout]).toEqual([1, second.stdout]);
    expect(late.stderr).toContain(`showing the last Workflow, ${scratch.namespace}/${two} of `);
  },
);

test.runIf(full)(
  'what was terminated and still has the Lease is not what is stopped',
  async ({ stack, scratch }) => {
    await loadExecutor(scratch);
    const tiphys = await platform(scratch, '1h');
    const submit = () => tiphys.run('deploy', ...BY_WORKFLOW, '--detach', '--wait');
    await submit();
    const [one = ''] = await workflows(scratch);
    const lease = ['get', 'lease', '-n', 'argocd', `tiphys-${scratch.name}`];
    const holder = [...lease, '--ignore-not-found', '-o', 'jsonpath={.spec.holderIdentity}'];
    await waitFor('its Lease', async () => (await stack.run('kubectl', ...holder)).includes(one), {
      timeoutMs: 120_000,
    });
    const patch = ['patch', 'workflow', one, '-n', scratch.namespace, '--type=merge', '-p'];
    await stack.run('kubectl', ...patch, '{"spec":{"shutdown":"Terminate"}}');
    await workflowEnded(scratch, one);
    expect(await stack.run('kubectl', ...holder)).toContain(one);
    await submit();
    const [, two = ''] = await workflows(scratch);
    const stopped = await tiphys.run('stop');
    expect(stopped.stdout).toContain(`stopping Workflow ${scratch.namespace}/${two};`);
    await workflowEnded(scratch, two, 180_000);
  },
);
