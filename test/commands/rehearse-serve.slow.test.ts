// The simulated cluster on a port, for a plain HTTP client and for `tiphys deploy`.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { SHOP, serve, tiphys } from './built-command.ts';

vi.setConfig({ testTimeout: 60_000 });

const scratch = mkdtempSync(join(tmpdir(), 'tiphys-serve-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const APPLICATIONS = '/apis/argoproj.io/v1alpha1/namespaces/argocd/applications';

test('a plain HTTP client reads, writes and watches', async () => {
  const { address, end } = await serve(...SHOP, '--speed', '10x');
  const text = await (await fetch(`${address}${APPLICATIONS}`)).text();
  const list = JSON.parse(text);
  expect(list).toMatchObject({
    kind: 'ApplicationList',
    items: [{ metadata: { name: 'shop-root' } }],
  });
  const maps = `${address}/api/v1/namespaces/argocd/configmaps`;
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'mine' } });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(maps, { method: 'POST', body, headers })).status).toBe(201);
  expect((await fetch(maps, { method: 'POST', body, headers })).status).toBe(409);
  expect((await fetch(maps, { method: 'POST', body: 'k8s', headers })).status).toBe(415);
  // As a page in a browser sends it without asking.
  expect((await fetch(maps, { method: 'POST', body })).status).toBe(415);
  const { resourceVersion } = list.metadata;
  const watch = await fetch(`${maps}?watch=true&resourceVersion=${resourceVersion}`);
  const reader = watch.body?.getReader();
  const first = new TextDecoder().decode((await reader?.read())?.value);
  expect(JSON.parse(first)).toMatchObject({
    type: 'ADDED',
    object: { metadata: { name: 'mine' } },
  });
  await reader?.cancel();
  expect((await fetch(`${address}/nowhere`)).status).toBe(404);
  expect(await end()).toBe(0);
});

test('kubectl is given the columns of Argo CD where it asks for a table', async () => {
  const { address, end } = await serve(...SHOP);
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
  const table = await (await fetch(`${address}${APPLICATIONS}`, { headers: { accept } })).json();
  expect(table).toMatchObject({ kind: 'Table', rows: [{ cells: ['shop-root', '', ''] }] });
  await end();
});

test('it is the Argo CD that was asked for, and one below a root path is found there', async () => {
  const [platform, kubeconfig] = [join(scratch, 'new.yaml'), join(scratch, 'kubeconfig-new')];
  writeFileSync(platform, SMALL);
  const served = ['-f', platform, '--kubeconfig-out', kubeconfig, '--argocd', '3.5'];
  const { address, end } = await serve(...served);
  const proxy = `${address}/api/v1/namespaces/argocd/services/http:argocd-server:80/proxy`;
  expect(await (await fetch(`${proxy}/api/version`)).json()).toMatchObject({
    Version: 'v3.5.1+rehearsal',
  });
  const token = join(scratch, 'token');
  writeFileSync(token, 'rehearsal');
  const direct = ['--argocd-server', proxy, '--argocd-insecure', '--argocd-token-file', token];
  const { stdout } = tiphys('status', '-f', platform, '--kubeconfig', kubeconfig, ...direct);
  expect(stdout).toContain('Argo CD v3.5.1+rehearsal\n');
  expect(stdout).not.toContain('warning');
  await end();
});

test('its clock begins with that of this machine, so that ages are right', async () => {
  const before = Math.floor(Date.now() / 1000) * 1000;
  const { address, end } = await serve(...SHOP);
  const { items } = (await (await fetch(`${address}${APPLICATIONS}`)).json()) as {
    items: { metadata: { creationTimestamp: string } }[];
  };
  const [created] = items.map(({ metadata }) => Date.parse(metadata.creationTimestamp));
  expect(created).toBeGreaterThanOrEqual(before);
  expect(created).toBeLessThanOrEqual(Date.now());
  await end();
});

test('tiphys deploys to it with the kubeconfig that it writes', async () => {
  const [platform, kubeconfig] = [join(scratch, 'platform.yaml'), join(scratch, 'kubeconfig')];
  writeFileSync(platform, SMALL);
  const { end } = await serve('-f', platform, '--speed', '100x', '--kubeconfig-out', kubeconfig);
  expect(JSON.parse(readFileSync(kubeconfig, 'utf8')).kind).toBe('Config');
  const { stdout, status } = tiphys('deploy', '-f', platform, '--kubeconfig', kubeconfig);
  expect([status, stdout]).toEqual([0, expect.stringContaining('2 healthy')]);
  const inventory = ['plan', 'teardown', '--inventory', '-f', platform, '--kubeconfig', kubeconfig];
  const text = tiphys(...inventory);
  expect([text.status, text.stderr]).toEqual([0, '']);
  expect(text.stdout).toMatch(
    /^Inventory of "small" in the cluster: 3 Applications and 2 objects to delete/m,
  );
  const { inventory: data, ...plan } = JSON.parse(tiphys(...inventory, '-o', 'json').stdout);
  expect([plan.kind, data.kind, data.plan]).toEqual(['Plan', 'Inventory', plan.hash]);
  expect(text.stdout).toContain(`inventory ${data.hash}\n`);
  await end();
});

/** The dwell is of the deploying side, whose time is real. */
const SMALL = `
apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: small}
spec:
  gate: {dwell: 1s}
  stacks:
    - name: one
      application: one-stack
      applications: [{name: a}, {name: b, dependsOn: [a]}]
`;

test('a port that is taken, and a time without speed, are told', async () => {
  const { address, end } = await serve(...SHOP);
  const { port } = new URL(address);
  const taken = tiphys('rehearse', 'serve', ...SHOP, '--port', port);
  expect([taken.status, taken.stderr]).toEqual([
    3,
    expect.stringContaining(`Cannot listen on port ${port}`),
  ]);
  const endless = tiphys('rehearse', 'serve', ...SHOP, '--speed', 'max');
  expect([endless.status, endless.stderr]).toEqual([
    3,
    expect.stringContaining('is not supported for serve'),
  ]);
  await end();
});
