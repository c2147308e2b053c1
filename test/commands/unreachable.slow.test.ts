// A cluster that does not answer: one line says so soon, and the error says why.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { SHOP, tiphys } from './built-command.ts';

vi.setConfig({ testTimeout: 300_000 });

const folder = mkdtempSync(join(tmpdir(), 'tiphys-unreachable-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a refused connection is retried, with one line about it', () => {
  const kubeconfig = join(folder, 'kubeconfig');
  const named = (kind: string, value: object) => [{ name: 'x', [kind]: value }];
  const content = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'x' },
    contexts: named('context', { cluster: 'x', user: 'x' }),
    clusters: named('cluster', { server: 'http://127.0.0.1:9' }),
    users: named('user', {}),
  };
  writeFileSync(kubeconfig, JSON.stringify(content));
  const { stderr, status } = tiphys('status', ...SHOP, '--kubeconfig', kubeconfig);
  expect([status, stderr]).toEqual([1, expect.stringContaining('error[cluster-unreachable]')]);
  expect(stderr.match(/no answer from/g)).toHaveLength(1);
});
