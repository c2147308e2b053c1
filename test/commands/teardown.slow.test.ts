// The command as a user calls it, on a simulated cluster on a port: who must say what before anything goes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { serveUntil, tiphys } from './built-command.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const scratch = mkdtempSync(join(tmpdir(), 'tiphys-teardown-'));
const platform = join(scratch, 'platform.yaml');
const kubeconfig = join(scratch, 'kubeconfig');
const approvedFile = join(scratch, 'inventory.json');
const PLATFORM = `
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

const FILES = ['-f', platform, '--kubeconfig', kubeconfig];
const call = (command: readonly string[]) => tiphys(...command, ...FILES);
const teardown = (...args: readonly string[]) => call(['teardown', ...args]);
const inventory = (...args: readonly string[]) =>
  JSON.parse(call(['plan', 'teardown', '--inventory', '-o', 'json', ...args]).stdout).inventory;

const NAMED = ['--confirm', 'small'];
const OTHER = `sha256:${'0'.repeat(64)}`;
const ends: (() => void)[] = [];
const afterAllOf = (end: () => void) => ends.push(end);
let address = '';
beforeAll(async () => {
  writeFileSync(platform, PLATFORM);
  const options = ['-f', platform, '--speed', '100x', '--kubeconfig-out', kubeconfig];
  ({ address } = await serveUntil(afterAllOf, ...options));
  expect(call(['deploy', '--quiet']).status).toBe(0);
});
afterAll(() => {
  for (const end of ends) end();
  rmSync(scratch, { recursive: true });
});

const applications = async () => {
  const path = '/apis/argoproj.io/v1alpha1/namespaces/argocd/applications';
  // While a command runs nobody here sees that a connection was closed.
  const all = await fetch(`${address}${path}`, { headers: { connection: 'close' } });
  const { items } = (await all.json()) as { items: { metadata: { name: string } }[] };
  return items.map(({ metadata }) => metadata.name);
};

test.each<[string, readonly string[], number, string]>([
  ['without a word', [], 3, 'error[teardown-unconfirmed]: The option --expect is missing'],
  [
    'with another hash',
    [...NAMED, '--expect', OTHER],
    1,
    'error[teardown-differs]: The cluster has changed',
  ],
])('%s nothing goes', async (_, args, status, message) => {
  const ended = teardown(...args);
  expect([ended.status, ended.stderr]).toEqual([status, expect.stringContaining(message)]);
  expect(await applications()).toEqual(['a', 'b', 'one-stack']);
});

test('the hash alone is not enough, nor is the name of the platform for finalizers', async () => {
  const { hash } = inventory();
  const unnamed = teardown('--expect', hash);
  expect([unnamed.status, unnamed.stderr]).toEqual([3, expect.stringContaining('--confirm small')]);
  const approved = ['--confirm', 'small', '--expect', hash];
  const unsafe = teardown(...approved, '--unsafe-remove-finalizers', 'b');
  expect([unsafe.status, unsafe.stderr]).toEqual([3, expect.stringContaining('--confirm b')]);
  expect(await applications()).toHaveLength(3);
});

test('a scope that others depend on is refused with their names', async () => {
  const { hash } = inventory('--scope', 'a');
  const refused = teardown('--scope', 'a', '--confirm', 'small', '--expect', hash);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain('error[teardown-refused]: "b" still exists');
  const along = teardown('--scope', 'a', '--with-dependents', '--dry-run');
  expect([along.status, along.stdout]).toEqual([0, expect.stringContaining('2 Applications')]);
});

test('what has changed since is shown; as approved it goes, and then there is nothing to do', async () => {
  const plan = call(['plan', 'teardown', '--inventory', '-o', 'json']).stdout;
  writeFileSync(approvedFile, plan);
  const approved = ['--confirm', 'small', '--expect', approvedFile];
  const other = teardown(...approved, '--volumes', 'delete', '--keep-namespaces');
  expect([other.status, other.stderr]).toEqual([
    1,
    expect.stringContaining('volumes: retain was approved'),
  ]);
  writeFileSync(approvedFile, plan.replace('"name": "b"', '"name": "c"'));
  expect(teardown(...approved).stderr).toContain('error[inventory-invalid]');
  writeFileSync(approvedFile, plan);
  const done = teardown(...approved);
  expect([done.status, done.stderr]).toEqual([0, expect.stringContaining('deletion requested')]);
  expect(done.stdout).toMatch(/^NAME +OUTCOME +WAITED +TOOK$/m);
  expect(done.stdout).toContain('teardown of "small": 2 deleted');
  expect(await applications()).toEqual([]);
  const again = teardown(...approved);
  expect([again.status, again.stdout]).toEqual([
    0,
    'Nothing to delete: the cluster has no Applications of "small".\n',
  ]);
  expect(readFileSync(approvedFile, 'utf8')).toBe(plan);
});
