// An account renews its own token: Argo CD lets it, without any right, and takes the old one no more.
import type { KubernetesObject } from '@kubernetes/client-node';
import { expect } from 'vitest';
import { processIo } from '../../../src/process.ts';
import { argocdApi } from '../../../src/targets/argocd/api.ts';
import { tokenRenewal } from '../../../src/targets/argocd/renew-token.ts';
import { directRoute, directTransport } from '../../../src/targets/argocd/route.ts';
import { tokenFromSecret } from '../../../src/targets/argocd/secret-token.ts';
import { tokenSource } from '../../../src/targets/argocd/token.ts';
import { expiryOf } from '../../../src/targets/argocd/token-expiry.ts';
import { kubernetesApi } from '../../../src/targets/kubernetes/api.ts';
import { kubernetesTransport } from '../../../src/targets/kubernetes/transport.ts';
import { ARGOCD_SERVER, kubeconfigFile } from '../config.ts';
import { accountToken } from '../kit/account.ts';
import { clock, test } from '../kit/client.ts';
import { waitFor } from '../run.ts';

const server = `http://${ARGOCD_SERVER}`;

async function isTaken(token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${server}/api/v1/session/userinfo`, { headers });
  return ((await answer.json()) as { loggedIn?: boolean }).loggedIn ?? false;
}

test('an account without rights makes a token that expires, and strikes off its old one', async ({
  stack,
  scratch,
}) => {
  const { namespace } = scratch;
  const old = await accountToken(scratch, []);
  await scratch.apply({
    ...{ apiVersion: 'v1', kind: 'Secret' },
    metadata: {
      ...{ name: 'tiphys-argocd-token', namespace },
      labels: { 'tiphys.dev/token': 'argocd' },
    },
    stringData: { token: old },
  } as KubernetesObject);
  const world = { clock, random: Math.random };
  const { environment, runProgram } = processIo;
  const place = { kubeconfig: kubeconfigFile(stack.config), environment, runProgram };
  const { transport } = await kubernetesTransport(place, clock);
  const kubernetes = kubernetesApi(transport, world);
  const { read, secret } = tokenFromSecret(kubernetes, namespace, 'deploy');
  const ways = { server, caFile: undefined, insecure: true, proxy: undefined };
  const route = directRoute(await directTransport(ways, clock));
  const renewal = tokenRenewal(argocdApi(route, tokenSource(read), world), kubernetes, {
    ...{ namespace, secret, expires: async () => undefined },
  });

  const made = await renewal.make(`${scratch.name}-2`);
  expect(made).toMatchObject({ account: scratch.name, before: scratch.name });
  expect(await renewal.keep(made)).toEqual({ kind: 'done' });
  expect(await renewal.keep(made)).toMatchObject({ kind: 'refused', reason: 'conflict' });
  const token = await read();
  const days = ((expiryOf(token) ?? 0) - Date.now() / 1000) / 86_400;
  expect(days).toBeGreaterThan(89);
  expect(days).toBeLessThanOrEqual(90);
  await waitFor('the new token to be taken', () => isTaken(token));
  expect(await renewal.strike(made.account, made.before)).toEqual({ kind: 'done' });
  await waitFor('the old token to be refused', async () => !(await isTaken(old)));
  expect(await isTaken(token)).toBe(true);
  await renewal.strike(made.account, made.id);
});
