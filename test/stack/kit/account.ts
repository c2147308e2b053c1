// An Argo CD account of a test's own, with the rights that it names.

import { ARGOCD_SERVER } from '../config.ts';
import { waitFor } from '../run.ts';
import type { Scratch } from './scratch.ts';
import type { Stack } from './stack.ts';

/** A token of an account that may do exactly this: `applications, sync, PROJECT/*`. The account has the name of the scratch, or another. */
export async function accountToken(
  scratch: Scratch,
  rights: readonly string[],
  name: string = scratch.name,
): Promise<string> {
  const { stack } = scratch;
  const policy = [...rights.map((right) => `p, ${name}, ${right}, allow`), ''].join('\n');
  await setting(scratch, 'argocd-cm', `accounts.${name}`, 'apiKey');
  await setting(scratch, 'argocd-rbac-cm', `policy.${name}.csv`, policy);
  const admin = await administrator(stack);
  const path = `account/${name}/token`;
  scratch.afterwards(async () => {
    await request('DELETE', `${path}/${name}`, {}, admin);
  });
  return waitFor(`account '${name}'`, () => request('POST', path, { name, id: name }, admin));
}

async function setting(scratch: Scratch, map: string, key: string, value: string): Promise<void> {
  const set = async (to: string | null) => {
    const patch = JSON.stringify({ data: { [key]: to } });
    const target = ['--namespace=argocd', 'patch', 'configmap', map, '--type=merge'];
    await scratch.stack.run('kubectl', ...target, '--patch', patch);
  };
  await set(value);
  scratch.afterwards(() => set(null));
}

async function administrator({ core }: Stack): Promise<string> {
  const name = 'argocd-initial-admin-secret';
  const { data } = await core.readNamespacedSecret({ name, namespace: 'argocd' });
  const password = Buffer.from(data?.password ?? '', 'base64').toString();
  return waitFor('a session of the administrator', () =>
    request('POST', 'session', { username: 'admin', password }),
  );
}

/** The token in the answer; undefined while Argo CD has not read its settings yet. */
async function request(
  method: string,
  path: string,
  body: object,
  token?: string,
): Promise<string | undefined> {
  const response = await fetch(`http://${ARGOCD_SERVER}/api/v1/${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { token?: string };
  return response.ok ? answer.token : undefined;
}
