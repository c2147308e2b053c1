// Defaults from variables and a config file, on a served cluster.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { SHOP, serve } from './built-command.ts';

vi.setConfig({ testTimeout: 60_000 });

const scratch = mkdtempSync(join(tmpdir(), 'tiphys-defaults-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const shop = resolve('test/goldens/fixtures/shop.yaml');

function tiphys(args: readonly string[], variables: Readonly<Record<string, string>>) {
  const { stdout, stderr } = spawnSync(process.execPath, [resolve('dist/main.js'), ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...variables },
  });
  return { stdout, stderr };
}

test('a command that reaches a cluster names what its line did not say', async () => {
  const kubeconfig = join(scratch, 'kubeconfig');
  const config = join(scratch, 'config.yaml');
  writeFileSync(config, `file: ${shop}\nkubeconfig: kubeconfig\n`);
  const { end } = await serve(...SHOP, '--kubeconfig-out', kubeconfig);
  const variables = { TIPHYS_CONFIG: config, TIPHYS_CONTEXT: 'rehearsal' };
  const said = `Defaults:  --file "${shop}" from config file "${config}", --kubeconfig "${kubeconfig}" from config file "${config}", --context "rehearsal" from TIPHYS_CONTEXT`;
  for (const command of ['status', 'diff']) {
    const lines = tiphys([command], variables).stdout.split('\n');
    expect(lines[0]).toContain('context "rehearsal"');
    expect(lines[2]).toBe(said);
  }
  const named = ['--file', shop, '--kubeconfig', kubeconfig, '--context', 'rehearsal'];
  expect(tiphys(['status', ...named], variables).stdout).not.toContain('Defaults:');
  const { stderr } = tiphys(['deploy', '--yes', '--timeout', '1s'], variables);
  expect(stderr).toContain(said);
  expect(await end()).toBe(0);
});
