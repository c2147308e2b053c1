// A chain of Applications with one ConfigMap each, and somebody who changes what was deployed.
import { expect } from 'vitest';
import type { Application } from './objects.ts';
import { operationsSince } from './operations.ts';
import { heldApplications, QUICK } from './platform.ts';
import type { Scratch } from './scratch.ts';
import { isDeployed } from './test.ts';
import { Tiphys } from './tiphys.ts';
import { configMap } from './workloads.ts';

/** A ConfigMap with one value, in Git. */
export const file = (name: string, value: string) => ({
  [`${name}/app.yaml`]: configMap(name, { value }),
});

/** One after the other. They sync and heal by themselves, and are held until they are deployed, unless they are made otherwise. */
export async function chain(
  scratch: Scratch,
  names: readonly string[],
  make = heldApplications,
): Promise<Tiphys> {
  await scratch.repository.commit(Object.assign({}, ...names.map((name) => file(name, 'one'))));
  await make(scratch, ...names);
  const tiphys = new Tiphys(scratch);
  const applications = names.map((name, at) => ({
    name: `${scratch.name}-${name}`,
    dependsOn: names.slice(Math.max(0, at - 1), at).map((one) => `${scratch.name}-${one}`),
  }));
  await tiphys.platform({ ...QUICK, stacks: [{ name: 's', applications }] });
  return tiphys;
}

/** As it is in the cluster. */
export const valueIn = async ({ stack, namespace }: Scratch, name: string) =>
  (await stack.core.readNamespacedConfigMap({ namespace, name })).data?.value;

/** Somebody changes what was deployed. Argo CD puts it back. */
export async function drift(scratch: Scratch, name: string, suffix = name): Promise<Application> {
  const { stack, namespace } = scratch;
  const before = await valueIn(scratch, name);
  const mark = await stack.audit.mark();
  const patch = JSON.stringify({ data: { value: 'drifted' } });
  await stack.run('kubectl', '-n', namespace, 'patch', 'cm', name, '--type=merge', '-p', patch);
  const application = `${scratch.name}-${suffix}`;
  const isHealed = async () => (await valueIn(scratch, name)) === before;
  await stack.reminded(application, `${name} healed`, isHealed);
  const operations = await operationsSince(stack, mark, application);
  // Just after one Argo CD may compare with objects from before, and heal them once more.
  expect(new Set(operations.map(({ automated }) => automated))).toEqual(new Set([true]));
  return stack.application(
    application,
    'Synced after its drift',
    (now) => isDeployed(now) && now.status?.operationState?.phase === 'Succeeded',
  );
}
