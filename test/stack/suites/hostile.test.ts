// What somebody who may write an Application, or create a Service, can do to those who deploy, look and approve: nothing.
import type { KubernetesObject } from '@kubernetes/client-node';
import { expect } from 'vitest';
import type { Application } from '../kit/objects.ts';
import { QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { type Ended, Tiphys } from '../kit/tiphys.ts';
import { configMap } from '../kit/workloads.ts';

const FORGED = 'forged-row';
/** Erases lines, writes to the clipboard, sets a title and begins a line that looks like one of Tiphys. */
const SEQUENCES = `\u001b[1A\u001b[2K\u001b]52;c;aGk=\u0007\u001b]0;t\u0007\u009b2K\r\n${FORGED}  healthy\n`;
/** What once took a regular expression minutes. */
const LONG = 'a://'.repeat(40_000);

const APPLICATION = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' };

/** Argo CD quotes the path of an Application that it cannot find. */
async function hostile(scratch: Scratch, suffix: string, path: string): Promise<string> {
  const name = await scratch.application(suffix, { path: 'none' });
  const metadata = { name, namespace: 'argocd' };
  // kubectl apply does not accept it.
  await scratch.stack.change({ ...APPLICATION, metadata } as Application, ({ spec }) => {
    spec.source = { repoURL: scratch.repository.url, path, targetRevision: 'main' };
  });
  await scratch.stack.reminded(name, 'quoted by Argo CD', async () => {
    const { status } = await scratch.stack.argocd.application(name);
    return JSON.stringify(status?.conditions ?? []).includes('the-end');
  });
  return name;
}

/** Printable ASCII in lines that Tiphys itself began. */
function expectHarmless({ stdout, stderr }: Ended): void {
  const text = stdout + stderr;
  expect(text).not.toBe('');
  expect(text.replaceAll('\n', '').replaceAll(/[ -~]/g, '')).toBe('');
  expect(text.split('\n').filter((line) => line.startsWith(FORGED))).toEqual([]);
}

test('an Application with a hostile message stalls no run and forges no line', async ({
  scratch,
}) => {
  await scratch.repository.commit({ 'good/map.yaml': configMap('good', {}) });
  const good = await scratch.application('good', { path: 'good' });
  const forging = await hostile(scratch, 'forging', `x${SEQUENCES}y-the-end`);
  const long = await hostile(scratch, 'long', `x${LONG}y-the-end`);
  const tiphys = new Tiphys(scratch);
  const timeouts = { sync: '20s', health: '20s' };
  const applications = [{ name: good }, { name: forging, timeouts }, { name: long, timeouts }];
  await tiphys.platform({ ...QUICK, stacks: [{ name: 's', applications }] });
  const deployed = await tiphys.run('deploy');
  expect(deployed.status).toBe(2);
  expectHarmless(deployed);
  const commands = [
    ['validate'],
    ['status'],
    ['explain', forging],
    ['explain', long],
    ['runs'],
    // What people approve.
    ['plan', 'teardown', '--inventory'],
    ['teardown', '--confirm', scratch.name],
  ];
  for (const args of commands) expectHarmless(await tiphys.run(...args));
  const { status, stdout } = await tiphys.run('validate', '-o', 'json');
  const states = JSON.parse(stdout).nodes.map(({ id, state }: { id: string; state: string }) => [
    ...[id, state],
  ]);
  expect(Object.fromEntries(states)[`app:${good}`]).toBe('Healthy');
  expect(status).toBe(1);
});

test('a Service that imitates argocd-server is not asked', async ({ stack, scratch }) => {
  await scratch.repository.commit({ 'good/map.yaml': configMap('good', {}) });
  const good = await scratch.application('good', { path: 'good' });
  const name = `aaa-${scratch.name}`;
  const label = ['app.kubernetes.io/name', 'argocd-server'] as const;
  const metadata = { name, namespace: 'argocd', labels: Object.fromEntries([label]) };
  const spec = { ports: [{ name: 'http', port: 80 }] };
  await scratch.apply({ apiVersion: 'v1', kind: 'Service', metadata, spec } as KubernetesObject);
  // It is what a search by the label finds first, and answers nobody: a command that asked it would fail.
  const search = ['services', '--namespace=argocd', '--selector', label.join('='), '-o', 'name'];
  expect((await stack.run('kubectl', 'get', ...search)).split('\n')[0]).toBe(`service/${name}`);
  const tiphys = new Tiphys(scratch);
  await tiphys.platform({ ...QUICK, stacks: [{ name: 's', applications: [{ name: good }] }] });
  for (const command of ['deploy', 'validate']) {
    const { status, stderr } = await tiphys.run(command);
    expect(status, stderr).toBe(0);
  }
});
