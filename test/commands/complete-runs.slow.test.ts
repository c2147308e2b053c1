// `tiphys __complete run` reads the record of a cluster, as a shell asks for it: in a process of its own, on a port.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { SHOP, serve, tiphys } from './built-command.ts';

vi.setConfig({ testTimeout: 120_000 });

const scratch = mkdtempSync(join(tmpdir(), 'tiphys-complete-runs-'));
afterAll(() => rmSync(scratch, { recursive: true }));

test('the runs of the platform are offered, and nothing where the cluster does not answer', async () => {
  const kubeconfig = join(scratch, 'kubeconfig');
  const { end } = await serve(...SHOP, '--kubeconfig-out', kubeconfig, '--speed', '100x');
  const line = [...SHOP, '--kubeconfig', kubeconfig];
  tiphys('deploy', ...line, '--timeout', '1s');
  const { items } = JSON.parse(tiphys('runs', ...line, '-o', 'json').stdout);
  const ids = items.map(({ run }: { run: string }) => run);
  expect(ids).toHaveLength(1);
  expect(offered('', line)).toEqual([`${ids[0]}\n`, '']);
  expect(offered(ids[0].slice(0, 3), line)).toEqual([`${ids[0]}\n`, '']);
  expect(offered('zz', line)).toEqual(['', '']);
  await end();
  expect(offered('', line)).toEqual(['', '']);
});

/** What comes on standard output and on standard error. On a busy machine a second may be too short: then it offers nothing. */
function offered(word: string, line: readonly string[]): string[] {
  for (let times = 0; ; times++) {
    const { stdout, stderr } = tiphys('__complete', 'run', word, 'tiphys', 'runs', ...line);
    if (stdout !== '' || stderr !== '' || times === 5) return [stdout, stderr];
  }
}
