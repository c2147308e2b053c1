// Tiphys' own client as suites use it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TiphysError } from '../../../src/errors.ts';
import type { ApplicationView } from '../../../src/ports/application-view.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Target } from '../../../src/ports/target.ts';
import { type ConnectOptions, connect } from '../../../src/targets/connect.ts';
import { MACHINE } from '../../fakes/machine.ts';
import { ARGOCD_SERVER, kubeconfigFile, tokenFile } from '../config.ts';
import type { Scratch } from './scratch.ts';
import type { Stack } from './stack.ts';
import { test as kit } from './test.ts';

export const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, signal && { signal }).catch(() => undefined),
};

export const ARGOCD = 'argocd';
const DIRECT = `http://${ARGOCD_SERVER}`;
export const ways = [
  ['through the Kubernetes API', undefined],
  ['straight', DIRECT],
] as const;

export const test = kit.extend<{ target: Target; folder: string }>({
  target: async ({ stack }, use) => use(await connected(stack)),
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures are asked for.
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'tiphys-client-'));
    await use(folder);
    await rm(folder, { recursive: true });
  },
});

export function connected(stack: Stack, more: Partial<ConnectOptions> = {}): Promise<Target> {
  return connect({
    kubeconfig: kubeconfigFile(stack.config),
    namespace: ARGOCD,
    argocdTokenFile: tokenFile(stack.config),
    ...MACHINE,
    clock,
    random: Math.random,
    // argocd-server of the stack speaks plain HTTP, too.
    insecure: more.argocdServer?.startsWith('http:') ?? false,
    ...more,
  });
}

export const at = (scratch: Scratch, name: string) => ({
  name,
  namespace: ARGOCD,
  project: scratch.name,
});
export const SYNC = {
  infos: new Map([['tiphys/op', 'run/node/1']]),
  prune: false,
  syncOptions: [],
};

export async function viewOf(
  target: Target,
  scratch: Scratch,
  name: string,
): Promise<ApplicationView> {
  const view = await target.applications.get(at(scratch, name));
  if (!view) throw new Error(`no Application ${name}`);
  return view;
}

export function ended(target: Target, scratch: Scratch, name: string): Promise<ApplicationView> {
  return scratch.stack.reminded(name, 'its operation over', async () => {
    const view = await viewOf(target, scratch, name);
    return !view.operation && view.operationState?.finishedAt !== undefined && view;
  });
}

export async function problem(action: Promise<unknown>): Promise<string | undefined> {
  const error = await action.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof TiphysError)) throw error ?? new Error('it went well');
  return error.diagnostics[0]?.code;
}
