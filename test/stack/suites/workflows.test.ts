import { expect } from 'vitest';
import { test } from '../kit/test.ts';
import { allowWorkflows, workflowEnded } from '../kit/workflows.ts';
import { standin } from '../kit/workloads.ts';

/** A Workflow of two steps, one after the other; the second ends with the given code. */
const twoSteps = (name: string, code: number) => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Workflow',
  metadata: { name },
  spec: {
    entrypoint: 'main',
    serviceAccountName: 'workflow',
    templates: [
      {
        name: 'main',
        steps: [[{ name: 'first', template: 'first' }], [{ name: 'second', template: 'second' }]],
      },
      { name: 'first', container: standin('exit', '--message=first') },
      { name: 'second', container: standin('exit', `--code=${code}`) },
    ],
  },
});

test('a Workflow of two steps succeeds, and fails where its second step does', async ({
  scratch,
}) => {
  await allowWorkflows(scratch);
  await scratch.apply(twoSteps('good', 0));
  await scratch.apply(twoSteps('bad', 1));
  const good = await workflowEnded(scratch, 'good');
  const bad = await workflowEnded(scratch, 'bad');
  const pods = (workflow: typeof good) =>
    Object.values(workflow.status?.nodes ?? {})
      .filter(({ type }) => type === 'Pod')
      .map(({ displayName, phase }) => `${displayName} ${phase}`)
      .sort();
  expect(good.status?.phase).toBe('Succeeded');
  expect(pods(good)).toEqual(['first Succeeded', 'second Succeeded']);
  expect(bad.status?.phase).toBe('Failed');
  expect(pods(bad)).toEqual(['first Succeeded', 'second Failed']);
});
