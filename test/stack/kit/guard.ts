// The guard of workflows/guard.yaml for the AppProject of one test, and what it did.
import { readFileSync } from 'node:fs';
import type { KubernetesObject } from '@kubernetes/client-node';
import { loadAll } from 'js-yaml';
import { guardOf } from '../../../src/bootstrap/guard.ts';
import { ARGOCD_SERVER } from '../config.ts';
import { kubectl } from '../kubectl.ts';
import { built } from '../programs/command.ts';
import { run, waitFor } from '../run.ts';
import type { Mark, Write } from './audit.ts';
import type { Scratch } from './scratch.ts';
import type { Stack } from './stack.ts';

/** In this stack they are processes, and have users of their own. */
const CONTROLLER = 'argocd-application-controller';
const GENERATOR = 'argocd-applicationset-controller';

/** It is there, and guards nothing until an AppProject says so. */
export async function installGuard(stack: Stack): Promise<void> {
  for (const object of shipped()) await stack.apply(object);
}

export async function removeGuard(stack: Stack): Promise<void> {
  for (const object of shipped()) await stack.remove(object);
}

function shipped(): KubernetesObject[] {
  const text = [CONTROLLER, GENERATOR].reduce(
    (now, user) => now.replaceAll(`system:serviceaccount:argocd:${user}'`, `${user}'`),
    readFileSync('workflows/guard.yaml', 'utf8'),
  );
  return loadAll(text) as KubernetesObject[];
}

/** From now on Kubernetes refuses. */
export async function guard(scratch: Scratch, ...breakGlass: string[]): Promise<void> {
  const { name } = scratch;
  await setGuard(scratch, { breakGlass });
  const trial = {
    ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' },
    metadata: { name: `${name}-trial`, namespace: 'argocd' },
    spec: { project: name, destination: {}, source: { repoURL: 'x' } },
    operation: { sync: {} },
  };
  await waitFor('the guard', async () =>
    (await create(scratch, trial)).includes("'tiphys-guard' denied request"),
  );
}

/** As bootstrap does it. */
export async function setGuard(
  { stack, name }: Scratch,
  wanted: Parameters<typeof guardOf>[1],
): Promise<void> {
  const { metadata } = guardOf(name, wanted);
  const patch = ['patch', 'appproject', name, '--type=merge', '-p', JSON.stringify({ metadata })];
  await kubectl(stack.config, ['-n', 'argocd', ...patch]);
}

/** What Kubernetes would say. */
function create({ stack }: Scratch, object: object): Promise<string> {
  const args = ['create', '--dry-run=server', '-f', '-'];
  return kubectl(stack.config, args, JSON.stringify(object)).catch((error) => error.message);
}

/** What kubectl says of a patch of an Application: of a user, if one is named, with all rights. */
export function patched(
  { stack }: Scratch,
  application: string,
  patch: object,
  user?: string,
): Promise<string> {
  const as = user === undefined ? [] : ['--as', user, '--as-group', 'system:masters'];
  const args = ['-n', 'argocd', 'patch', 'application', application, '--type=merge', ...as];
  return kubectl(stack.config, [...args, '-p', JSON.stringify(patch)]).catch(
    (error: Error) => error.message,
  );
}

/** What `argocd app sync` says. */
export function argocdSync({ stack }: Scratch, application: string, token: string) {
  const server = ['--server', `${ARGOCD_SERVER}:80`, '--plaintext'];
  const env = { ...stack.env, ARGOCD_BINARY_NAME: 'argocd', ARGOCD_AUTH_TOKEN: token };
  const args = ['app', 'sync', application, '--async', ...server];
  return run(built(stack.config, 'argocd'), args, { env }).catch((error: Error) => error.message);
}

/** Operations that Argo CD's controller was refused. */
export async function refusedOperations(
  { stack }: Scratch,
  mark: Mark,
  name: string,
): Promise<Write[]> {
  const filter = { resource: 'applications.argoproj.io', name, user: CONTROLLER };
  return (await stack.audit.since(mark, filter)).filter(({ status }) => status === 403);
}
