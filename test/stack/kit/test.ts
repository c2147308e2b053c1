// `test` for suites: each test gets the stack and a scratch place of its own, and tells what it saw when it fails.
//
//   test('an Application becomes Healthy', async ({ stack, scratch }) => {
//     await scratch.repository.commit({ 'shop/deployment.yaml': deployment({ name: 'shop' }) });
//     const name = await scratch.application('shop', { path: 'shop' });
//     await stack.argocd.sync(name);
//     await stack.application(name, 'Healthy', isHealthy);
//   });

import { test as base } from 'vitest';
import { diagnostics } from './diagnostics.ts';
import type { Application } from './objects.ts';
import { Scratch } from './scratch.ts';
import { type Stack, stack } from './stack.ts';

export const test = base.extend<{ stack: Stack; scratch: Scratch }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures are asked for.
  stack: async ({}, use) => {
    await use(stack());
  },
  scratch: async ({ stack, task }, use) => {
    const scratch = await Scratch.create(stack);
    try {
      await use(scratch);
      if (task.result?.state === 'fail') console.error(await diagnostics(scratch));
    } finally {
      await scratch.cleanUp();
    }
  },
});

export const isSynced = ({ status }: Application) => status?.sync?.status === 'Synced';
export const isHealthy = ({ status }: Application) => status?.health?.status === 'Healthy';
export const isDeployed = (application: Application) =>
  isSynced(application) && isHealthy(application);
