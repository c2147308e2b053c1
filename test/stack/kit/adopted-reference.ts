// The reference platform, or some stacks of it, as Argo CD deploys it without Tiphys: nothing holds it, nothing orders it.

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '../run.ts';
import type { Application } from './objects.ts';
import type { Reference } from './reference.ts';
import type { Stack } from './stack.ts';
import { isDeployed } from './test.ts';

/** Leaves these stacks only, and takes the hold out of the bootstrap. */
export async function withoutTiphys(
  reference: Reference,
  stacks?: readonly string[],
): Promise<void> {
  const root = join(reference.folder, 'root');
  for (const file of await readdir(root)) {
    if (stacks && !stacks.includes(file.replace('.yaml', ''))) await rm(join(root, file));
  }
  await reference.cut('bootstrap/project.yaml', /^ {2}annotations: .*\n/m);
  await reference.cut('bootstrap/project.yaml', /^ {2}syncWindows:[\s\S]*/m);
}

/**
 * Until all are Synced and Healthy. Argo CD tries a failed sync a few times, and then not again for the same commit: that is asked for, as
 * people do.
 */
export async function deployedByArgocd(
  stack: Stack,
  reference: Reference,
  count: number,
): Promise<void> {
  let looks = 0;
  await waitFor(
    `${count} Applications to be Synced and Healthy`,
    async () => {
      const applications = [...(await reference.applications()).values()];
      const open = applications.filter((one) => !isDeployed(one));
      for (const one of open.filter(hasFailed)) {
        await stack.argocd.sync(one.metadata?.name ?? '').catch(() => undefined);
      }
      looks += 1;
      // The controller overlooks a change now and then: it is asked to look again, in turn in both ways.
      if (looks % 5 === 0) {
        const how = looks % 2 === 0 ? 'hard' : 'normal';
        for (const { metadata } of open)
          stack.argocd.application(metadata?.name ?? '', how).catch(() => undefined);
      }
      return applications.length === count && open.length === 0;
    },
    { timeoutMs: 900_000, intervalMs: 3_000 },
  );
}

const hasFailed = ({ status }: Application) =>
  ['Failed', 'Error'].includes(status?.operationState?.phase ?? '');
